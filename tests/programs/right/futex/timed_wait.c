/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: nobody wakes it: the relative time-out must strike */
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int word;

static void *sleeper(void *arg)
{
    (void)arg;
    struct timespec brief = {.tv_nsec = 1000000};
    long result = syscall(SYS_futex, &word, FUTEX_WAIT, 0, &brief, NULL, 0);
    assert(result == 0 || errno == ETIMEDOUT || errno == EINTR);
    atomic_store(&word, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sleeper, NULL);
    pthread_join(t, NULL);
    assert(atomic_load(&word) == 1);
    return 0;
}
