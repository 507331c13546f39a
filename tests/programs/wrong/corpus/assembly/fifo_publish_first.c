/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* machine: x86-64 */
/* note: the index is published before the slot is filled */
#include <pthread.h>

static int slot;
static unsigned tail;
int seen;

static void publish(void)
{
    __asm__ volatile("movl $1, %0" : "=m"(tail) : : "memory");
}

static void *producer(void *unused)
{
    (void)unused;
    publish();
    slot = 7;
    return NULL;
}

static void *consumer(void *unused)
{
    (void)unused;
    unsigned t;
    __asm__ volatile("movl %1, %0" : "=r"(t) : "m"(tail) : "memory");
    if (t)
        seen = slot;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, producer, NULL);
    pthread_create(&t[1], NULL, consumer, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
