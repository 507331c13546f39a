/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: free, held, held with waiters; a compare-and-exchange before each sleep */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int state;
static int counter;

static int compare(int expected, int wanted)
{
    atomic_compare_exchange_strong(&state, &expected, wanted);
    return expected;
}

static void lock(void)
{
    int c = compare(0, 1);
    if (c == 0)
        return;
    do {
        if (c == 2 || compare(1, 2) != 0)
            syscall(SYS_futex, &state, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
    } while ((c = compare(0, 2)) != 0);
}

static void unlock(void)
{
    if (atomic_fetch_sub(&state, 1) != 1) {
        atomic_store(&state, 0);
        syscall(SYS_futex, &state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    }
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
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(counter == 4);
    return 0;
}
