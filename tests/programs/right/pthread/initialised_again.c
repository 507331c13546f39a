/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: an object that is destroyed and initialised again begins anew */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t tokens;
static pthread_barrier_t meeting;
static int shared;

static void *meet(void *argument)
{
    if (*(int *)argument)
        shared++;
    pthread_barrier_wait(&meeting);
    return NULL;
}

static void meet_twice(void)
{
    for (int writes = 0; writes < 2; writes++) {
        pthread_t other;
        pthread_barrier_init(&meeting, NULL, 2);
        pthread_create(&other, NULL, meet, &writes);
        pthread_barrier_wait(&meeting);
        assert(shared == writes);
        pthread_join(other, NULL);
        pthread_barrier_destroy(&meeting);
    }
}

int main(void)
{
    int left;
    for (unsigned start = 1; start < 4; start += 2) {
        sem_init(&tokens, 0, start);
        sem_wait(&tokens);
        sem_getvalue(&tokens, &left);
        assert(left == (int)start - 1);
        sem_destroy(&tokens);
    }
    meet_twice();
}
