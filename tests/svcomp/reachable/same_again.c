/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
extern void abort(void);
void reach_error(void)
{
    assert(0);
}

atomic_int top = 1;
int next[3] = {0, 2, 0}; /* 1, then 2 */

void *pop(void *unused)
{
    int old = atomic_load(&top);
    int follower = next[old]; /* may be gone by now */
    if (atomic_compare_exchange_strong(&top, &old, follower) && follower == 2)
        if (next[0] == 9)
            reach_error();
    return unused;
}

void *change(void *unused)
{
    atomic_store(&top, 2); /* takes 1, */
    next[0] = 9;           /* uses up 2, */
    atomic_store(&top, 1); /* puts 1 back */
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, pop, 0);
    pthread_create(&b, 0, change, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
