/* SPDX-License-Identifier: Apache-2.0 */
/* Control is lost where an atomic sequence has to wait, kept by a jump into another, and given away at its end. */
byte x, y, z;
active proctype p()
{
    do
    :: atomic { x = 1; y == 1; x = 2; y = 0 }
    :: atomic { x = 3; goto inner }
    :: atomic { x = 4; if :: y = 1 :: y == 0 -> skip fi }; z = 1 - z
    :: break
    od;
    atomic { x = 5; inner: x = 6; z = 1; do :: z < 3 -> z++ :: else -> break od };
    x = 7
}
active proctype q()
{
    y = 1; y = 0; atomic { y = 1; x = 0 }
}
