/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-return */
/* mode: all */
/* known-gcc: holds */
/* flags-plumb: -v */
/* named-gcc: lifetimes of variables */
/* note: a variable of a loop's body, of the round before */
static void look(const int *number)
{
    static const int *last;
    if (last)
        (void)(*last + *number);
    last = number;
}

int main(void)
{
    for (int round = 0; round < 2; round++) {
        if (round == 0) {
            int own = round;
            look(&own);
        }
    }
    int other = 1;
    look(&other);
    return 0;
}
