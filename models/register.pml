/* SPDX-License-Identifier: Apache-2.0 */
/* A register. BUG 1: a write after the first puts back what was there before.
 *
 * refine: --spec register : holds
 * refine: --spec register --values free:2 : holds
 * refine: -D THREADS=3 --spec register : holds
 * refine: -D BUG=1 --spec register : violated
 */
#include "plumb.pml"

#ifndef THREADS
#define THREADS 2
#endif
#ifndef BUG
#define BUG 0
#endif

byte cell;

active [THREADS] proctype client()
{
    byte item;
#if BUG == 1
    byte before;
#endif
    do
    :: CALL(write, item);
#if BUG == 1
       before = cell;
       cell = item;
       if
       :: before != NONE -> cell = before
       :: else
       fi;
#else
       atomic { cell = item; POINT(write, OK) };
#endif
       RET(write, OK)
    :: CALL(read, _);
       atomic { item = cell; POINT(read, item) };
       RET(read, item)
    od
}
