/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* The system looks at the word before it puts a thread to sleep; the other thread writes there plainly meanwhile. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word = 1;

static void *clear(void *unused)
{
    word = 0;
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, clear, NULL);
    syscall(SYS_futex, &word, FUTEX_WAIT, 1, NULL, NULL, 0);
    pthread_join(t, NULL);
    return 0;
}
