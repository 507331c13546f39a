/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <assert.h>
extern void abort(void);
void reach_error(void)
{
    assert(0);
}

int count;

void __VERIFIER_atomic_add(int amount)
{
    count = count + amount;
}

void *add(void *unused)
{
    __VERIFIER_atomic_add(2);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (count != 4)
        reach_error();
    return 0;
}
