/* SPDX-License-Identifier: Apache-2.0 */
/* A message through an update or a store. */
#include "sites.h"

static atomic_int flag;
static int message;

static void *send(void *p)
{
    message = 1;
    atomic_fetch_or_explicit(&flag, 1, A);
    return p;
}

static void *receive(void *p)
{
    if (atomic_fetch_and_explicit(&flag, 3, B) & 1)
        assert(message == 1);
    return p;
}

int main(void)
{
    run(send, receive, NULL);
    return 0;
}
