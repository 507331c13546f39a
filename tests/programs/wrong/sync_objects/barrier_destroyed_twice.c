/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: a barrier is destroyed twice */
#include <pthread.h>

static pthread_barrier_t o;

int main(void)
{
    pthread_barrier_init(&o, NULL, 1);
    pthread_barrier_wait(&o);
    pthread_barrier_destroy(&o);
    pthread_barrier_destroy(&o);
    return 0;
}
