/* SPDX-License-Identifier: Apache-2.0 */
/* An update in the middle of a release sequence. */
#include "sites.h"

static atomic_int flag;
static int message;

static void *send(void *p)
{
    message = 1;
    atomic_store_explicit(&flag, 1, A);
    return p;
}

static void *add(void *p)
{
    atomic_fetch_add_explicit(&flag, 2, B);
    return p;
}

static void *receive(void *p)
{
    if (atomic_load_explicit(&flag, C) == 3)
        assert(message == 1);
    return p;
}

int main(void)
{
    run(send, add, receive);
    return 0;
}
