/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: tries a few times before it sleeps */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic unsigned state;
static int counter;

static long futex(int operation, unsigned value)
{
    return syscall(SYS_futex, &state, operation, value, NULL, NULL, 0);
}

static void lock(void)
{
    for (int i = 0; i < 4; i++) {
        unsigned seen = 0;
        if (atomic_compare_exchange_weak_explicit(&state, &seen, 1, memory_order_acquire,
                                                  memory_order_relaxed))
            return;
        if (seen == 2)
            break;
    }
    while (atomic_exchange_explicit(&state, 2, memory_order_acquire) != 0)
        futex(FUTEX_WAIT_PRIVATE, 2);
}

static void unlock(void)
{
    if (atomic_exchange_explicit(&state, 0, memory_order_release) == 2)
        futex(FUTEX_WAKE_PRIVATE, 1);
}

static void *add(void *arg)
{
    for (int i = 0; i < 2; i++) {
        lock();
        counter++;
        unlock();
    }
    return arg;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(counter == 4);
    return 0;
}
