/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated crash */
/* note: for nothing */
static __attribute__((noinline)) void look(int *p)
{
    int unused = *p;
    (void)unused;
}

int main(void)
{
    look((int *)0);
    return 0;
}
