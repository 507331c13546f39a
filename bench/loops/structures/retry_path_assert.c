/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: assert */
/* note: a balance is changed by compare-and-exchange; wrong: the retry believes that balances only grow */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int balance = 10;

static bool withdraw(int amount)
{
    int old = atomic_load(&balance), first = old;
    (void)first;
    while (old >= amount) {
        if (atomic_compare_exchange_weak(&balance, &old, old - amount))
            return true;
#ifdef WRONG
        assert(old >= first);
#endif
    }
    return false;
}

static void *spend(void *arg)
{
    return withdraw(6) ? arg : NULL;
}

int main(void)
{
    pthread_t one, two;
    void *a, *b;
    pthread_create(&one, NULL, spend, &balance);
    pthread_create(&two, NULL, spend, &balance);
    pthread_join(one, &a);
    pthread_join(two, &b);
    assert((a != NULL) + (b != NULL) == 1);
    assert(atomic_load(&balance) == 4);
    return 0;
}
