/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: a wait on another value returns at once with EAGAIN; a wake without waiters wakes nobody */
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word = 5;

static void *setter(void *arg)
{
    (void)arg;
    atomic_store(&word, 6);
    long woken = syscall(SYS_futex, &word, FUTEX_WAKE, 10, NULL, NULL, 0);
    assert(woken == 0 || woken == 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    assert(syscall(SYS_futex, &word, FUTEX_WAIT, 4, NULL, NULL, 0) == -1 && errno == EAGAIN);
    assert(syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0) == 0);
    pthread_create(&t, NULL, setter, NULL);
    while (atomic_load(&word) == 5)
        syscall(SYS_futex, &word, FUTEX_WAIT, 5, NULL, NULL, 0);
    pthread_join(t, NULL);
    return 0;
}
