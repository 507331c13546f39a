/* SPDX-License-Identifier: Apache-2.0 */
/* Choices and assumptions of the program itself, under our names and those of SV-COMP. */
#include "rt/hook.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ choices */

EXPORT unsigned plumb_choose(unsigned ways)
{
    enum { MOST = 1 << 16 }; /* what a recorded choice has room for */
    if (!engine_active)
        return 0;
    if (ways == 0)
        engine_fail(WORKER_ERROR_MISUSE, 0, CALLER, "plumb_choose(0): there is nothing to choose from");
    if (ways > MOST)
        engine_give_up(CALLER, "plumb_choose among more than %d", (int)MOST);
    return ways == 1 ? 0 : engine_branch(ways);
}

/* ------------------------------------------------------------------ assumptions */

EXPORT void plumb_assume(_Bool holds)
{
    if (engine_active && !holds)
        engine_refute_assumption();
}

EXPORT void __VERIFIER_assume(int holds)
{
    if (engine_active && !holds)
        engine_refute_assumption();
}

/* ------------------------------------------------------------------ errors */

EXPORT void reach_error(void)
{
    if (!engine_active)
        abort();
    engine_fail(WORKER_ERROR_ABORT, 0, CALLER, "reach_error is reached");
}

EXPORT void __VERIFIER_error(void)
{
    if (!engine_active)
        abort();
    engine_fail(WORKER_ERROR_ABORT, 0, CALLER, "__VERIFIER_error is reached");
}

EXPORT void __VERIFIER_assert(int holds)
{
    if (!holds && engine_active)
        engine_fail(WORKER_ERROR_ASSERT, 0, CALLER, "__VERIFIER_assert(0)");
}

/* ------------------------------------------------------------------ values that may be any */

enum { VALUES_MOST = 64 };

struct values {
    uint32_t count;
    int64_t at[VALUES_MOST]; /* as the type has them; of 64 unsigned bits the same bits */
};

/* A type of integers: as many bits, the highest of them a sign or not. */
struct integer {
    unsigned bits;
    bool is_signed;
};

static int64_t least_of(struct integer t)
{
    return !t.is_signed ? 0 : t.bits == 64 ? INT64_MIN : -(INT64_C(1) << (t.bits - 1));
}

static int64_t most_of(struct integer t)
{
    unsigned magnitude = t.is_signed ? t.bits - 1 : t.bits;
    return magnitude == 64 ? -1 : magnitude == 63 ? INT64_MAX : (INT64_C(1) << magnitude) - 1;
}

static bool has_value(struct integer t, int64_t v)
{
    return t.bits == 64 ? t.is_signed || v >= 0 : v >= least_of(t) && v <= most_of(t);
}

static void add_value(struct values *set, int64_t v)
{
    for (uint32_t k = 0; k < set->count; k++)
        if (set->at[k] == v)
            return;
    if (set->count < VALUES_MOST)
        set->at[set->count++] = v;
}

/* The list of the configuration, as far as the type has these values: numbers, min and max. */
static void list_values(struct values *set, struct integer t, const char *list)
{
    while (*list) {
        char *end = (char *)list;
        if (strncmp(list, "min", 3) == 0 || strncmp(list, "max", 3) == 0) {
            add_value(set, list[1] == 'i' ? least_of(t) : most_of(t));
            end += 3;
        } else {
            int64_t v = strtoll(list, &end, 0);
            if (has_value(t, v))
                add_value(set, v);
        }
        list = end + strcspn(end, ",");
        list += *list == ',';
    }
}

static int64_t any_of(struct integer t)
{
    struct values set = {0};
    engine_active = false;
    const char *list = engine_config()->nondet;
    list_values(&set, t, *list ? list : PROTOCOL_NONDET);
    engine_active = true;
    if (t.bits > 6 || set.count < 1u << t.bits)
        engine_limit(LIMIT_VALUES);
    return set.count > 1 ? set.at[engine_branch(set.count)] : set.at[0];
}

#define ANY(name, type, width, sign)                                              \
    EXPORT type __VERIFIER_nondet_##name(void)                                    \
    {                                                                             \
        return (type)(engine_active ? any_of((struct integer){width, sign}) : 0); \
    }

#define ANY_INTEGER(name, type) ANY(name, type, sizeof(type) * CHAR_BIT, (type)-1 < (type)1)

/* Both values, whatever the list says. */

EXPORT _Bool __VERIFIER_nondet_bool(void)
{
    return engine_active && engine_branch(2) != 0;
}

EXPORT _Bool __VERIFIER_nondet__Bool(void)
{
    return engine_active && engine_branch(2) != 0;
}

ANY_INTEGER(char, char)
ANY_INTEGER(schar, signed char)
ANY_INTEGER(uchar, unsigned char)
ANY_INTEGER(short, short)
ANY_INTEGER(ushort, unsigned short)
ANY_INTEGER(int, int)
ANY_INTEGER(uint, unsigned)
ANY_INTEGER(unsigned, unsigned)
ANY_INTEGER(unsigned_int, unsigned)
ANY_INTEGER(long, long)
ANY_INTEGER(ulong, unsigned long)
ANY_INTEGER(longlong, long long)
ANY_INTEGER(ulonglong, unsigned long long)
ANY_INTEGER(size_t, size_t)
ANY_INTEGER(loff_t, long)
ANY_INTEGER(S8, signed char)
ANY_INTEGER(u8, uint8_t)
ANY_INTEGER(u16, uint16_t)
ANY_INTEGER(u32, uint32_t)
ANY_INTEGER(u64, uint64_t)
ANY_INTEGER(U8, uint8_t)
ANY_INTEGER(U16, uint16_t)
ANY_INTEGER(U32, uint32_t)
ANY_INTEGER(U64, uint64_t)

/* Null, or an address that may not be used. */

EXPORT void *__VERIFIER_nondet_pointer(void)
{
    if (!engine_active)
        return NULL;
    engine_limit(LIMIT_VALUES);
    return engine_branch(2) ? (void *)(uintptr_t)sizeof(void *) : NULL;
}

static double any_real(void)
{
    static const double values[] = {0, 1, -1, 0.5};
    engine_limit(LIMIT_VALUES);
    return values[engine_branch(sizeof values / sizeof *values)];
}

EXPORT double __VERIFIER_nondet_double(void)
{
    return engine_active ? any_real() : 0;
}

EXPORT float __VERIFIER_nondet_float(void)
{
    return engine_active ? (float)any_real() : 0;
}
