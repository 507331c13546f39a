/* SPDX-License-Identifier: Apache-2.0 */
/* Treiber's stack (1986). Each step is one access to shared memory. A node is used again when nobody holds a reference to
 * it (`refs` stands for a collector of garbage, or hazard pointers); node 0 is null.
 *
 * BUG 1: nodes are used again although somebody may hold a reference to them (the ABA problem).
 * BUG 2: a removal does not look whether the top is still the same.
 *
 * refine: --spec stack : holds
 * refine: -D THREADS=3 -D NODES=2 --spec stack : holds
 * refine: -D BUG=1 --spec stack : violated
 * refine: -D BUG=2 --spec stack : violated
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
byte top;

#if BUG == 1
#define HELD(n) false
#else
#define HELD(n) (refs[n] > 0)
#endif

/* A node for the item: one that nobody uses has none; 0: there is none. */
inline allocate(n, x)
{
    n = 1;
    do
    :: n <= NODES && (value[n] != NONE || HELD(n)) -> n++
    :: else -> break
    od;
    if
    :: n > NODES -> n = 0; POINT(push, FULL)
    :: else -> value[n] = x
    fi
}

active [THREADS] proctype client()
{
    byte item, node, after;
    do
    :: CALL(push, item);
       atomic { allocate(node, item) };
       if
       :: node == 0 -> RET(push, FULL)
       :: else ->
           do
           :: next[node] = top;
              atomic {
                  if
                  :: top == next[node] -> top = node; POINT(push, OK); break
                  :: else
                  fi
              }
           od;
           RET(push, OK)
       fi
    :: CALL(pop, _);
       do
       :: atomic {
              node = top;
              if
              :: node == 0 -> item = NONE; POINT(pop, NONE); break
              :: else -> refs[node]++
              fi
          };
          after = next[node];
          atomic {
              refs[node]--;
              if
              :: top == node || BUG == 2 ->
                  top = after;
                  item = value[node];
                  value[node] = NONE;
                  next[node] = 0;
                  POINT(pop, item);
                  break
              :: else
              fi
          }
       od;
       RET(pop, item)
    od
}
