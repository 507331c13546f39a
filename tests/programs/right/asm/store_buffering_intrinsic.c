/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* machine: x86-64 */
/* note: the fence is an intrinsic, which becomes an instruction without inline assembly */
#include <assert.h>
#include <emmintrin.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int seen_x, seen_y;

static void *one(void *arg)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    _mm_mfence();
    seen_y = atomic_load_explicit(&y, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, one, NULL);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    _mm_mfence();
    seen_x = atomic_load_explicit(&x, memory_order_relaxed);
    pthread_join(t, NULL);
    assert(seen_x || seen_y);
    return 0;
}
