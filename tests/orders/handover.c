/* SPDX-License-Identifier: Apache-2.0 */
/* A message that a third thread passes on. */
#include "sites.h"

static atomic_int first, second;
static int message;

static void *send(void *p)
{
    message = 1;
    atomic_store_explicit(&first, 1, A);
    return p;
}

static void *pass(void *p)
{
    if (atomic_load_explicit(&first, B))
        atomic_store_explicit(&second, 1, C);
    return p;
}

static void *receive(void *p)
{
    if (atomic_load_explicit(&second, D))
        assert(message == 1);
    return p;
}

int main(void)
{
    run(send, pass, receive);
    return 0;
}
