/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
extern void abort(void);
void reach_error(void)
{
    assert(0);
}

atomic_int next;
int mine[2];

int take(void)
{
    int number = atomic_load(&next);
    atomic_store(&next, number + 1);
    return number;
}

void *first(void *unused)
{
    mine[0] = take();
    return unused;
}

void *second(void *unused)
{
    mine[1] = take();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (mine[0] == mine[1])
        reach_error();
    return 0;
}
