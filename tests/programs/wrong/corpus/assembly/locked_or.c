/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert|race */
/* mode: all */
/* machine: x86-64 */
/* note: or with a register of the lock-free kind lost its prefix: a bit is lost */
#include <assert.h>
#include <pthread.h>

static unsigned bits;

static void set(unsigned mask)
{
    __asm__ volatile("orl %1, %0" : "+m"(bits) : "r"(mask) : "memory", "cc");
}

static void *one(void *unused)
{
    (void)unused;
    set(1);
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    set(2);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    unsigned value;
    pthread_create(&t[0], NULL, one, NULL);
    pthread_create(&t[1], NULL, two, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    __asm__ volatile("movl %1, %0" : "=r"(value) : "m"(bits));
    assert(value == 3);
    return 0;
}
