/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* mode: all */
/* note: the eventcount reads its number after the test instead of before: a notification is lost */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int number, available;

static void *consumer(void *unused)
{
    (void)unused;
    while (1) {
        if (atomic_load(&available))
            break;
        int key = atomic_load(&number);
        syscall(SYS_futex, &number, FUTEX_WAIT_PRIVATE, key, NULL, NULL, 0);
    }
    return NULL;
}

static void *producer(void *unused)
{
    (void)unused;
    atomic_store(&available, 1);
    atomic_fetch_add(&number, 1);
    syscall(SYS_futex, &number, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, consumer, NULL);
    pthread_create(&t[1], NULL, producer, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
