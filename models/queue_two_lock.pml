/* SPDX-License-Identifier: Apache-2.0 */
/* The two-lock queue of Michael and Scott (1996): a list of nodes that starts with a spent one, a lock for its end and a
 * lock for its beginning. Each step is one access to memory that both sides use. Node 0 is null; spent nodes are used again
 * at once, which the locks make safe.
 *
 * BUG 1: removals do without their lock.
 * BUG 2: the tail is moved before the node is linked, and after the lock was given back.
 *
 * refine: --spec queue : holds
 * refine: -D THREADS=3 -D NODES=3 --spec queue : holds
 * refine: -D BUG=1 --spec queue : violated
 * refine: -D BUG=2 --spec queue : violated
 */
#include "plumb.pml"

#ifndef THREADS
#define THREADS 2
#endif
#ifndef NODES
#define NODES 4
#endif
#ifndef BUG
#define BUG 0
#endif

byte value[NODES + 1];
byte next[NODES + 1];
byte head = 1, tail = 1;
bool head_locked, tail_locked;

#if BUG == 1
#define LOCK_HEAD skip
#else
#define LOCK_HEAD atomic { !head_locked -> head_locked = true }
#endif

/* A node for the item: one that nobody uses has none and is not the spent one; 0: there is none. */
inline allocate(n, x)
{
    n = 1;
    do
    :: n <= NODES && (value[n] != NONE || n == head) -> n++
    :: else -> break
    od;
    if
    :: n > NODES -> n = 0; POINT(enq, FULL)
    :: else -> value[n] = x
    fi
}

active [THREADS] proctype client()
{
    byte item, node, after;
    do
    :: CALL(enq, item);
       atomic { allocate(node, item) };
       if
       :: node == 0 -> RET(enq, FULL)
       :: else ->
           atomic { !tail_locked -> tail_locked = true };
#if BUG == 2
           atomic { after = tail; tail = node };
           tail_locked = false;
           atomic { next[after] = node; POINT(enq, OK) };
#else
           atomic { next[tail] = node; POINT(enq, OK) };
           tail = node;
           tail_locked = false;
#endif
           RET(enq, OK)
       fi
    :: CALL(deq, _);
       LOCK_HEAD;
       atomic {
           after = next[head];
           item = value[after];
           POINT(deq, item)
       };
       if
       :: after != 0 -> atomic { value[after] = NONE; next[head] = 0; head = after }
       :: else
       fi;
       head_locked = false;
       RET(deq, item)
    od
}
