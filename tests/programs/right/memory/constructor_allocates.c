/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: what a constructor allocated before main is there, unchanged, in every execution */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *table;
static pthread_mutex_t lock;

__attribute__((constructor)) static void prepare(void)
{
    table = malloc(100 * sizeof *table);
    for (int i = 0; i < 100; i++)
        table[i] = i;
    pthread_mutex_init(&lock, NULL);
}

static void *work(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    table[50]++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    assert(table[50] == 50 && table[99] == 99);
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    assert(table[50] == 52);
    free(table);
    return 0;
}
