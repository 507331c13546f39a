/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* note: two members of a union share bytes: one thread writes the word, the other its first byte */
#include <pthread.h>
#include <stdint.h>

static union {
    uint32_t word;
    uint8_t bytes[8];
} cell;

static void *one(void *unused)
{
    (void)unused;
    cell.word = 1;
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    cell.bytes[3] = 2;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, one, NULL);
    pthread_create(&t[1], NULL, two, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
