/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* tso: holds */
/* sc: holds */
/* note: sleeping in the kernel orders nothing: the load that ends the loop is relaxed */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int ready;
int data, copy;

static void *writer(void *arg)
{
    (void)arg;
    data = 1;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    syscall(SYS_futex, &ready, FUTEX_WAKE, 1, NULL, NULL, 0);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    while (!atomic_load_explicit(&ready, memory_order_relaxed))
        syscall(SYS_futex, &ready, FUTEX_WAIT, 0, NULL, NULL, 0);
    copy = data;
    pthread_join(t, NULL);
    return 0;
}
