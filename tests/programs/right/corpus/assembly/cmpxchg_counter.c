/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* machine: x86-64 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int counter;

static int cas(int old, int fresh)
{
    unsigned char won;
    __asm__ volatile("lock cmpxchgl %3, %1; sete %0"
                     : "=q"(won), "+m"(counter), "+a"(old)
                     : "r"(fresh)
                     : "memory", "cc");
    return won;
}

static int load(void)
{
    int value;
    __asm__ volatile("movl %1, %0" : "=r"(value) : "m"(counter) : "memory");
    return value;
}

static void *worker(void *unused)
{
    (void)unused;
    int old;
    do
        old = load();
    while (!cas(old, old + 1));
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(load() == 2);
    return 0;
}
