/* SPDX-License-Identifier: Apache-2.0 */
/* A specification written as a model: what a queue of CAPACITY items does when operations come one after the other.
 * It is given with --spec, as in plumb refine models/queue.pml --spec models/queue_spec.pml. */
#include "plumb.pml"

#ifndef CAPACITY
#define CAPACITY 4
#endif

byte cell[CAPACITY]; /* the oldest first */
byte count;

SEQUENTIAL active proctype queue()
{
    byte item, i;
    do
    :: CALL(enq, item);
       if
       :: count == CAPACITY -> RET(enq, FULL)
       :: else -> d_step { cell[count] = item; count++ }; RET(enq, OK)
       fi
    :: CALL(deq, _);
       d_step {
           item = cell[0];
           if
           :: count > 0 ->
               count--;
               i = 0;
               do
               :: i < count -> cell[i] = cell[i + 1]; i++
               :: else -> break
               od;
               cell[count] = NONE
           :: else
           fi
       };
       RET(deq, item)
    od
}
