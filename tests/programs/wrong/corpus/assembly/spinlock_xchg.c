/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* machine: x86-64 */
/* note: the lock is taken with mov instead of xchg: test and set are two steps */
#include <pthread.h>

static int lock, counter;

static int try_lock(void)
{
    int old = 1;
    int taken = old;
    __asm__ volatile("movl %1, %0" : "=r"(old) : "m"(lock) : "memory");
    __asm__ volatile("movl %1, %0" : "=m"(lock) : "r"(taken) : "memory");
    return old == 0;
}

static void unlock(void)
{
    __asm__ volatile("movl $0, %0" : "=m"(lock) : : "memory");
}

static void *worker(void *unused)
{
    (void)unused;
    if (try_lock()) {
        counter++;
        unlock();
    }
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, worker, NULL);
    pthread_create(&t[1], NULL, worker, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
