/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: who has passed it may destroy it */
#include <pthread.h>

static pthread_barrier_t b;

static void *work(void *arg)
{
    pthread_barrier_wait(&b);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&b, NULL, 2);
    pthread_create(&t, NULL, work, NULL);
    pthread_barrier_wait(&b);
    pthread_barrier_destroy(&b);
    pthread_join(t, NULL);
    return 0;
}
