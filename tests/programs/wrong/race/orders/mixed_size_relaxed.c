/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* sc: holds */
/* note: data published by a relaxed store of a word, of which a half is read; under sc every atomic is seq_cst */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static union {
    uint32_t word;
    uint16_t half[2];
} shared;
static int data;

static void *publish(void *arg)
{
    (void)arg;
    data = 1;
    __atomic_store_n(&shared.word, 0x10001, __ATOMIC_RELAXED);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, publish, 0);
    if (__atomic_load_n(&shared.half[1], __ATOMIC_RELAXED))
        assert(data == 1);
    pthread_join(t, 0);
    return 0;
}
