/* A word and its halves, as atomics. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static union {
    _Atomic uint64_t whole;
    _Atomic uint32_t half[2];
} word;

static void *set(void *unused)
{
    (void)unused;
    atomic_store(&word.half[0], 1);
    atomic_store(&word.half[1], 1);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    uint64_t seen = atomic_load(&word.whole);
#ifdef ORDERED
    assert(seen != UINT64_C(1) << 32);
#else
    assert(seen == 0 || seen == (UINT64_C(1) << 32 | 1));
#endif
    pthread_join(t, 0);
}
