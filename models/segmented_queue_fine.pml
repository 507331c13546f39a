/* SPDX-License-Identifier: Apache-2.0 */
/* The segmented quasi queue (segmented_queue.pml) with a lock for additions and one for removals, as the two-lock queue has
 * them (Michael and Scott 1996): each step is one access to shared memory. `tail` is segment and used cells in one word, so
 * that a removal sees both at once. With a single segment the ring is full for good after WIDTH additions.
 *
 * BUG 1: a removal that finds nothing goes to the next segment all the same.
 * BUG 2: additions do without the lock.
 * BUG 3: removals do without the lock.
 *
 * refine: -D FACTOR=1 -D SEGMENTS=2 --spec queue --quasi deq=1 : holds
 * refine: -D FACTOR=1 -D SEGMENTS=3 --spec queue --quasi deq=1 : holds
 * refine: -D FACTOR=1 -D SEGMENTS=2 --spec queue : violated
 * refine: -D FACTOR=2 -D SEGMENTS=2 --spec queue --quasi deq=1 : violated
 * refine: -D BUG=1 --spec queue --quasi deq=1 : violated
 * refine: -D BUG=2 --spec queue --quasi deq=1 : violated
 * refine: -D BUG=3 --spec queue --quasi deq=1 : violated
 */
#include "plumb.pml"

#ifndef THREADS
#define THREADS 2
#endif
#ifndef FACTOR
#define FACTOR 1
#endif
#ifndef SEGMENTS
#define SEGMENTS 2
#endif
#ifndef BUG
#define BUG 0
#endif
#define WIDTH (FACTOR + 1)
#define SEGMENT(word) ((word) / (WIDTH + 1))
#define USED(word) ((word) % (WIDTH + 1))
#define WORD(segment, used) ((segment) * (WIDTH + 1) + (used))

byte cell[WIDTH * SEGMENTS];
byte tail;  /* segment that items are put into, and cells of it that have been used */
byte first; /* segment that items are taken from */
byte taken; /* items taken from it; only for who has the lock of removals */
bool adding, removing; /* the locks */

#if BUG == 2
#define LOCK_ADDING skip
#else
#define LOCK_ADDING atomic { !adding -> adding = true }
#endif
#if BUG == 3
#define LOCK_REMOVING skip
#else
#define LOCK_REMOVING atomic { !removing -> removing = true }
#endif

active [THREADS] proctype client()
{
    byte item, answer, end, i;
    do
    :: CALL(enq, item);
       LOCK_ADDING;
       atomic { /* the tail stays as it is while we have the lock: `first` is what others write */
           end = tail;
           answer = OK;
           if
           :: USED(end) == WIDTH ->
               end = WORD((SEGMENT(end) + 1) % SEGMENTS, 0);
               if
               :: SEGMENT(end) == first -> answer = FULL; POINT(enq, FULL)
               :: else
               fi
           :: else
           fi
       };
       if
       :: answer == OK ->
           cell[SEGMENT(end) * WIDTH + USED(end)] = item;
           atomic { tail = end + 1; POINT(enq, OK) }
       :: else
       fi;
       adding = false;
       RET(enq, answer)
    :: CALL(deq, _);
       LOCK_REMOVING;
       atomic { /* `first` and `taken` are ours: the tail is what others write */
           end = tail;
           if
           :: first == SEGMENT(end) && taken == USED(end) -> item = NONE; POINT(deq, NONE)
           :: else -> select(i : 0 .. FACTOR); goto not_empty
           fi
       };
#if BUG == 1
       atomic { first = (first + 1) % SEGMENTS; taken = 0 };
#endif
       goto unlock;
not_empty:
       if
       :: taken == WIDTH -> atomic { first = (first + 1) % SEGMENTS; taken = 0 }
       :: else
       fi;
       do
       :: atomic {
              item = cell[first * WIDTH + i];
              if
              :: item == NONE -> i = (i + 1) % WIDTH
              :: else -> break
              fi
          }
       od;
       atomic { cell[first * WIDTH + i] = NONE; taken++; POINT(deq, item) };
unlock:
       removing = false;
       RET(deq, item)
    od
}
