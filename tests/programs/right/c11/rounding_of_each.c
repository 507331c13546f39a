/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags: -lm */
/* machine: x86-64 */
/* note: rounding and flags of floating-point arithmetic are those of each thread, and each execution begins with the same. */
#include <assert.h>
#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int steps;

static void *divide(void *arg)
{
    volatile double third = 3;
    third = 1 / third;
    atomic_store(&steps, 1);
    fesetround(FE_UPWARD);
    atomic_store(&steps, 2);
    assert(fetestexcept(FE_INEXACT) && fegetround() == FE_UPWARD);
    return arg;
}

static void *look(void *arg)
{
    atomic_load(&steps);
    assert(!fetestexcept(FE_INEXACT) && fegetround() == FE_TONEAREST);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, divide, NULL);
    pthread_create(&two, NULL, look, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
