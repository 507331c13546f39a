#include "models/plumb.pml"
byte cell[2];
byte n;
active [2] proctype client()
{
    byte item;
    do
    :: CALL(push, item);
       atomic { cell[n] = item; n = n + 1 };
       RET(push, OK)
    od
}
