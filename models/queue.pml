/* SPDX-License-Identifier: Apache-2.0 */
/* A linearizable queue in a ring of cells ("Lin. Queue" of table 3): every operation is one step between its call and its
 * return.
 *
 * BUG 1: an addition to the full queue overwrites its oldest item.
 *
 * refine: --spec queue : holds
 * refine: --spec queue --capacity 4 --full capacity : holds
 * refine: --spec queue --capacity 3 --full capacity : violated
 * refine: --spec queue --capacity 5 --full capacity : violated
 * refine: --spec queue --quasi deq=2 : holds
 * refine: --spec queue_spec.pml : holds
 * refine: -D CAPACITY=3 --spec queue_spec.pml : holds
 * refine: -D BUG=1 --spec queue_spec.pml : violated
 * refine: --spec stack : error
 * refine: -D BUG=1 --spec queue : violated
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
byte first, count;

active [THREADS] proctype client()
{
    byte item, answer;
    do
    :: CALL(enq, item);
       atomic {
           if
#if BUG == 1
           :: count == CAPACITY -> cell[first] = item; answer = OK
#else
           :: count == CAPACITY -> answer = FULL
#endif
           :: else -> cell[(first + count) % CAPACITY] = item; count++; answer = OK
           fi;
           POINT(enq, answer)
       };
       RET(enq, answer)
    :: CALL(deq, _);
       atomic {
           item = cell[first];
           cell[first] = NONE;
           if
           :: item != NONE -> first = (first + 1) % CAPACITY; count--
           :: else
           fi;
           POINT(deq, item)
       };
       RET(deq, item)
    od
}
