#include "models/plumb.pml"
bool busy;
active [2] proctype client()
{
    byte item;
    do
    :: CALL(write, item);
       assert(!busy);
       busy = true;
       busy = false;
       RET(write, OK)
    od
}
