#include "models/plumb.pml"
byte sum;
active [2] proctype client()
{
    byte item;
    do
    :: CALL(enq, item);
       sum = sum + item;
       RET(enq, OK)
    od
}
