/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags: -mcx16 */
/* note: two counters in 16 bytes, raised one by one and together */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

static union pair {
    unsigned __int128 whole;
    struct {
        uint64_t low, high;
    };
} pair;

static void *raise_low(void *arg)
{
    __atomic_fetch_add(&pair.low, 1, __ATOMIC_RELAXED);
    return arg;
}

static void *raise_high(void *arg)
{
    __atomic_fetch_add(&pair.high, 1, __ATOMIC_RELAXED);
    return arg;
}

static bool replace(union pair *old, union pair new)
{
#ifdef STORE
    __atomic_store_n(&pair.whole, new.whole, __ATOMIC_RELAXED);
    return old;
#else
    return __atomic_compare_exchange_n(&pair.whole, &old->whole, new.whole, false, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED);
#endif
}

int main(void)
{
    pthread_t low, high;
    pthread_create(&low, 0, raise_low, 0);
    pthread_create(&high, 0, raise_high, 0);
    union pair old = {.whole = __atomic_load_n(&pair.whole, __ATOMIC_RELAXED)}, new;
    do {
        new.low = old.low + 1;
        new.high = old.high + 1;
    } while (!replace(&old, new));
    pthread_join(low, 0);
    pthread_join(high, 0);
    assert(pair.low == 2 && pair.high == 2);
    return 0;
}
