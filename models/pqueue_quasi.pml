/* SPDX-License-Identifier: Apache-2.0 */
/* A relaxed priority queue ("Q. Priority Queue" of table 3): items in order, in segments of FACTOR + 1; a removal takes any
 * item of the first segment, and the segment after it becomes the first when that is used up. Every operation is one step
 * between its call and its return.
 *
 * Distance is unkind to priority queues: after insert 2, insert 3, delete_min = 3 an item 1 goes before the 2 that was
 * overtaken, and no order of removals close enough explains the 3 any more. So the plain version is wrong (the paper's method,
 * which is not exact, accepts it), and it is right with REFUSE, where an item that belongs among or before those of a segment
 * from which something was taken finds no room until it is used up.
 *
 * BUG 1: a removal that finds nothing may go to the next segment all the same.
 *
 * refine: --spec pqueue --quasi delete_min=2 : violated
 * refine: -D REFUSE --spec pqueue --quasi delete_min=2 : holds
 * refine: -D REFUSE -D FACTOR=1 -D CAPACITY=4 --spec pqueue --quasi delete_min=1 : holds
 * refine: -D REFUSE --spec pqueue --quasi delete_min=1 : violated
 * refine: -D FACTOR=0 -D CAPACITY=3 --spec pqueue : holds
 * refine: -D REFUSE -D BUG=1 --spec pqueue --quasi delete_min=2 : violated
 */
#include "plumb.pml"

#ifndef THREADS
#define THREADS 2
#endif
#ifndef FACTOR
#define FACTOR 2
#endif
#ifndef CAPACITY
#define CAPACITY 6
#endif
#ifndef BUG
#define BUG 0
#endif

byte cell[CAPACITY]; /* the smallest first */
byte count;
byte open;    /* items of the first segment that have not been taken; 0: the segment before was used up */
byte largest; /* of the first segment, as long as it is open: no item, otherwise */
byte skipped; /* items before the segment that removals look at: 0, without the bug */

/* Makes room at the place of x and leaves i there. */
inline shift_up(x)
{
    i = count;
    do
    :: i > 0 && cell[i - 1] > x -> cell[i] = cell[i - 1]; i--
    :: else -> break
    od
}

inline insert_item(x)
{
    if
    :: count == CAPACITY -> answer = FULL
#ifdef REFUSE
    :: count < CAPACITY && open > 0 && x < largest -> answer = FULL
#endif
    :: else -> shift_up(x); cell[i] = x; count++; answer = OK
    fi
}

inline open_segment()
{
    if
    :: open == 0 && count > FACTOR -> open = FACTOR + 1; largest = cell[FACTOR]
    :: open == 0 && count > 0 && count <= FACTOR -> open = count; largest = cell[count - 1]
    :: else
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

inline take(x)
{
    select(i : 1 .. open);
    i = i - 1 + skipped;
    x = cell[i];
    shift_down();
    open--;
    if
    :: open == 0 -> largest = NONE; skipped = 0
    :: else
    fi
}

inline remove(x)
{
    if
    :: skipped == 0 -> open_segment()
    :: skipped > 0 && open == 0 && count > skipped -> open = 1; largest = cell[skipped]
    :: else
    fi;
    if
    :: open > 0 -> take(x)
    :: else -> x = NONE
    fi;
#if BUG == 1
    if
    :: x == NONE && skipped == 0 -> skipped = 1
    :: true
    fi
#endif
}

active [THREADS] proctype client()
{
    byte item, answer, i;
    do
    :: CALL(insert, item);
       atomic { insert_item(item); POINT(insert, answer) };
       RET(insert, answer)
    :: CALL(delete_min, _);
       atomic { remove(item); POINT(delete_min, item) };
       RET(delete_min, item)
    od
}
