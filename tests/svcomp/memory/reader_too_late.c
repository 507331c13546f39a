/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdlib.h>

int *shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *look(void *unused)
{
    pthread_mutex_lock(&lock);
    int *own = shared;
    pthread_mutex_unlock(&lock);
    return own && *own ? unused : 0;
}

int main(void)
{
    pthread_t t;
    shared = calloc(1, sizeof *shared);
    pthread_create(&t, 0, look, 0);
    pthread_mutex_lock(&lock);
    free(shared);
    shared = 0;
    pthread_mutex_unlock(&lock);
    pthread_join(t, 0);
    return 0;
}
