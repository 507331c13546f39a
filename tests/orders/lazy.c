/* SPDX-License-Identifier: Apache-2.0 */
/* An object that is made when it is first asked for. */
#include "sites.h"

static _Atomic(int *) object;
static int cell;

static void *make(void *p)
{
    cell = 7;
    int *none = NULL;
    atomic_compare_exchange_strong_explicit(&object, &none, &cell, A, B);
    return p;
}

static void *use(void *p)
{
    int *o = atomic_load_explicit(&object, C);
    if (o)
        assert(*o == 7);
    return p;
}

int main(void)
{
    run(make, use, NULL);
    return 0;
}
