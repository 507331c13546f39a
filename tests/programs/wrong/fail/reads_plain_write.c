/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* What the atomic load finds was written plainly, after an atomic store: the recorded execution has to name that write. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int go, value;

static void *reader(void *arg)
{
    if (atomic_load_explicit(&go, memory_order_acquire)) {
        int got = atomic_load_explicit(&value, memory_order_relaxed);
        assert(got != 7);
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    atomic_store_explicit(&value, 3, memory_order_relaxed);
    *(int *)&value = 7;
    atomic_store_explicit(&go, 1, memory_order_release);
    pthread_join(t, NULL);
    return 0;
}
