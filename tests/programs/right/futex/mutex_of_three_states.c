/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: 0 free, 1 held, 2 held with waiters; sleeps by the raw system call */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;
static int counter;

static void lock(void)
{
    int seen = 0;
    if (atomic_compare_exchange_strong(&word, &seen, 1))
        return;
    while (atomic_exchange(&word, 2) != 0)
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
}

static void unlock(void)
{
    if (atomic_exchange(&word, 0) == 2)
        syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *add(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2; i++) {
        lock();
        counter++;
        unlock();
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 4);
    return 0;
}
