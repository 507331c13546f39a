/* SPDX-License-Identifier: Apache-2.0 */
/* Names of SV-COMP (docs/svcomp.md), for harnesses that use them and do not define them: any value is one of a few, at random. */
#pragma GCC visibility push(default)
#include <plumb.h>

#include <pthread.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#define WEAK __attribute__((weak))

WEAK void __VERIFIER_assume(int holds)
{
    plumb_assume(holds != 0);
}

WEAK void reach_error(void)
{
    abort();
}

WEAK void __VERIFIER_error(void)
{
    abort();
}

WEAK void __VERIFIER_assert(int holds)
{
    if (!holds)
        abort();
}

/* All sections together are one lock, which its owner may take again. */
static pthread_mutex_t section = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

WEAK void __VERIFIER_atomic_begin(void)
{
    pthread_mutex_lock(&section);
}

WEAK void __VERIFIER_atomic_end(void)
{
    pthread_mutex_unlock(&section);
}

/* The values that `plumb check` tries, too. */
static uint64_t any_of(unsigned bits, bool is_signed)
{
    uint64_t most = UINT64_MAX >> (64 - bits + is_signed), least = is_signed ? ~most : 0;
    uint64_t values[] = {0, 1, UINT64_MAX, 2, least, most};
    return values[plumb_choose(sizeof values / sizeof *values)];
}

#define ANY(name, type)                                            \
    WEAK type __VERIFIER_nondet_##name(void)                       \
    {                                                              \
        return (type)any_of(sizeof(type) * 8, (type)-1 < (type)1); \
    }

WEAK _Bool __VERIFIER_nondet_bool(void)
{
    return plumb_choose(2);
}

WEAK _Bool __VERIFIER_nondet__Bool(void)
{
    return plumb_choose(2);
}

ANY(char, char)
ANY(schar, signed char)
ANY(uchar, unsigned char)
ANY(short, short)
ANY(ushort, unsigned short)
ANY(int, int)
ANY(uint, unsigned)
ANY(unsigned, unsigned)
ANY(unsigned_int, unsigned)
ANY(long, long)
ANY(ulong, unsigned long)
ANY(longlong, long long)
ANY(ulonglong, unsigned long long)
ANY(size_t, size_t)
ANY(u8, uint8_t)
ANY(u16, uint16_t)
ANY(u32, uint32_t)
ANY(u64, uint64_t)

WEAK void *__VERIFIER_nondet_pointer(void)
{
    return plumb_choose(2) ? (void *)(uintptr_t)sizeof(void *) : NULL;
}

WEAK double __VERIFIER_nondet_double(void)
{
    return (double)plumb_choose(4) / 2 - 0.5;
}

WEAK float __VERIFIER_nondet_float(void)
{
    return (float)__VERIFIER_nondet_double();
}
