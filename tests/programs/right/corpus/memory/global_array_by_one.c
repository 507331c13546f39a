/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
static int table[4] = {1, 2, 3, 4};
int limit = 4, sum;

int main(void)
{
    for (int i = 0; i < limit; i++)
        sum += table[i];
    return 0;
}
