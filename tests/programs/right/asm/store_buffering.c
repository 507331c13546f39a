/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* note: three ways to spell a full fence */
#include "../../x86.h"

static uint32_t x[3], y[3], r1[3], r2[3];

static inline void fence(int way)
{
#ifdef BREAK_FENCE
    (void)way;
    fence_store();
    fence_load();
#else
    uint32_t local = 0;
    if (way == 0)
        fence_full();
    else if (way == 1)
        __asm__ __volatile__("lock; addl $0, 0(%%rsp)" : : : "memory", "cc");
    else
        swap_32(&local, 1);
#endif
}

#ifdef WAYS
#define EACH for (int k = 0; k < WAYS; k++)
#else
#define EACH for (int k = 0; k < 3; k++)
#endif

static void *one(void *arg)
{
    EACH
    {
        store_32(&x[k], 1);
        fence(k);
        r1[k] = load_32(&y[k]);
    }
    return arg;
}

static void *other(void *arg)
{
    EACH
    {
        store_32(&y[k], 1);
        fence(k);
        r2[k] = load_32(&x[k]);
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, one, NULL);
    other(NULL);
    pthread_join(t, NULL);
    EACH assert(r1[k] || r2[k]);
    return 0;
}
