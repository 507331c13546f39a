/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* note: a locked addition, which the compiler cannot announce */
#include <assert.h>
#include <pthread.h>

static int counter;

static int fetch_add(int *p, int by)
{
    __asm__ volatile("lock xaddl %0, %1" : "+r"(by), "+m"(*p) : : "memory");
    return by;
}

static void *add(void *arg)
{
    (void)arg;
    fetch_add(&counter, 1);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
