/* SPDX-License-Identifier: Apache-2.0 */
/* Primitives in inline assembly for the programs of right/asm and wrong/asm, as libraries of the kind have them: a macro for
 * each family, an instance for each size. */
#ifndef PROGRAMS_X86_H
#define PROGRAMS_X86_H

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef LOCK
#define LOCK "lock "
#endif

#define X86_LOAD_STORE(name, type, move)                                            \
    static inline type load_##name(const type *from)                                \
    {                                                                               \
        type value;                                                                 \
        __asm__ __volatile__(move " %1, %0" : "=q"(value) : "m"(*from) : "memory"); \
        return value;                                                               \
    }                                                                               \
    static inline void store_##name(type *to, type value)                           \
    {                                                                               \
        __asm__ __volatile__(move " %1, %0" : "=m"(*to) : "q"(value) : "memory");   \
    }                                                                               \
    static inline type swap_##name(type *to, type value)                            \
    {                                                                               \
        __asm__ __volatile__("xchg %0, %1" : "+q"(value), "+m"(*to) : : "memory");  \
        return value;                                                               \
    }

#define X86_UPDATE(name, type, suffix)                                                                     \
    static inline bool cas_##name(type *at, type old, type value)                                          \
    {                                                                                                      \
        unsigned char done;                                                                                \
        __asm__ __volatile__(LOCK "cmpxchg" suffix " %3, %0; setz %1"                                      \
                             : "+m"(*at), "=q"(done), "+a"(old)                                            \
                             : "q"(value)                                                                  \
                             : "memory", "cc");                                                            \
        return done;                                                                                       \
    }                                                                                                      \
    static inline type fetch_add_##name(type *at, type by)                                                 \
    {                                                                                                      \
        __asm__ __volatile__(LOCK "xadd" suffix " %1, %0" : "+m"(*at), "+q"(by) : : "memory", "cc");       \
        return by;                                                                                         \
    }                                                                                                      \
    static inline void inc_##name(type *at)                                                                \
    {                                                                                                      \
        __asm__ __volatile__(LOCK "inc" suffix " %0" : "+m"(*at) : : "memory", "cc");                      \
    }                                                                                                      \
    static inline bool dec_zero_##name(type *at)                                                           \
    {                                                                                                      \
        unsigned char zero;                                                                                \
        __asm__ __volatile__(LOCK "dec" suffix " %0; sete %1" : "+m"(*at), "=q"(zero) : : "memory", "cc"); \
        return zero;                                                                                       \
    }

X86_LOAD_STORE(8, uint8_t, "movb")
X86_LOAD_STORE(16, uint16_t, "movw")
X86_LOAD_STORE(32, uint32_t, "movl")
X86_LOAD_STORE(64, uint64_t, "movq")
X86_UPDATE(8, uint8_t, "b")
X86_UPDATE(16, uint16_t, "w")
X86_UPDATE(32, uint32_t, "l")
X86_UPDATE(64, uint64_t, "q")

typedef void *pointer;
X86_LOAD_STORE(ptr, pointer, "movq")
X86_UPDATE(ptr, pointer, "q")
#define LOAD_PTR(p) load_ptr((const pointer *)(p))
#define STORE_PTR(p, v) store_ptr((pointer *)(p), v)

static inline void stall(void)
{
    __asm__ __volatile__("pause");
}

static inline void barrier(void)
{
    __asm__ __volatile__("" : : : "memory");
}

static inline void fence_full(void)
{
    __asm__ __volatile__("mfence" : : : "memory");
}

static inline void fence_store(void)
{
    __asm__ __volatile__("sfence" : : : "memory");
}

static inline void fence_load(void)
{
    __asm__ __volatile__("lfence" : : : "memory");
}

/* Runs `count` threads to their ends. */
static inline void run_threads(int count, void *(*entry)(void *))
{
    pthread_t threads[4];
    for (int k = 0; k < count; k++)
        pthread_create(&threads[k], NULL, entry, (void *)(intptr_t)k);
    for (int k = 0; k < count; k++)
        pthread_join(threads[k], NULL);
}

#endif
