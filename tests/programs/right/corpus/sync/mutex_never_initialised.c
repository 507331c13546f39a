/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

int main(void)
{
    struct account *a = malloc(sizeof *a);
    pthread_mutex_init(&a->lock, NULL);
    pthread_mutex_lock(&a->lock);
    a->balance = 1;
    pthread_mutex_unlock(&a->lock);
    pthread_mutex_destroy(&a->lock);
    free(a);
    return 0;
}
