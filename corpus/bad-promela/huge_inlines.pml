/* expect: M0035@28:23 */
byte x;
inline f0() { x = 1 }
inline f1() { f0(); f0() }
inline f2() { f1(); f1() }
inline f3() { f2(); f2() }
inline f4() { f3(); f3() }
inline f5() { f4(); f4() }
inline f6() { f5(); f5() }
inline f7() { f6(); f6() }
inline f8() { f7(); f7() }
inline f9() { f8(); f8() }
inline f10() { f9(); f9() }
inline f11() { f10(); f10() }
inline f12() { f11(); f11() }
inline f13() { f12(); f12() }
inline f14() { f13(); f13() }
inline f15() { f14(); f14() }
inline f16() { f15(); f15() }
inline f17() { f16(); f16() }
inline f18() { f17(); f17() }
inline f19() { f18(); f18() }
inline f20() { f19(); f19() }
inline f21() { f20(); f20() }
inline f22() { f21(); f21() }
inline f23() { f22(); f22() }
inline f24() { f23(); f23() }
active proctype P() { f24() }
