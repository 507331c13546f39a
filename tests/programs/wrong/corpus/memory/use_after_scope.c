/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-return */
/* mode: all */
/* known-gcc: holds */
/* flags-plumb: -v */
/* named-gcc: lifetimes of variables */
/* note: the address of a variable in a block is used after the block */
int seen;

int main(void)
{
    int *volatile p;
    {
        int inner = 5;
        p = &inner;
        *p = 6;
    }
    seen = *p;
    return 0;
}
