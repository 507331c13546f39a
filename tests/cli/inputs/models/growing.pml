/* The counter never stops growing. */
#include "models/plumb.pml"
int calls;
active [2] proctype client()
{
    byte item;
    do
    :: CALL(write, item);
       calls = calls + 1;
       RET(write, OK)
    od
}
