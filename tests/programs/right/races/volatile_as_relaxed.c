/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --volatile=relaxed */
/* note: all that is shared is volatile, or protected by the lock that volatile and fences make */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static volatile int ready, hint;
static int value;

static void *write_it(void *arg)
{
    hint = 1;
    value = 7;
    atomic_thread_fence(memory_order_release);
    ready = 1;
    return arg;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, write_it, NULL);
    int seen = hint;
    while (!ready)
        ;
    atomic_thread_fence(memory_order_acquire);
    assert(value == 7 && (seen == 0 || seen == 1));
    pthread_join(a, NULL);
    return 0;
}
