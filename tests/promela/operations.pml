/* SPDX-License-Identifier: Apache-2.0 */
/* A counter with two ways to add, as models are written. */
#include "plumb.pml"
#ifndef THREADS
#define THREADS 2
#endif
byte n;
active [THREADS] proctype client()
{
    byte x, y;
    do
    :: CALL(add, x); atomic { n = (n + x) % 5; POINT(add, OK) } RET(add, OK)
    :: CALL2(add_both, x, y); n = (n + x) % 5; n = (n + y) % 5; RET(add_both, OK)
    :: CALL(get, _); x = n; RET(get, x)
    od
}
