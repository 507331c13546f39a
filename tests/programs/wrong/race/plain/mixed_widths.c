/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: a byte write into a word that another thread reads */
#include <pthread.h>
#include <stdint.h>

union {
    uint64_t word;
    uint8_t byte[8];
} shared;
uint64_t copy;

static void *writer(void *arg)
{
    (void)arg;
    shared.byte[5] = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    copy = shared.word;
    pthread_join(t, NULL);
    return 0;
}
