#include "models/plumb.pml"
bool a, b;
active [2] proctype client()
{
    do
    :: CALL(read, _);
       if :: !a -> a = true; b :: !b -> b = true; a == false fi;
       RET(read, 0)
    od
}
