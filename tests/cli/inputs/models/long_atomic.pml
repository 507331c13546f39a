/* An atomic sequence with more ways than are followed: that is no error of the model. */
#include "plumb.pml"
active proctype client()
{
    byte a, b, c, x;
    do
    :: CALL(add, x);
       atomic { select (a : 0 .. 32); select (b : 0 .. 32); select (c : 0 .. 32); (a + b + c < 200) };
       RET(add, OK)
    od
}
