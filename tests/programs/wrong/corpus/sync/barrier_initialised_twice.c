/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse|destroy-in-use */
/* mode: all */
/* note: a barrier that is in use is initialised again */
#include <pthread.h>

static pthread_barrier_t meet;

static void *worker(void *unused)
{
    (void)unused;
    pthread_barrier_wait(&meet);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&meet, NULL, 2);
    pthread_barrier_init(&meet, NULL, 2);
    pthread_create(&t, NULL, worker, NULL);
    pthread_barrier_wait(&meet);
    pthread_join(t, NULL);
    pthread_barrier_destroy(&meet);
    return 0;
}
