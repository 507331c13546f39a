/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
extern void abort(void);
void reach_error(void)
{
    assert(0);
}

atomic_int arrived;
pthread_barrier_t both;

void *meet(void *unused)
{
    atomic_fetch_add(&arrived, 1);
    pthread_barrier_wait(&both);
    if (atomic_load(&arrived) != 2)
        reach_error();
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&both, 0, 2);
    pthread_create(&t, 0, meet, 0);
    meet(0);
    pthread_join(t, 0);
    return 0;
}
