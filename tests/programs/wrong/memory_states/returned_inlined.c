/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-return */
/* The function is called once: a compiler that may inlines it, and its variable lives on in the frame of main. */
static int *kept;

static void keep(void)
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
