/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: initialised and destroyed in heap memory that is used again */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static void *deposit(void *arg)
{
    struct account *a = arg;
    pthread_mutex_lock(&a->lock);
    a->balance += 5;
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

int main(void)
{
    for (int round = 0; round < 2; round++) {
        pthread_t t;
        struct account *a = malloc(sizeof *a);
        assert(pthread_mutex_init(&a->lock, NULL) == 0);
        a->balance = 0;
        pthread_create(&t, NULL, deposit, a);
        deposit(a);
        pthread_join(t, NULL);
        assert(a->balance == 10);
        assert(pthread_mutex_destroy(&a->lock) == 0);
        free(a);
    }
    return 0;
}
