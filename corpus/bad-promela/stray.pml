/* expect: M0001@3:29 M0003@3:31 M0001@3:38 M0001@3:40 */
byte x;
active proctype P() { x = 1 § 2; x = “3” ; x = 4 }
