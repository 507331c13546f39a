/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* mode: all */
/* note: an array inside of a structure runs over into the next member */
static struct {
    int values[4];
    int sum;
} table;
int limit = 4;

int main(void)
{
    for (int i = 0; i <= limit; i++)
        table.values[i] = 1;
    return table.sum & 0;
}
