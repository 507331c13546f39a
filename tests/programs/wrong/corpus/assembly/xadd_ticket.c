/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|deadlock */
/* mode: all */
/* machine: x86-64 */
/* note: the ticket is taken with xadd without the lock prefix */
#include <pthread.h>

static unsigned next, owner;
static int counter;

static unsigned take(void)
{
    unsigned one = 1;
    __asm__ volatile("xaddl %0, %1" : "+r"(one), "+m"(next) : : "memory", "cc");
    return one;
}

static unsigned now_serving(void)
{
    unsigned value;
    __asm__ volatile("movl %1, %0" : "=r"(value) : "m"(owner) : "memory");
    return value;
}

static void *worker(void *unused)
{
    (void)unused;
    unsigned mine = take();
    while (now_serving() != mine)
        __asm__ volatile("pause");
    counter++;
    __asm__ volatile("movl %1, %0" : "=m"(owner) : "r"(mine + 1) : "memory");
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
