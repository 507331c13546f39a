/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* mode: dfs */
/* note: a woken thread takes the lock as if nobody else slept */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int state;

static void lock(void)
{
    int seen = 0;
    while (!atomic_compare_exchange_strong(&state, &seen, 1)) {
        if (seen == 2 || atomic_compare_exchange_strong(&state, &(int){1}, 2))
            syscall(SYS_futex, &state, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
        seen = 0;
    }
}

static void unlock(void)
{
    if (atomic_exchange(&state, 0) == 2)
        syscall(SYS_futex, &state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *add(void *arg)
{
    lock();
    unlock();
    return arg;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, add, NULL);
    add(NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
