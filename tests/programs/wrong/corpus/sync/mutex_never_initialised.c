/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse|uninitialised */
/* mode: all */
/* note: a mutex in a block of malloc is locked without having been initialised */
#include <pthread.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

int main(void)
{
    struct account *a = malloc(sizeof *a);
    pthread_mutex_lock(&a->lock);
    a->balance = 1;
    pthread_mutex_unlock(&a->lock);
    pthread_mutex_destroy(&a->lock);
    free(a);
    return 0;
}
