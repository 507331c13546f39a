// SPDX-License-Identifier: Apache-2.0
// N threads put 4 words each into a hash table of 128 places.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#ifndef N
#define N 15
#endif
enum { SIZE = 128, EACH = 4 };
static atomic_int table[SIZE];

static void *insert(void *argument)
{
    int number = (int)(intptr_t)argument;
    for (int m = 1; m <= EACH; m++) {
        int word = m * 11 + number, h = word * 7 % SIZE, expected = 0;
        while (!atomic_compare_exchange_strong(&table[h], &expected, word)) {
            h = (h + 1) % SIZE;
            expected = 0;
        }
    }
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&t[i], NULL, insert, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
}
