/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: two half-word stores are not one word store */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static union {
    uint32_t word;
    uint16_t half[2];
} shared;

static void *writer(void *arg)
{
    (void)arg;
    __atomic_store_n(&shared.half[0], 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&shared.half[1], 1, __ATOMIC_SEQ_CST);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    uint32_t seen = __atomic_load_n(&shared.word, __ATOMIC_SEQ_CST);
    assert(seen == 0 || seen == 0x10001);
    pthread_join(t, 0);
    return 0;
}
