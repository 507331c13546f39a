/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: deadlock|livelock|endless */
/* note: two accounts, locked in opposite order; the second one is only tried */
#include <assert.h>
#include <pthread.h>
#include <sched.h>

struct account {
    pthread_mutex_t lock;
    int money;
};

static struct account a = {PTHREAD_MUTEX_INITIALIZER, 10}, b = {PTHREAD_MUTEX_INITIALIZER, 10};

static void lock_both(struct account *first, struct account *second)
{
    for (;;) {
        pthread_mutex_lock(&first->lock);
        if (pthread_mutex_trylock(&second->lock) == 0)
            return;
#ifdef WRONG
        while (pthread_mutex_trylock(&second->lock) != 0)
            sched_yield();
        return;
#endif
        pthread_mutex_unlock(&first->lock);
        sched_yield();
    }
}

static void transfer(struct account *from, struct account *to, int amount)
{
    lock_both(from, to);
    from->money -= amount;
    to->money += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *there(void *arg)
{
    transfer(&a, &b, 5);
    return arg;
}

static void *back(void *arg)
{
    transfer(&b, &a, 3);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, there, NULL);
    pthread_create(&two, NULL, back, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(a.money == 8 && b.money == 12);
    return 0;
}
