/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: dfs */
/* flags-plumb: --spurious */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_uint word;

static void *set(void *unused)
{
    atomic_store(&word, 1);
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, set, NULL);
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
    assert(atomic_load(&word) == 1);
    pthread_join(a, NULL);
}
