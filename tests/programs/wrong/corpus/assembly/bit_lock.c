/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* machine: x86-64 */
/* note: bts without the lock prefix takes one lock twice */
#include <pthread.h>

static unsigned flags;
static int counter;

static int try_lock(void)
{
    unsigned char was;
    __asm__ volatile("btsl $3, %1; setc %0" : "=q"(was), "+m"(flags) : : "memory", "cc");
    return !was;
}

static void *worker(void *unused)
{
    (void)unused;
    if (try_lock()) {
        counter++;
        __asm__ volatile("lock btrl $3, %0" : "+m"(flags) : : "memory", "cc");
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
