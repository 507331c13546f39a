/* SPDX-License-Identifier: Apache-2.0 */
/* A message and its flag. */
#include "sites.h"

static atomic_int ready;
static int message;

static void *send(void *p)
{
    message = 1;
    atomic_store_explicit(&ready, 1, A);
    return p;
}

static void *receive(void *p)
{
    if (atomic_load_explicit(&ready, B))
        assert(message == 1);
    return p;
}

int main(void)
{
    run(send, receive, NULL);
    return 0;
}
