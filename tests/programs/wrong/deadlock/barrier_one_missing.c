/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
#include <pthread.h>

static pthread_barrier_t meet;

static void *arrive(void *arg)
{
    (void)arg;
    pthread_barrier_wait(&meet);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_barrier_init(&meet, NULL, 3);
    pthread_create(&a, NULL, arrive, NULL);
    pthread_create(&b, NULL, arrive, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
