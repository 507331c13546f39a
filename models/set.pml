/* SPDX-License-Identifier: Apache-2.0 */
/* A set of the keys 1 .. KEYS, one flag for each. The model uses its arguments as indices, so they are numbers from a small
 * range and not items.
 *
 * BUG 1: an addition looks and writes in two steps, so that two of them can succeed.
 *
 * refine: --spec set --values free:2 : holds
 * refine: -D THREADS=3 --spec set --values free:1 : holds
 * refine: --spec set --values free:3 : violated
 * refine: --spec set --values distinct : error
 * refine: -D BUG=1 --spec set --values free:1 : violated
 */
#include "plumb.pml"

#ifndef THREADS
#define THREADS 2
#endif
#ifndef KEYS
#define KEYS 2
#endif
#ifndef BUG
#define BUG 0
#endif

bool present[KEYS + 1];

active [THREADS] proctype client()
{
    byte key;
    bool before;
    do
    :: CALL(add, key);
#if BUG == 1
       before = present[key];
       present[key] = true;
#else
       atomic { before = present[key]; present[key] = true; POINT(add, !before) };
#endif
       RET(add, !before)
    :: CALL(remove, key);
       atomic { before = present[key]; present[key] = false; POINT(remove, before) };
       RET(remove, before)
    :: CALL(contains, key);
       atomic { before = present[key]; POINT(contains, before) };
       RET(contains, before)
    od
}
