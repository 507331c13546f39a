/* SPDX-License-Identifier: Apache-2.0 */
/* Choices within choices share their alternatives; jumps are steps only where a choice begins with one. */
byte x;
active proctype p()
{
    byte k;
    do
    :: if :: x == 0 -> x = 1 :: x == 1; k = 1 :: else -> x = 0 fi
    :: do :: x < 2 -> x++ :: k == 1 -> break od
    :: goto out
    :: { if :: k = 0 :: x == 2 -> break fi; k = 1 }
    od;
    x = 3;
out: select (k : 1 .. 4); x = k;
    select (k : x & 1 .. 2)
}
active proctype q() { if :: x == 2 -> skip :: else fi; end: x == 9 }
