/* SPDX-License-Identifier: Apache-2.0 */
/* The segmented quasi queue (Adhikari et al., section 4, after Afek, Korland and Yanovsky): a ring of SEGMENTS segments
 * of FACTOR + 1 cells. Items are put into the cells of the last segment in order; a removal takes any item of the first
 * one, so that nothing is overtaken by more than FACTOR others. Every operation is one step between its call and
 * its return; segmented_queue_fine.pml has single accesses.
 *
 * The first segment is given back when its last item is taken, so an addition can meet a full ring although there are
 * fewer items inside than cells: it says so (--full any).
 *
 * BUG 1: a removal from the empty queue may go to the next segment all the same.
 * BUG 2: a removal may take from the segment after the right one.
 *
 * refine: --spec queue --quasi deq=2 : holds
 * refine: --spec queue --quasi deq=1 : violated
 * refine: --spec queue : violated
 * refine: -D FACTOR=1 -D SEGMENTS=3 --spec queue --quasi deq=1 : holds
 * refine: -D FACTOR=1 -D SEGMENTS=1 --spec queue --quasi deq=1 : holds
 * refine: -D FACTOR=3 -D SEGMENTS=1 --spec queue --quasi deq=3 : holds
 * refine: -D FACTOR=1 -D SEGMENTS=2 --spec queue --quasi deq=1 --capacity 4 --full capacity : violated
 * refine: -D FACTOR=1 -D SEGMENTS=1 -D THREADS=3 --spec queue --quasi deq=1 : holds
 * refine: -D BUG=1 --spec queue --quasi deq=2 : violated
 * refine: -D BUG=2 --spec queue --quasi deq=2 : violated
 *
 * refine: --trace --spec queue_clustered.pml : holds
 * refine: -D BUG=1 --trace --spec queue_clustered.pml : violated
 * refine: -D BUG=2 --trace --spec queue_clustered.pml : violated
 * refine: -D BUG=2 -D NO_CLUSTER --trace --spec queue_clustered.pml : violated
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
#ifndef BUG
#define BUG 0
#endif
#define WIDTH (FACTOR + 1)

byte cell[WIDTH * SEGMENTS];
byte first;  /* segment that items are taken from */
byte last;   /* segment that items are put into */
byte filled; /* cells of it that have been used */

/* Into the cell after the one used last, in a new segment if need be. */
inline put(x)
{
    if
    :: filled == WIDTH && (last + 1) % SEGMENTS == first -> answer = FULL
    :: else ->
        if
        :: filled == WIDTH -> last = (last + 1) % SEGMENTS; filled = 0
        :: else
        fi;
        cell[last * WIDTH + filled] = x;
        filled++;
        answer = OK
    fi
}

/* From cell i on, once around segment `from`: leaves i at the first cell with an item, n == WIDTH if there is none. */
inline search(from)
{
    n = 0;
    do
    :: n < WIDTH && cell[from * WIDTH + i] == NONE -> i = (i + 1) % WIDTH; n++
    :: else -> break
    od
}

/* Nothing left of a segment that was used up: on to the next one, or the only one starts again. */
inline retire()
{
    search(first);
    if
    :: n == WIDTH && first != last -> first = (first + 1) % SEGMENTS
    :: n == WIDTH && first == last && filled == WIDTH -> filled = 0
    :: else
    fi
}

/* Any item of the segment, or NONE. */
inline take(from, x)
{
    select(i : 0 .. FACTOR);
    search(from);
    x = cell[from * WIDTH + i];
    cell[from * WIDTH + i] = NONE;
    if
    :: x != NONE -> retire()
    :: else
    fi
}

inline remove(x)
{
    if
    :: take(first, x)
#if BUG == 2
    :: first != last -> take((first + 1) % SEGMENTS, x)
#endif
    fi;
#if BUG == 1
    if
    :: x == NONE -> first = (first + 1) % SEGMENTS
    :: true
    fi
#endif
}

active [THREADS] proctype client()
{
    byte item, answer, i, n;
    do
    :: CALL(enq, item);
       atomic { put(item); POINT(enq, answer) };
       RET(enq, answer)
    :: CALL(deq, _);
       atomic { remove(item); POINT(deq, item) };
       RET(deq, item)
    od
}
