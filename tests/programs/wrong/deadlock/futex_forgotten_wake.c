/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static void *setter(void *arg)
{
    (void)arg;
    atomic_store(&word, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, setter, NULL);
    while (atomic_load(&word) == 0)
        syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
    pthread_join(t, NULL);
    return 0;
}
