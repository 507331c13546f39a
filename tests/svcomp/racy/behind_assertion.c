/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
extern void abort(void);
void reach_error(void)
{
    assert(0);
}

atomic_int turn;
int count;

void *add(void *unused)
{
    if (atomic_fetch_add(&turn, 1) == 0)
        reach_error(); /* met first, and not what is asked for */
    count++;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    count++;
    return 0;
}
