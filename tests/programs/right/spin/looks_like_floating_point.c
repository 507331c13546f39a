/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: no spin: the state that changes lives in a vector register */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int never;

static void *converge(void *arg)
{
    double x = *(double *)arg;
    while (!atomic_load(&never) && x > 1.0)
        x *= 0.5;
    assert(x <= 1.0);
    return NULL;
}

int main(void)
{
    pthread_t t;
    double start = 100.0;
    pthread_create(&t, NULL, converge, &start);
    pthread_join(t, NULL);
    return 0;
}
