/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated destroy-in-use */
/* mode: dfs */
/* note: the block is freed, or moved by realloc, while the mutex in it is locked */
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    pthread_mutex_t mutex;
};

#ifndef GIVE_BACK
#define GIVE_BACK(n) free(n)
#endif

int main(void)
{
    struct node *n = malloc(sizeof *n);
    pthread_mutex_init(&n->mutex, NULL);
    pthread_mutex_lock(&n->mutex);
#ifdef RIGHT
    pthread_mutex_unlock(&n->mutex);
    pthread_mutex_destroy(&n->mutex);
#endif
    GIVE_BACK(n);
    return 0;
}
