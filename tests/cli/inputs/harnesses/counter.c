/* A counter that loses updates; -DSETUP=... is done in the set-up, -DNOISE=N after each operation. */
#include <plumb.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_long value, noise;

#ifndef SETUP
#define SETUP
#endif
#ifndef NOISE
#define NOISE 0
#endif

PLUMB_OBJECT(counter)
PLUMB_SETUP()
{
    SETUP;
}
PLUMB_OP(fetch_add, long, n)
{
    long old = atomic_load(&value);
    atomic_store(&value, old + n);
    for (int i = 0; i < NOISE; i++)
        atomic_fetch_add(&noise, 1);
    return PLUMB_INT(old);
}
