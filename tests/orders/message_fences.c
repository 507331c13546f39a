/* SPDX-License-Identifier: Apache-2.0 */
/* A message with fences around relaxed accesses of the flag. */
#include "sites.h"

static atomic_int ready;
static int message;

static void *send(void *p)
{
    message = 1;
    atomic_thread_fence(A);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return p;
}

static void *receive(void *p)
{
    if (atomic_load_explicit(&ready, memory_order_relaxed)) {
        atomic_thread_fence(B);
        assert(message == 1);
    }
    return p;
}

int main(void)
{
    run(send, receive, NULL);
    return 0;
}
