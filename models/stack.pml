/* SPDX-License-Identifier: Apache-2.0 */
/* A linearizable stack ("Lin. Stack" of table 3): every operation is one step between its call and its return.
 *
 * BUG 1: a removal takes the item at the bottom.
 *
 * refine: --spec stack : holds
 * refine: --spec stack --capacity 4 --full capacity : holds
 * refine: --spec stack --quasi pop=2 : holds
 * refine: -D BUG=1 --spec stack : violated
 * refine: -D BUG=1 --spec stack --quasi pop=1 : violated
 */
#include "plumb.pml"

#ifndef THREADS
#define THREADS 2
#endif
#ifndef CAPACITY
#define CAPACITY 4
#endif
#ifndef BUG
#define BUG 0
#endif

byte cell[CAPACITY];
byte count;

active [THREADS] proctype client()
{
    byte item, answer;
    do
    :: CALL(push, item);
       atomic {
           if
           :: count == CAPACITY -> answer = FULL
           :: else -> cell[count] = item; count++; answer = OK
           fi;
           POINT(push, answer)
       };
       RET(push, answer)
    :: CALL(pop, _);
       atomic {
           if
           :: count == 0 -> item = NONE
           :: else ->
               count--;
#if BUG == 1
               item = cell[0];
               cell[0] = cell[count];
#else
               item = cell[count];
#endif
               cell[count] = NONE
           fi;
           POINT(pop, item)
       };
       RET(pop, item)
    od
}
