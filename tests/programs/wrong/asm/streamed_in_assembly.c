/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* machine: x86-64 */
/* known: holds */
/* named: the order of non-temporal stores at */
/* note: the processor may do the first store after the second one; sfence is missing */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_int ready;

static void *sender(void *arg)
{
    __asm__ volatile("movnti %1, %0" : "=m"(message) : "r"(1) : "memory");
    atomic_store_explicit(&ready, 1, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sender, NULL);
    if (atomic_load_explicit(&ready, memory_order_acquire))
        assert(message == 1);
    pthread_join(t, NULL);
    return 0;
}
