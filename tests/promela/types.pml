/* SPDX-License-Identifier: Apache-2.0 */
/* Values are cut to the size of their variable, expressions are computed in 32 bits. */
byte b = 250; short s = 32767; int i; bit t; unsigned u : 3; bool f;
mtype = { red, green, blue };
mtype m = blue;
active [2] proctype p()
{
    b = b + 10; s = s + b; i = i * 7 + s - b; t = i & 1; u = u + 3;
    f = (i < 0 -> s > 0 : b == 4 || s == -32758); u = u << 1 | f;
    m = (m == red -> green : red); i = -(i % 5) ^ ~u; b = (b * b) / 3 % 11;
    if :: i > 100 || i < -100 -> i = i >> 3 & 15 :: else -> b = 3; s = b - 5; i = (s == -2) + !s fi
}
