/* SPDX-License-Identifier: Apache-2.0 */
/* An address that the C library chooses, as a number. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
atomic_long s;
static void *f(void *x)
{
    void *p = fmemopen(0, 100, "w");
    atomic_store(&s, (long)p);
    atomic_load(&s);
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, f, 0);
    pthread_create(&b, 0, f, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
