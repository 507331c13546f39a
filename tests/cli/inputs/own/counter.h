/* SPDX-License-Identifier: Apache-2.0 */
/* A counter whose parts can be replaced by wrong ones: STEP, HASH, EQUAL, CLONE, ... */
#include <plumb/spec.h>

#include <stdio.h>
#include <stdlib.h>

struct counter {
    struct plumb_values *values;
    int64_t n;
};

static inline void *right_init(const struct plumb_spec_options *options)
{
    struct counter *c = malloc(sizeof *c);
    *c = (struct counter){options->values, 0};
    return c;
}

static inline void *right_clone(const void *state)
{
    struct counter *c = malloc(sizeof *c);
    *c = *(const struct counter *)state;
    return c;
}

static inline uint64_t right_hash(const void *state)
{
    return plumb_mix(0, (uint64_t)((const struct counter *)state)->n);
}

static inline bool right_equal(const void *a, const void *b)
{
    return ((const struct counter *)a)->n == ((const struct counter *)b)->n;
}

static inline bool right_step(void *state, const struct plumb_call *call, unsigned choice,
                              plumb_value *result)
{
    struct counter *c = state;
    if (choice > 0 || !plumb_answer(call, call->op ? plumb_int(c->values, c->n) : PLUMB_OK, result))
        return false;
    c->n += !call->op;
    return true;
}

#ifndef INIT
#define INIT right_init
#endif
#ifndef CLONE
#define CLONE right_clone
#endif
#ifndef HASH
#define HASH right_hash
#endif
#ifndef EQUAL
#define EQUAL right_equal
#endif
#ifndef STEP
#define STEP right_step
#endif
#ifndef RESULTS
#define RESULTS "i"
#endif
#ifndef READS
#define READS .reads = true
#endif
#ifndef REST
#define REST .deterministic = true
#endif

#ifndef OPERATIONS
#define OPERATIONS                \
    {"inc", "", "k"},             \
    {                             \
        "get", "", RESULTS, READS \
    }
#endif

static const struct plumb_operation operations[] = {OPERATIONS};

#define COUNTER                                      \
    PLUMB_SPECIFICATION = {.name = "clicks",         \
                           .operations = operations, \
                           .operation_count = 2,     \
                           .init = INIT,             \
                           .destroy = free,          \
                           .clone = CLONE,           \
                           .hash = HASH,             \
                           .equal = EQUAL,           \
                           .step = STEP,             \
                           REST};
