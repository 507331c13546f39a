/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* sc: holds */
/* machine: x86-64 */
/* note: store buffering: mfence is missing on one side */
#include <assert.h>
#include <pthread.h>

static int x, y, a, b;

static void store(int *p)
{
    __asm__ volatile("movl $1, %0" : "=m"(*p) : : "memory");
}

static int load(int *p)
{
    int value;
    __asm__ volatile("movl %1, %0" : "=r"(value) : "m"(*p) : "memory");
    return value;
}

static void *one(void *unused)
{
    (void)unused;
    store(&x);
    __asm__ volatile("mfence" : : : "memory");
    a = load(&y);
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    store(&y);
    b = load(&x);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, one, NULL);
    pthread_create(&t[1], NULL, two, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(a || b);
    return 0;
}
