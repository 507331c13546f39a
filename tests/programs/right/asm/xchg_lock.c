/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* note: a lock in assembly; what it protects does not race */
#include <assert.h>
#include <pthread.h>

static int lock, counter;

static int swap(int *p, int v)
{
    __asm__ volatile("xchgl %0, %1" : "+r"(v), "+m"(*p) : : "memory");
    return v;
}

static void *add(void *arg)
{
    (void)arg;
    while (swap(&lock, 1))
        ;
    counter++;
    swap(&lock, 0);
    return 0;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, add, 0);
    add(0);
    pthread_join(a, 0);
    assert(counter == 2);
    return 0;
}
