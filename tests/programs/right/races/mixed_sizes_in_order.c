/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --races=allow */
/* note: bytes, halves and the whole, but one thread at a time */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static union {
    long whole;
    int halves[2];
    char bytes[8];
} shared;

static void *work(void *arg)
{
    long sum = 0;
    pthread_mutex_lock(&lock);
    shared.whole = 0x0101010101010101;
    shared.halves[0] += 0x01010101;
    shared.bytes[7]++;
    for (int i = 0; i < 8; i++)
        sum += shared.bytes[i];
    assert(sum == 13 && memchr(shared.bytes, 2, 8) == shared.bytes);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(shared.whole == 0x0201010102020202);
    return 0;
}
