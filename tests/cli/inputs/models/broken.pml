#include "models/plumb.pml"
active [2] proctype client()
{
    byte item
    do
    :: CALL(write, item); RET(write, OK)
    odd
}
