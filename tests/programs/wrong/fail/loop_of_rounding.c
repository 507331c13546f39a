/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated runaway */
/* machine: x86-64 */
/* note: 1e17 + 1 is 1e17: only a floating-point register could change, and it does not */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static volatile double start = 1e17;

static void *work(void *arg)
{
    (void)arg;
    double x = start;
    if (atomic_load(&ready))
        while (x < 1e18)
            x += 1;
    return x > 0 ? arg : NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    atomic_store(&ready, 1);
    pthread_join(t, NULL);
    return 0;
}
