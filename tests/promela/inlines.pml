/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments are put in as they are written; labels and variables of an inline are its own at every call. */
byte lock, x, y;
inline acquire(l) { atomic { l == 0 -> l = 1 } }
inline release(l) { l = 0 }
inline exchange(a, b)
{
    byte old;
    old = a;
    a = b;
    b = old
}
inline until(condition, v)
{
    v = v;
retry:
    if :: condition :: else -> v = (v + 1) % 3; goto retry fi
}
active [2] proctype p()
{
    do
    :: acquire(lock); exchange(x, y); until(x == 2 || y == 1, x); release(lock)
    :: acquire(lock); until((x + 1) % 3 == y, y); release(lock)
    od
}
