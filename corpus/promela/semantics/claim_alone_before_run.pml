/* spin-counts: 1 1 2; errors 0 */
/* a claim goes on alone for ever before the process that is to be created: the look ahead for
   processes must end */
byte n;
proctype P() { n++ }
init { n == 1; run P() }
never { do :: n == 0 :: n == 1 -> break od }
