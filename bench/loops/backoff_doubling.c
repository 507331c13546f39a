/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: race */
/* wrong-sc: holds */
/* wrong-tso: holds */
/* note: compare and set; the pauses double without limit */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WRONG
#define TAKE memory_order_relaxed
#else
#define TAKE memory_order_acquire
#endif

static atomic_int word;
static int counter;

static void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

static void lock(void)
{
    unsigned limit = 1;
    for (;;) {
        int expected = 0;
        if (atomic_compare_exchange_strong_explicit(&word, &expected, 1, TAKE, memory_order_relaxed))
            return;
        for (unsigned i = 0; i < limit; i++)
            relax();
        limit *= 2;
    }
}

static void *run(void *arg)
{
    lock();
    counter++;
    atomic_store_explicit(&word, 0, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, run, NULL);
    pthread_create(&two, NULL, run, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(counter == 2);
    return 0;
}
