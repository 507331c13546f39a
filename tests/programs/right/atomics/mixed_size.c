/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: halves of a word written apart and read together */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static union {
    uint32_t word;
    uint16_t half[2];
} shared;

static void *low(void *arg)
{
    (void)arg;
    __atomic_store_n(&shared.half[0], 0x1111, __ATOMIC_SEQ_CST);
    return 0;
}

static void *high(void *arg)
{
    (void)arg;
    __atomic_store_n(&shared.half[1], 0x2222, __ATOMIC_SEQ_CST);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, low, 0);
    pthread_create(&b, 0, high, 0);
    uint32_t seen = __atomic_load_n(&shared.word, __ATOMIC_SEQ_CST);
    assert((seen & 0xffff) == 0 || (seen & 0xffff) == 0x1111);
    assert(seen >> 16 == 0 || seen >> 16 == 0x2222);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(__atomic_load_n(&shared.word, __ATOMIC_SEQ_CST) == 0x22221111u);
    return 0;
}
