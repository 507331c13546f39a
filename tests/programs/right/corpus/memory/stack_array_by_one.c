/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
int main(void)
{
    int squares[4];
    for (volatile int i = 0; i < 4; i++)
        squares[i] = i * i;
    return squares[0];
}
