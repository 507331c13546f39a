/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int seq;
static long value;
static void *writer(void *u)
{
    atomic_store_explicit(&seq, 1, memory_order_release);
    value = 1;
    atomic_store_explicit(&seq, 2, memory_order_release);
    return u;
}
static void *reader(void *u)
{
    long copy;
    if (!(atomic_load_explicit(&seq, memory_order_acquire) & 1))
        copy = value, (void)copy;
    return u;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
