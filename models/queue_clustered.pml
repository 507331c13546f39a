/* SPDX-License-Identifier: Apache-2.0 */
/* The relaxed specification that section 4 writes by hand, for plumb refine --trace: a queue whose first FACTOR + 1 items are
 * a cluster; a removal takes any item of the cluster, and the next cluster begins when all its items are taken. An
 * addition may find no room at any time, as --full any allows. What segmented_queue.pml does is what this one can do.
 *
 * NO_CLUSTER: the subtly wrong version that the section warns of: any of the first FACTOR + 1 items, so that the first one can
 * be overtaken forever.
 *
 * refine: --spec queue --quasi deq=2 : holds
 * refine: -D NO_CLUSTER --spec queue --quasi deq=2 : violated
 * refine: -D NO_CLUSTER -D FACTOR=0 --spec queue : holds
 */
#include "plumb.pml"

#ifndef THREADS
#define THREADS 2
#endif
#ifndef FACTOR
#define FACTOR 2
#endif
#ifndef SEGMENTS
#define SEGMENTS 2
#endif
#define WIDTH (FACTOR + 1)
#define CAPACITY (WIDTH * SEGMENTS)

byte cell[CAPACITY]; /* the oldest first */
byte count;
byte taken; /* items of the cluster that have been taken */

inline put(x)
{
    if
    :: count < CAPACITY -> cell[count] = x; count++; answer = OK
    :: answer = FULL
    fi
}

inline shift_down()
{
    do
    :: i + 1 < count -> cell[i] = cell[i + 1]; i++
    :: else -> break
    od;
    cell[i] = NONE;
    count--
}

inline remove(x)
{
    if
    :: count == 0 -> x = NONE
    :: count > 0 ->
        most = (count < WIDTH - taken -> count : WIDTH - taken);
        select(i : 1 .. most);
        i--;
        x = cell[i];
        shift_down();
#ifndef NO_CLUSTER
        taken = (taken + 1) % WIDTH
#endif
    fi
}

active [THREADS] proctype client()
{
    byte item, answer, i, most;
    do
    :: CALL(enq, item);
       atomic { put(item); POINT(enq, answer) };
       RET(enq, answer)
    :: CALL(deq, _);
       atomic { remove(item); POINT(deq, item) };
       RET(deq, item)
    od
}
