/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* mode: all */
/* note: the loop runs one step too far over an array of the stack */
int main(void)
{
    int squares[4];
    for (volatile int i = 0; i <= 4; i++)
        squares[i] = i * i;
    return squares[0];
}
