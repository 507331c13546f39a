/* SPDX-License-Identifier: Apache-2.0 */
/* The lock-free queue of Michael and Scott (1996). Each step is one access to shared memory. A node is used again when
 * nobody holds a reference to it (`refs` stands for a collector of garbage, or hazard pointers); node 0 is null.
 *
 * BUG 1: the node is linked without looking whether the one before is still the last.
 * BUG 2: spent nodes are used again although somebody may hold a reference to them.
 *
 * refine: -D NODES=2 --spec queue : holds
 * refine: --spec queue : holds
 * refine: -D BUG=1 --spec queue : violated
 * refine: -D BUG=2 --spec queue : violated
 */
#include "plumb.pml"

#ifndef THREADS
#define THREADS 2
#endif
#ifndef NODES
#define NODES 3
#endif
#ifndef BUG
#define BUG 0
#endif

byte value[NODES + 1];
byte next[NODES + 1];
byte refs[NODES + 1];
byte head = 1, tail = 1;

#if BUG == 2
#define HELD(n) false
#else
#define HELD(n) (refs[n] > 0)
#endif

/* A node for the item: one that nobody uses has none and is not the spent one; 0: there is none. */
inline allocate(n, x)
{
    n = 1;
    do
    :: n <= NODES && (value[n] != NONE || HELD(n) || n == head) -> n++
    :: else -> break
    od;
    if
    :: n > NODES -> n = 0; POINT(enq, FULL)
    :: else -> value[n] = x; next[n] = 0
    fi
}

inline hold(n, place)
{
    n = place;
    refs[n]++
}

/* What a spent node points to is forgotten with the last reference. */
inline drop(n)
{
    refs[n]--;
    if
    :: refs[n] == 0 && value[n] == NONE && n != head -> next[n] = 0
    :: else
    fi
}

/* The tail is moved on, unless somebody did it already. */
inline move_tail(from, to)
{
    if
    :: tail == from -> tail = to
    :: else
    fi;
    drop(from)
}

active [THREADS] proctype client()
{
    byte item, node, end, after;
    do
    :: CALL(enq, item);
       atomic { allocate(node, item) };
       if
       :: node == 0 -> RET(enq, FULL)
       :: else ->
           do
           :: atomic { hold(end, tail) };
              after = next[end];
              if
              :: after != 0 -> atomic { move_tail(end, after) }
              :: else -> atomic {
                     if
#if BUG != 1
                     :: next[end] != 0 -> drop(end)
#endif
                     :: next[end] == 0 || BUG == 1 -> next[end] = node; POINT(enq, OK); break
                     fi
                 }
              fi
           od;
           atomic { move_tail(end, node) };
           RET(enq, OK)
       fi
    :: CALL(deq, _);
       do
       :: atomic { hold(node, head) };
          end = tail;
          atomic {
              after = next[node];
              if
              :: after == 0 -> item = NONE; POINT(deq, NONE); drop(node); break
              :: else
              fi
          };
          if
          :: node == end -> atomic { move_tail(node, after) }
          :: else ->
              item = value[after];
              atomic {
                  if
                  :: head == node -> head = after; value[after] = NONE; POINT(deq, item); drop(node); break
                  :: else -> drop(node)
                  fi
              }
          fi
       od;
       RET(deq, item)
    od
}
