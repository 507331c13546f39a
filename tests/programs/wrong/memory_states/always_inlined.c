/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-return */
/* mode: all */
/* only: clang */
/* note: a function that is always inlined has no frame of its own */
static int *kept;

static inline __attribute__((always_inline)) void keep(void)
{
    int local = 3;
    kept = &local;
}

int main(void)
{
    keep();
    *kept = 4;
    return 0;
}
