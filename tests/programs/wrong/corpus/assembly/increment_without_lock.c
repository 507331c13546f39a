/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert|race */
/* mode: all */
/* machine: x86-64 */
/* note: inc without the lock prefix is a load and a store */
#include <assert.h>
#include <pthread.h>

static int counter;

static void *worker(void *unused)
{
    (void)unused;
    __asm__ volatile("incl %0" : "+m"(counter) : : "memory", "cc");
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int value;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    __asm__ volatile("movl %1, %0" : "=r"(value) : "m"(counter));
    assert(value == 2);
    return 0;
}
