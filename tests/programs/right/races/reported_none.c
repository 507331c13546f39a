/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --races=report */
/* note: atomic and plain accesses to the same bytes, always in order */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int value;

static void *write_it(void *arg)
{
    value = 1;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, write_it, NULL);
    if (atomic_load_explicit(&ready, memory_order_acquire))
        assert(value == 1);
    pthread_join(a, NULL);
    *(int *)&ready = 3;
    assert(value == 1 && ready == 3);
    return 0;
}
