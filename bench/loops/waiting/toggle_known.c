/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* expect-rc11: violated */
/* error: assert */
/* note: rounds after a release that another thread has seen, and before what it knows of the first one without being ordered after it: it may look at one of them late */
#include <stdatomic.h>
#include <threads.h>
#include <assert.h>
static atomic_int x, y, z, f;
static int toggler(void *u)
{
    atomic_store_explicit(&x, 0, memory_order_relaxed);
    atomic_store_explicit(&f, 1, memory_order_release);
    while (!atomic_load_explicit(&y, memory_order_relaxed)) {
        atomic_store_explicit(&x, 1, memory_order_relaxed);
        atomic_store_explicit(&x, 0, memory_order_relaxed);
    }
    atomic_store_explicit(&z, 1, memory_order_relaxed);
    return 0;
}
int main(void)
{
    thrd_t t;
    thrd_create(&t, toggler, 0);
    if (atomic_load_explicit(&f, memory_order_acquire)) {
        atomic_store_explicit(&y, 1, memory_order_relaxed);
        if (atomic_load_explicit(&z, memory_order_relaxed)) {
            int a = atomic_load_explicit(&x, memory_order_relaxed);
            assert(a != 1);
        }
    } else
        atomic_store_explicit(&y, 1, memory_order_relaxed);
    thrd_join(t, 0);
}
