/* SPDX-License-Identifier: Apache-2.0 */
/* A constructor starts a thread. */
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int val, noise;
static void *spin(void *p)
{
    (void)p;
    for (;;)
        atomic_fetch_add(&noise, 1);
    return 0;
}
__attribute__((constructor)) static void start(void)
{
    pthread_t t;
    pthread_create(&t, 0, spin, 0);
}
PLUMB_OBJECT(register)
PLUMB_OP(write, int, v)
{
    atomic_store(&val, v);
    return PLUMB_OK;
}
PLUMB_OP(read)
{
    return PLUMB_INT(atomic_load(&val));
}
