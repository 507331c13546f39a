/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free */
/* note: a pointer into the old table outlives it */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int *table;

static void *grow(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    int *other = malloc(1 << 16);
    other[0] = table[0];
    free(table);
    table = other;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    table = calloc(4, sizeof *table);
    int *first = &table[0];
    pthread_create(&t, NULL, grow, NULL);
    pthread_mutex_lock(&lock);
    *first += 1;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    free(table);
    return 0;
}
