/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* flags-plumb: --reuse */
/* note: atomics and synchronization objects in a block that is given out again have nothing to do with the old ones */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

struct block {
    pthread_mutex_t lock;
    sem_t tokens;
    atomic_int count;
};

static void *use(void *argument)
{
    int start = *(int *)argument, left;
    struct block *b = malloc(sizeof *b);
    pthread_mutex_init(&b->lock, NULL);
    sem_init(&b->tokens, 0, (unsigned)start);
    atomic_init(&b->count, start);
    pthread_mutex_lock(&b->lock);
    sem_wait(&b->tokens);
    sem_getvalue(&b->tokens, &left);
    assert(left == start - 1);
    assert(atomic_fetch_add(&b->count, 5) == start);
    pthread_mutex_unlock(&b->lock);
    free(b);
    return NULL;
}

int main(void)
{
    pthread_t other;
    static int one = 1, three = 3;
    pthread_create(&other, NULL, use, &one);
    use(&three);
    pthread_join(other, NULL);
}
