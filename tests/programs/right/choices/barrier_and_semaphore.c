/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* flags-plumb: --spurious */
/* note: nothing of this ever returns for no reason */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_barrier_t barrier;
static sem_t posted;
static int left, right;

static void *other(void *unused)
{
    right = 1;
    pthread_barrier_wait(&barrier);
    assert(left == 1);
    left = 2;
    sem_post(&posted);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_barrier_init(&barrier, NULL, 2);
    sem_init(&posted, 0, 0);
    pthread_create(&a, NULL, other, NULL);
    left = 1;
    pthread_barrier_wait(&barrier);
    assert(right == 1);
    sem_wait(&posted);
    assert(left == 2);
    pthread_join(a, NULL);
}
