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

void *first(void *unused)
{
    mine[0] = atomic_fetch_add(&next, 1);
    return unused;
}

void *second(void *unused)
{
    mine[1] = atomic_fetch_add(&next, 1);
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
