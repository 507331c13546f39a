/* SPDX-License-Identifier: Apache-2.0 */
/* A sequential specification: what an object may answer when its operations
 * run one after the other. Built-in and user-written specifications, the
 * monitor, the judge and refinement all use this one interface.
 *
 * A specification is a table of functions over an opaque state. `step` is
 * nondeterministic by enumeration: outcome 0, 1, 2, ... of an operation until
 * it answers false; a deterministic operation has the single outcome 0.
 *
 * Ownership: a state belongs to the caller of init or clone, and is given
 * back with destroy. The value pool outlives every state.
 *
 * A specification of your own is a C file that defines one (docs/own_specs.md builds some step by step):
 *
 *     #include <plumb/spec.h>
 *     ...
 *     PLUMB_SPECIFICATION = {
 *         .name = "account", .operations = operations, .operation_count = 3,
 *         .init = init, .destroy = destroy, .clone = clone, .hash = hash, .equal = equal, .step = step,
 *     };
 *
 * Every other member may be left out. Then `plumb monitor --spec ./account.c HISTORY` uses it. */
#ifndef PLUMB_SPEC_H
#define PLUMB_SPEC_H

#include <plumb/value.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One operation as the specification sees it. */
struct plumb_call {
    uint32_t op;        /* index into plumb_spec.operations */
    uint32_t thread;    /* who calls: locks have owners */
    plumb_value arg;    /* PLUMB_OK without argument; an array for several */
    plumb_value result; /* the answer that was seen, or PLUMB_ANY */
};

/* What an operation does to what is inside of a container, or to the value that an object holds. */
enum plumb_role {
    PLUMB_NO_ROLE,
    PLUMB_ADDS, /* its argument, or the last one, goes inside */
    /* Removes, and answers what it removed, null if there is nothing, or whether it did */
    PLUMB_REMOVES,
    PLUMB_LOOKS,  /* like a removal that removes nothing */
    PLUMB_WRITES, /* its last argument is the value from now on */
    PLUMB_READS,  /* answers the value */
    /* (expected, new): writes the second if the first is the value, and answers whether */
    PLUMB_EXCHANGES,
    PLUMB_COUNTS, /* adds its argument to the value, and answers nothing of it */
};

/* Objects that the same algorithms decide. The algorithms rely on what is said of a kind here instead of
 * asking `step`. A kind that is not true mostly ends in an internal error, when an answer is checked against
 * `step`; but a verdict may be wrong.
 *
 * Containers (queue to bag) begin empty. Each operation has one of three roles, by any name: PLUMB_ADDS,
 * with an element (not null) as its argument, which always succeeds and answers a plain ok; PLUMB_REMOVES and
 * PLUMB_LOOKS, without argument, which answer an element, or null exactly when nothing is inside. A container
 * with a bound, whose additions fail or wait, has no kind.
 *
 * The others have the operations that are said of them, each known by its role, and begin empty if nothing else
 * is said. */
enum plumb_kind {
    PLUMB_KIND_OTHER, /* decided by search, as every specification in a file of its own */
    PLUMB_KIND_QUEUE, /* removes, and looks at, the oldest element */
    PLUMB_KIND_STACK, /* the youngest */
    /* At the front if the operation is one of `at_front`, otherwise at the back; no PLUMB_LOOKS */
    PLUMB_KIND_DEQUE,
    PLUMB_KIND_PQUEUE, /* one with the smallest number; the argument's letter is p */
    PLUMB_KIND_BAG,    /* any element; no PLUMB_LOOKS */
    /* By keys: add, whether the key was absent; remove and contains, whether it was present. Nothing else */
    PLUMB_KIND_SET,
    /* By keys: add, a plain ok; remove, whether there was one; and what answers how many there are */
    PLUMB_KIND_MULTISET,
    /* By keys: put, a plain ok; get, the value or null; remove, whether it was there; put_if_absent, whether
     * it was not. Nothing else */
    PLUMB_KIND_MAP,
    /* By keys: put and append of strings, a plain ok; get, which finds "" at first */
    PLUMB_KIND_KV,
    /* write, a plain ok; read; cas(expected, new), whether it wrote. Begins with --init, or 0 */
    PLUMB_KIND_REGISTER,
    /* add, a plain ok; get; and what adds and answers the number before. Begins with --init, or 0 */
    PLUMB_KIND_COUNTER,
    /* From what the program does when its operations run one after the other; decided by search */
    PLUMB_KIND_DERIVED,
};

/* What one operation accepts; malformed calls never reach `step`. */
struct plumb_operation {
    const char *name;
    /* A letter per argument: v value, e value other than null, i integer, n count >= 0, s string, p integer
     * or [integer, e], t (alone) a transaction [["r", v, null], ["w", v, v], ...], whose answer, if it is an
     * array, has what was read instead of null; "" (or left out) for none */
    const char *args;
    /* Letters: v value, N null, b bool, i integer, s string, a array, k plain ok; left out: k */
    const char *results;
    bool reads; /* leaves every state unchanged, whatever it answers */
    enum plumb_role role;
    /* For generated tests, a letter per argument: v a value of its own, k a key (two operations have the same
     * one), p a priority, o and n what a comparison expects and writes, i a number. Left out: guessed from
     * the types. */
    const char *samples;
};

struct plumb_spec_options {
    struct plumb_values *values;
    plumb_value initial; /* --init; PLUMB_OK when not given */
};

struct plumb_spec {
    const char *name;
    const char *summary;
    enum plumb_kind kind; /* may be left out, as the roles of operations */
    const struct plumb_operation *operations;
    uint32_t operation_count;
    uint64_t at_front; /* of a deque: a bit for each operation that works there */

    /* The initial state. One of the two; the second is for specifications that are made at run time and keep
     * data of their own around `spec`. */
    void *(*init)(const struct plumb_spec_options *options);
    void *(*init_of)(const struct plumb_spec *spec, const struct plumb_spec_options *options);
    void (*destroy)(void *state);
    void *(*clone)(const void *state);
    uint64_t (*hash)(const void *state);
    bool (*equal)(const void *a, const void *b);

    /* Makes outcome number `choice` of `call` happen in `state` and stores its
     * answer in *result (may be null). Only outcomes that agree with
     * call->result are counted. False: there is no such outcome and the
     * state is unchanged. No outcome at all means the operation blocks or
     * cannot answer that. */
    bool (*step)(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result);

    /* Would `call` wait in `state`? Null: an operation waits when it has no
     * outcome at all (call->result is ignored). */
    bool (*blocks)(const void *state, const struct plumb_call *call);

    /* May a complete sequence end here? Null: anywhere. A history is judged by sequences of all its completed
     * operations; one that ends where it may not is not an explanation, though its continuations may be. */
    bool (*accept)(const void *state);

    /* True when `call`, with the result it has, changes no state at all in
     * which it is possible. Operations marked `reads` never do, and are not
     * asked about. Null: only those. */
    bool (*effect_free)(const struct plumb_call *call);

    /* Specifications that are a product of independent objects, one per key:
     * the key of a call. Null: not a product. */
    plumb_value (*key)(const struct plumb_values *values, const struct plumb_call *call);

    /* Checks --init; null: no initial value can be given. */
    bool (*valid_initial)(const struct plumb_values *values, plumb_value initial);

    /* Writes the state for a reader into `buffer` (always terminated) and
     * returns the length it needs, like snprintf. */
    size_t (*print)(const void *state, char *buffer, size_t size);

    /* Heap bytes that `state` occupies, for memory budgets. Null: about 256. */
    size_t (*footprint)(const void *state);

    /* True: no call with a known result has two outcomes in any state. Saves copies of states. */
    bool deterministic;

    /* True: call->thread influences step. Must be set then: equal calls of
     * different threads are otherwise taken for interchangeable. */
    bool thread_matters;
};

/* ---- for specifications in a C file ---- */

/* The one specification of the file: PLUMB_SPECIFICATION = {...}; */
#define PLUMB_SPECIFICATION                                  \
    extern const struct plumb_spec plumb_user_specification; \
    __attribute__((visibility("default"))) const struct plumb_spec plumb_user_specification

/* How most steps end: does `call` agree with this answer? Stores it if so. */
static inline bool plumb_answer(const struct plumb_call *call, plumb_value answer, plumb_value *result)
{
    if (call->result != answer && call->result != PLUMB_ANY)
        return false;
    if (result)
        *result = answer;
    return true;
}

/* To build a hash: the parts of a state one after the other, beginning with any number. */
static inline uint64_t plumb_mix(uint64_t hash, uint64_t part)
{
    hash = (hash ^ part) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

#ifdef __cplusplus
}
#endif

#endif
