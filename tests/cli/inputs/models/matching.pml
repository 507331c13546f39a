/* Calls and returns that do not match: CASE says how. */
#include "plumb.pml"
byte n;
active [2] proctype client()
{
    byte x, y;
    do
#if CASE == 1
    :: CALL(enq, x); RET(deq, x)
#elif CASE == 2
    :: CALL(enq, x); RET(enq, OK)
    :: RET(deq, NONE)
#elif CASE == 3
    :: CALL(enq, x); CALL(deq, _); RET(deq, x); RET(enq, OK)
#elif CASE == 4
    :: CALL(enq, _); RET(enq, OK)
#elif CASE == 5
    :: CALL2(enq, x, y); RET(enq, OK)
#elif CASE == 6
    :: CALL(enq, x); n = 1; RET(enq, OK)
    :: CALL(deq, _); RET(deq, n)
#elif CASE == 7
    :: CALL(enq, x); RET(enq, OK)
    :: CALL(enq, _); RET(enq, OK)
#else
    :: RET(enq, OK)
#endif
    od
}
