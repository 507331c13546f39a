/* SPDX-License-Identifier: Apache-2.0 */
/* The first possible choice is taken, loops run through, and nothing is seen of what is in between. */
byte x, y;
active [2] proctype p()
{
    byte i;
    do
    :: d_step { x < 3 -> x++; for (i : 0 .. 2) { if :: i == x -> y = i :: else fi } }
    :: d_step { if :: x == 3 -> x = 0 :: x > 1 -> x = 1 fi; y = 0 }
    :: d_step { y > 0; do :: y > 0 -> y-- :: else -> break od }
    od
}
