/* Answers below 0 are too small for us: that is no violation. */
#include "plumb.pml"
short n;
active proctype client()
{
    byte x;
    do
    :: CALL(add, x); n++; RET(add, OK)
    :: CALL(get, _); RET(get, n - 1)
    od
}
