/* SPDX-License-Identifier: Apache-2.0 */
/* A counter that says 255, or 254: numbers that are "full" and "ok" of other operations. */
#include "models/plumb.pml"

active proctype client()
{
    byte amount;
    do
    :: CALL(add, amount);
       RET(add, OK)
    :: CALL(get, _);
       RET(get, ANSWER)
    od
}
