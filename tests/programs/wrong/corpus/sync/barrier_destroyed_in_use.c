/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated destroy-in-use|misuse|deadlock */
/* mode: all */
/* note: the barrier is destroyed before everybody has come */
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
    pthread_t a, b;
    pthread_barrier_init(&meet, NULL, 2);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_barrier_destroy(&meet);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
