/* SPIN 8/1/9, 2 errors (deadlock); argos 15/4/19, 0 errors */
/* A jump begins the guarded part of an `unless` inside `atomic`. */
byte x;
active proctype P() {
    atomic {
        x = 1;
        {
            goto done
        } unless {
            x == 2
        }
    };
done:
    x = 3
}
active proctype Q() {
    x = 2
}
