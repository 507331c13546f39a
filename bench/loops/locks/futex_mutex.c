/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: deadlock */
/* note: a mutex of three states over futexes; wrong: a waiter that was woken forgets that there may be others */
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { UNLOCKED, LOCKED, CONTENDED };

static atomic_int word;
static int counter;

static void lock(void)
{
    int c = UNLOCKED;
    if (atomic_compare_exchange_strong(&word, &c, LOCKED))
        return;
#ifdef WRONG
    for (c = UNLOCKED; !atomic_compare_exchange_strong(&word, &c, LOCKED); c = UNLOCKED) {
        if (c == CONTENDED || atomic_compare_exchange_strong(&word, &c, CONTENDED))
            syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, CONTENDED, NULL, NULL, 0);
    }
#else
    if (c != CONTENDED)
        c = atomic_exchange(&word, CONTENDED);
    while (c != UNLOCKED) {
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, CONTENDED, NULL, NULL, 0);
        c = atomic_exchange(&word, CONTENDED);
    }
#endif
}

static void unlock(void)
{
    if (atomic_exchange(&word, UNLOCKED) == CONTENDED)
        syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *run(void *arg)
{
    lock();
    counter++;
    unlock();
    return arg;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 3);
    return 0;
}
