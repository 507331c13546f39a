/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: race */
/* wrong-sc: holds */
/* wrong-tso: holds */
/* note: yields every hundredth time, as many spin locks do */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#ifdef WRONG
#define FREE memory_order_relaxed
#else
#define FREE memory_order_release
#endif

static atomic_flag taken = ATOMIC_FLAG_INIT;
static int balance;

static void spin_lock(void)
{
    int n = 0;
    while (atomic_flag_test_and_set_explicit(&taken, memory_order_acquire))
        if (++n > 100) {
            sched_yield();
            n = 0;
        }
}

static void *deposit(void *arg)
{
    spin_lock();
    balance += 10;
    atomic_flag_clear_explicit(&taken, FREE);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, deposit, NULL);
    pthread_create(&two, NULL, deposit, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(balance == 20);
    return 0;
}
