/* A specification that is wrong itself: nothing is said about the model. */
#include "plumb.pml"
byte n;
int m;
SEQUENTIAL proctype object()
{
    do
#if CASE == 1
    :: CALL(inc, _); n++; assert(n < 3); RET(inc, OK)
#elif CASE == 2
    :: CALL(inc, _); do :: m++ :: break od; RET(inc, OK)
#else
    :: CALL(inc, _); RET(get, OK)
    :: CALL(get, _); RET(get, OK)
#endif
    od
}
active proctype client()
{
    do :: CALL(inc, _); RET(inc, OK) od
}
