/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word; /* 0 free, 1 held, 2 held and somebody waits */
static int counter;

static void *user(void *unused)
{
    (void)unused;
    int old = 0;
    if (!atomic_compare_exchange_strong(&word, &old, 1)) {
        while (atomic_exchange(&word, 2) != 0)
            syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
    }
    counter++;
    int state = atomic_exchange(&word, 0);
    if (state == 2)
        syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, user, NULL);
    pthread_create(&t[1], NULL, user, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
