/* SPDX-License-Identifier: Apache-2.0 */
/* A counter up to MOST, incremented by compare and swap; an increment beyond that waits forever. The model counts with its
 * arguments, so they are numbers from a small range and not items.
 *
 * BUG 1: increments read and write, and some are lost.
 *
 * refine: --spec counter --values free:2 : holds
 * refine: -D THREADS=3 -D MOST=3 --spec counter --values free:1 : holds
 * refine: --spec counter --values distinct : error
 * refine: -D BUG=1 --spec counter --values free:1 : violated
 */
#include "plumb.pml"

#ifndef THREADS
#define THREADS 2
#endif
#ifndef MOST
#define MOST 4
#endif
#ifndef BUG
#define BUG 0
#endif

byte count;

active [THREADS] proctype client()
{
    byte amount, seen;
    do
    :: CALL(add, amount);
       do
       :: atomic { count + amount <= MOST -> seen = count };
          atomic {
              if
              :: count == seen || BUG == 1 -> count = seen + amount; POINT(add, OK); break
              :: else
              fi
          }
       od;
       RET(add, OK)
    :: CALL(get, _);
       atomic { seen = count; POINT(get, seen) };
       RET(get, seen)
    od
}
