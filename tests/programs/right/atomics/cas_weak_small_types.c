/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: weak CAS in a loop on one and two bytes next to each other */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static struct {
    _Atomic uint8_t low, high;
    _Atomic uint16_t wide;
} cells;

static void *add(void *arg)
{
    (void)arg;
    uint8_t old = atomic_load_explicit(&cells.high, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&cells.high, &old, (uint8_t)(old + 3), memory_order_acq_rel,
                                                  memory_order_relaxed))
        ;
    uint16_t wide = 0;
    while (!atomic_compare_exchange_weak(&cells.wide, &wide, (uint16_t)(wide + 300)))
        ;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(cells.low == 0 && cells.high == 6 && cells.wide == 600);
    return 0;
}
