/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
int length = 4, seen;

int main(void)
{
    int values[length];
    for (int i = 0; i < length; i++)
        values[i] = i;
    seen = values[1];
    return 0;
}
