/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
extern void abort(void);
void reach_error(void)
{
    assert(0);
}

atomic_int held;
int inside;

void *enter(void *unused)
{
    while (atomic_exchange_explicit(&held, 1, memory_order_acquire))
        ;
    inside++;
    if (inside != 1)
        reach_error();
    inside--;
    atomic_store_explicit(&held, 0, memory_order_release);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, enter, 0);
    pthread_create(&b, 0, enter, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
