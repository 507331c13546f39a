/* SPDX-License-Identifier: Apache-2.0 */
/* Everything atomic that a compiler turns into calls with -fsanitize=thread, linked with libplumb-noise: does it do what it says? */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

extern _Atomic uint32_t plumb_noise_percent;

static int failures;

static void expect(bool holds, const char *what)
{
    if (holds)
        return;
    printf("wrong: %s\n", what);
    failures++;
}

#define EXPECT(condition) expect(condition, #condition)

#define TRY_TYPE(type, name)                                                                          \
    static void try_##name(void)                                                                      \
    {                                                                                                 \
        static const memory_order orders[] = {memory_order_relaxed, memory_order_acquire,             \
                                              memory_order_release, memory_order_acq_rel,             \
                                              memory_order_seq_cst};                                  \
        static _Atomic type x;                                                                        \
        for (int i = 0; i < 5; i++) {                                                                 \
            memory_order order = orders[i];                                                           \
            type e = 3;                                                                               \
            atomic_store_explicit(&x, 6, i == 0 ? order : memory_order_release);                      \
            EXPECT(atomic_fetch_add_explicit(&x, 4, order) == 6);                                     \
            EXPECT(atomic_fetch_sub_explicit(&x, 1, order) == 10);                                    \
            EXPECT(atomic_fetch_or_explicit(&x, 4, order) == 9);                                      \
            EXPECT(atomic_fetch_and_explicit(&x, 12, order) == 13);                                   \
            EXPECT(atomic_fetch_xor_explicit(&x, 5, order) == 12);                                    \
            EXPECT(__atomic_fetch_nand((type *)&x, 8, __ATOMIC_ACQ_REL) == 9);                        \
            EXPECT(atomic_exchange_explicit(&x, 7, order) == (type) ~(type)8);                        \
            EXPECT(!atomic_compare_exchange_strong_explicit(&x, &e, 9, order, memory_order_relaxed)); \
            EXPECT(e == 7);                                                                           \
            EXPECT(atomic_compare_exchange_strong_explicit(&x, &e, 9, order, memory_order_relaxed));  \
            e = 9;                                                                                    \
            while (!atomic_compare_exchange_weak(&x, &e, 11))                                         \
                EXPECT(e == 9);                                                                       \
            EXPECT(__sync_val_compare_and_swap((type *)&x, 11, 12) == 11);                            \
            atomic_thread_fence(order);                                                               \
            atomic_signal_fence(order);                                                               \
            EXPECT(atomic_load_explicit(&x, i ? memory_order_acquire : memory_order_relaxed) == 12);  \
        }                                                                                             \
    }

TRY_TYPE(uint8_t, 8)
TRY_TYPE(uint16_t, 16)
TRY_TYPE(uint32_t, 32)
TRY_TYPE(uint64_t, 64)
#ifdef WITH_128
TRY_TYPE(unsigned __int128, 128)
#endif

static atomic_long shared_count;
static struct {
    int a[64];
} from, to;

static void *count(void *unused)
{
    for (int i = 0; i < 20000; i++) {
        long seen = atomic_load(&shared_count);
        while (!atomic_compare_exchange_weak(&shared_count, &seen, seen + 1))
            continue;
    }
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    for (uint32_t percent = 0; percent <= 100; percent += 50) {
        plumb_noise_percent = percent;
        try_8();
        try_16();
        try_32();
        try_64();
#ifdef WITH_128
        try_128();
#endif
    }
    from.a[63] = 5;
    to = from;
    EXPECT(to.a[63] == 5);
    plumb_noise_percent = 2;
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, count, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    EXPECT(shared_count == 60000);
    return failures != 0;
}
