/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* mode: all */
/* note: one step too far over an array of variable length */
int length = 4, seen;

int main(void)
{
    int values[length];
    for (int i = 0; i <= length; i++)
        values[i] = i;
    seen = values[1];
    return 0;
}
