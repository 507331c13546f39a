/* SPDX-License-Identifier: Apache-2.0 */
/* What code compiled with -fsanitize=bounds, object-size and the like calls when a check of its own fails: errors. The
 * checks are no accesses, so they cost no steps. Programs that are started without plumb go on. */
#include "rt/hook.h"

#include <stdio.h>

/* As both compilers describe a place, a type and a check. */
struct place {
    const char *file;
    uint32_t line, column;
};

struct type {
    /* Integers: the logarithm of their bits, doubled, and whether they are signed */
    uint16_t kind, info;
    char name[]; /* in quotes */
};

struct bounds_check {
    struct place place;
    const struct type *array, *index;
};

struct type_check {
    struct place place;
    const struct type *type;
    uint8_t alignment_log, how;
};

/* Does the runtime report it? Checks of the same place come again in executions to come: no place is marked as reported. */
static bool is_watched(void)
{
    return engine_active;
}

static void fail_undefined(const char *what, const void *pc)
{
    if (is_watched())
        engine_fail(WORKER_ERROR_UNDEFINED, 0, pc, "%s", what);
}

/* ------------------------------------------------------------------ bounds */

static int64_t index_of(const struct type *t, uint64_t value)
{
    unsigned bits = 1u << (t->info >> 1);
    bool is_signed = t->info & 1;
    return is_signed && bits < 64 ? (int64_t)(value << (64 - bits)) >> (64 - bits) : (int64_t)value;
}

EXPORT void __ubsan_handle_out_of_bounds(const struct bounds_check *c, uint64_t index)
{
    if (is_watched())
        engine_fail(WORKER_ERROR_OUT_OF_BOUNDS, 0, CALLER,
                    "the index %lld is out of bounds of an array of type %s",
                    (long long)index_of(c->index, index), c->array->name);
}

EXPORT void __ubsan_handle_type_mismatch_v1(const struct type_check *c, uint64_t address)
{
    uint64_t alignment = UINT64_C(1) << c->alignment_log;
    if (!is_watched())
        return;
    if (!address)
        engine_fail(WORKER_ERROR_UNDEFINED, 0, CALLER, "a null pointer is used as a pointer to %s",
                    c->type->name);
    if (address & (alignment - 1))
        engine_fail(WORKER_ERROR_UNDEFINED, address, CALLER, "a pointer to %s is not a multiple of %llu",
                    c->type->name, (unsigned long long)alignment);
    engine_fail(WORKER_ERROR_OUT_OF_BOUNDS, address, CALLER, "no room for %s is left in the object there",
                c->type->name);
}

/* ------------------------------------------------------------------ the rest */

#define CHECKED(name, what)                                  \
    EXPORT void __ubsan_handle_##name(const struct place *p) \
    {                                                        \
        (void)p;                                             \
        fail_undefined(what, CALLER);                        \
    }

/* Nothing comes after these: without plumb the program stops there, as it would in any other way. */
#define CHECKED_LAST(name, what)                                       \
    EXPORT _Noreturn void __ubsan_handle_##name(const struct place *p) \
    {                                                                  \
        (void)p;                                                       \
        fail_undefined(what, CALLER);                                  \
        __builtin_trap();                                              \
    }

CHECKED_LAST(missing_return, "a function that returns a value ends without a return")
CHECKED_LAST(builtin_unreachable, "code declared unreachable is reached")
CHECKED(vla_bound_not_positive, "an array has no positive length")
CHECKED(add_overflow, "a sum does not fit its type")
CHECKED(sub_overflow, "a difference does not fit its type")
CHECKED(mul_overflow, "a product does not fit its type")
CHECKED(negate_overflow, "a negated number does not fit its type")
CHECKED(divrem_overflow, "a quotient does not fit its type, or the divisor is 0")
CHECKED(shift_out_of_bounds, "a shift by more bits than there are, or of a number that does not allow it")
CHECKED(load_invalid_value, "a bool or an enumeration holds a value that it does not have")
CHECKED(pointer_overflow, "a pointer is moved beyond the end of all memory")
CHECKED(float_cast_overflow, "a floating-point number does not fit the integer type")
CHECKED(invalid_builtin, "a built-in function gets a value that it does not take")
CHECKED(nonnull_arg, "a null pointer is passed where none may be")
CHECKED(nonnull_return_v1, "a null pointer is returned where none may be")
CHECKED(nullability_arg, "a null pointer is passed where none may be")
CHECKED(nullability_return_v1, "a null pointer is returned where none may be")
CHECKED(implicit_conversion, "a conversion changes the value")
CHECKED(alignment_assumption, "an assumption about the alignment of a pointer is wrong")
