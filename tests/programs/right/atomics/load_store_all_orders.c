/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: every legal order of loads and stores, all sizes */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static _Atomic uint8_t a;
static _Atomic uint16_t b;
static _Atomic uint32_t c;
static _Atomic uint64_t d;

static void *writer(void *arg)
{
    (void)arg;
    atomic_store_explicit(&a, 1, memory_order_relaxed);
    atomic_store_explicit(&b, 0x0102, memory_order_release);
    atomic_store_explicit(&c, 0x01020304u, memory_order_seq_cst);
    atomic_store(&d, 0x0102030405060708u);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    uint64_t last = atomic_load_explicit(&d, memory_order_seq_cst);
    uint32_t third = atomic_load_explicit(&c, memory_order_acquire);
    uint16_t second = atomic_load_explicit(&b, memory_order_acquire);
    uint8_t first = atomic_load_explicit(&a, memory_order_relaxed);
    assert(last == 0 || last == 0x0102030405060708u);
    assert(third == 0 || third == 0x01020304u);
    assert(!last || third);
    assert(!third || second == 0x0102);
    assert(!second || first == 1);
    pthread_join(t, NULL);
    return 0;
}
