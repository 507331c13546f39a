/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated destroy-in-use|misuse */
/* note: the waiter is inside, or comes after it is gone */
#include <pthread.h>

static pthread_barrier_t meet;

static void *waiter(void *arg)
{
    (void)arg;
    pthread_barrier_wait(&meet);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&meet, NULL, 2);
    pthread_create(&t, NULL, waiter, NULL);
    pthread_detach(t);
    pthread_barrier_destroy(&meet);
    return 0;
}
