/* SPDX-License-Identifier: Apache-2.0 */
/* What the built-in specifications share: their names for the registry, and
 * the two lines every `step` needs. Private to this folder. */
#ifndef SPEC_BUILTIN_H
#define SPEC_BUILTIN_H

#include <plumb/spec.h>

#include "base/text.h"

extern const struct plumb_spec spec_queue, spec_stack, spec_deque;          /* spec_sequences.c */
extern const struct plumb_spec spec_pqueue;                                 /* spec_pqueue.c */
extern const struct plumb_spec spec_set, spec_multiset, spec_bag, spec_map; /* spec_collections.c */
/* The same with operations on everything inside. */
extern const struct plumb_spec spec_queue_whole, spec_stack_whole, spec_deque_whole, spec_pqueue_whole;
extern const struct plumb_spec spec_set_whole, spec_bag_whole, spec_map_whole;
extern const struct plumb_spec spec_kv;                                     /* spec_kv.c */
extern const struct plumb_spec spec_register, spec_counter;                 /* spec_cells.c */
extern const struct plumb_spec spec_snapshot;                               /* spec_snapshot.c */
extern const struct plumb_spec spec_multiregister;                          /* spec_multiregister.c */
extern const struct plumb_spec spec_lock, spec_rwlock, spec_semaphore;      /* spec_locks.c */
extern const struct plumb_spec spec_event, spec_latch, spec_barrier;        /* spec_signals.c */

#define SPEC_OPERATIONS(table) .operations = (table), .operation_count = sizeof(table) / sizeof *(table)

/* The first operations of a table: what a specification has whose other half has all of them. */
#define SPEC_FIRST_OPERATIONS(table, count) .operations = (table), .operation_count = (count)

/* States are printed with at most so many elements. */
#define SPEC_PRINT_MAX 12

/* Does `call` agree with this answer? Stores it if so. */
static inline bool spec_answer(const struct plumb_call *call, plumb_value answer, plumb_value *result)
{
    if (call->result != answer && call->result != PLUMB_ANY)
        return false;
    if (result)
        *result = answer;
    return true;
}

/* The usual values of plumb_spec.effect_free. A container that answers null was empty: elements cannot be null. */
static inline bool spec_answers_none(const struct plumb_call *call)
{
    return call->result == PLUMB_NONE;
}

static inline bool spec_answers_false(const struct plumb_call *call)
{
    return call->result == PLUMB_FALSE;
}

/* --init, or `otherwise` when it was not given. */
static inline plumb_value spec_initial(const struct plumb_spec_options *options, plumb_value otherwise)
{
    return options->initial == PLUMB_OK ? otherwise : options->initial;
}

/* Ends a `print`: moves the text into the caller's buffer as snprintf would. */
size_t spec_print_end(struct text *text, char *buffer, size_t size);

/* `base` with the parameters that `text` lists: an initial value (an integer, null, true or false), "cap=4", "recursive", "weak". Null: it cannot
 * have them, and *complaint, if it is asked for, says why and is the caller's. The same arguments find the same
 * specification; it stays for good. */
const struct plumb_spec *spec_parameters_find(const struct plumb_spec *base, const char *text, size_t length,
                                              char **complaint);

/* `*spec`, a copy of a lock's, becomes one that its holder may acquire again. False: it is no lock. */
bool spec_recursive_make(struct plumb_spec *spec);

/* Can an operation of `base` fail? Then `*spec`, a copy of it, becomes one whose operations may do so in every state. */
bool spec_weak_is_possible(const struct plumb_spec *base);
void spec_weak_make(struct plumb_spec *spec);

/* Operations on everything inside, the last ones of a table of operations. */
enum whole_operation { WHOLE_SIZE, WHOLE_IS_EMPTY, WHOLE_ITEMS, WHOLE_CLEAR, WHOLE_DRAIN };

#define WHOLE_OPERATIONS(first)                                                        \
    [(first) + WHOLE_SIZE] = {"size", "", "i", true, PLUMB_NO_ROLE, NULL},             \
    [(first) + WHOLE_IS_EMPTY] = {"is_empty", "", "b", true, PLUMB_NO_ROLE, NULL},     \
    [(first) + WHOLE_ITEMS] = {"items", "", "a", true, PLUMB_NO_ROLE, NULL},           \
    [(first) + WHOLE_CLEAR] = {"clear", "", "k", false, PLUMB_NO_ROLE, NULL},          \
    [(first) + WHOLE_DRAIN] = {"drain", "", "a", false, PLUMB_NO_ROLE, NULL}

/* Items are listed by rank, those with the same one in any order. */
struct whole_item {
    int64_t rank;
    plumb_value value;
};

struct whole {
    struct plumb_values *values;
    const void *state;
    uint64_t size;
    void (*list)(const struct whole *w, struct whole_item *items); /* `size` of them, in any order */
    unsigned how; /* for `list` */
};

/* Answers such an operation. What `clear` and `drain` do to the state is up to the caller. */
bool whole_answer(const struct whole *w, enum whole_operation op, const struct plumb_call *call,
                  plumb_value *result);

static inline bool whole_empties(enum whole_operation op)
{
    return op == WHOLE_CLEAR || op == WHOLE_DRAIN;
}

/* State of objects that are a single word: register, counter, lock, ... */
struct cell {
    struct plumb_values *values;
    uint64_t word;  /* a value, a number or an owner */
    uint64_t bound; /* barrier: parties; fixed when the object starts */
};

struct cell *cell_create(const struct plumb_spec_options *options, uint64_t word, uint64_t bound);

/* --init as a number, else `otherwise`. */
int64_t cell_initial_number(const struct plumb_spec_options *options, int64_t otherwise);

/* The usual values of plumb_spec.valid_initial. */
bool cell_initial_is_any(const struct plumb_values *values, plumb_value initial);
bool cell_initial_is_int(const struct plumb_values *values, plumb_value initial);
bool cell_initial_is_count(const struct plumb_values *values, plumb_value initial);
bool cell_initial_is_positive(const struct plumb_values *values, plumb_value initial);

void cell_destroy(void *state);
void *cell_clone(const void *state);
uint64_t cell_hash(const void *state);
bool cell_equal(const void *a, const void *b);
size_t cell_footprint(const void *state);

#define CELL_STATE                                                                        \
    .destroy = cell_destroy, .clone = cell_clone, .hash = cell_hash, .equal = cell_equal, \
    .footprint = cell_footprint

/* Adds to the number in the cell; false, and nothing happens, beyond 64 bits. */
bool cell_add(struct cell *c, int64_t amount);

size_t cell_print_number(const void *state, char *buffer, size_t size);

/* State of queue, stack and deque: a growable ring of values with a hash that
 * follows every change at either end in constant time.
 *
 * A state is one allocation (header and items) until it outgrows that; then
 * the items move to a block of their own. */
struct ring {
    struct plumb_values *values;
    plumb_value *items; /* `inside`, or a block of its own */
    uint32_t head, count;
    uint32_t mask;  /* capacity - 1; the capacity is a power of two */
    uint32_t limit; /* of items, for additions that answer whether there was room; 0: none */
    uint64_t sum;   /* items as the digits of a number in base RING_BASE, modulo 2^64 */
    uint64_t power; /* RING_BASE ^ count */
    plumb_value inside[];
};

enum ring_end { RING_FRONT, RING_BACK };

void *ring_init(const struct plumb_spec_options *options);
void ring_destroy(void *state);
void *ring_clone(const void *state);
uint64_t ring_hash(const void *state);
bool ring_equal(const void *a, const void *b);
size_t ring_footprint(const void *state);

#define RING_STATE                                                                                           \
    .init = ring_init, .destroy = ring_destroy, .clone = ring_clone, .hash = ring_hash, .equal = ring_equal, \
    .footprint = ring_footprint

static inline plumb_value ring_at(const struct ring *r, uint32_t i)
{
    return r->items[(r->head + i) & r->mask];
}

void ring_push(struct ring *r, enum ring_end end, plumb_value v);
void ring_pop(struct ring *r, enum ring_end end); /* must not be empty */
void ring_clear(struct ring *r);

/* State of everything that holds values without order of their own: a table
 * from (key, sub) to a word, with a hash that does not depend on the route by
 * which it was filled.
 *
 * Entries are dense, so that "the n-th element" costs nothing and a clone has
 * them in the same order (nondeterministic operations rely on that). Few
 * entries are found by looking at all of them; an index is kept only beyond
 * TABLE_SCANNED. A small state is a single allocation. */
#define TABLE_NONE UINT32_MAX
#define TABLE_SCANNED 8

struct table_entry {
    uint64_t key, sub, word;
};

struct table {
    struct plumb_values *values;
    struct table_entry *entries; /* `inside`, or a block of its own */
    uint32_t *slots;             /* position + 1 by hash of (key, sub), 0: free; null: not indexed */
    uint32_t count, capacity;
    uint32_t slot_mask;
    uint64_t sum;   /* of the mixed entries, if `summed` */
    uint64_t extra; /* belongs to the specification, and to the state's identity */
    bool summed;    /* a hash was asked for: from then on the sum is kept, in clones too */
    plumb_value initial;
    struct table_entry inside[];
};

void *table_init(const struct plumb_spec_options *options);
void table_destroy(void *state);
void *table_clone(const void *state);
uint64_t table_hash(const void *state);
bool table_equal(const void *a, const void *b);
size_t table_footprint(const void *state);

#define TABLE_STATE                                                                         \
    .init = table_init, .destroy = table_destroy, .clone = table_clone, .hash = table_hash, \
    .equal = table_equal, .footprint = table_footprint

/* Position of (key, sub), or TABLE_NONE. */
uint32_t table_find(const struct table *t, uint64_t key, uint64_t sub);

/* Appends an entry that is not there yet and returns its position. */
uint32_t table_insert(struct table *t, uint64_t key, uint64_t sub, uint64_t word);
void table_set(struct table *t, uint32_t at, uint64_t word);

/* The last entry takes the place of the removed one. */
void table_remove(struct table *t, uint32_t at);
void table_clear(struct table *t);

/* For keeping entries in an order of one's own (a heap): lift one out, let others move to where
 * it was, each leaving its own place free, and drop it at the last of these places. A place must
 * not be filled from twice. */
struct table_hole {
    struct table_entry entry;
    uint32_t slot, at;
};

struct table_hole table_lift(const struct table *t, uint32_t at);
void table_fill(struct table *t, struct table_hole *hole, uint32_t from);
void table_drop(struct table *t, const struct table_hole *hole);

/* Tables whose word is a number of copies. */
void table_add_copy(struct table *t, uint64_t key, uint64_t sub);
void table_drop_copy(struct table *t, uint32_t at);

/* An operation on everything inside of a table: of entries that are items, or of words that are numbers of copies. */
enum table_items { TABLE_KEYS, TABLE_COPIES, TABLE_COPIES_BY_SUB, TABLE_PAIRS };
bool table_whole(struct table *t, enum table_items items, enum whole_operation op,
                 const struct plumb_call *call, unsigned choice, plumb_value *result);

/* Prints the entries by (sub as a signed number, key), each with `print`. */
typedef void table_printer(struct text *out, const struct table *t, const struct table_entry *e);
size_t table_print(const struct table *t, const char *brackets, table_printer *print, char *buffer,
                   size_t size);
size_t table_print_pairs(const void *state, char *buffer, size_t size); /* "{key: word, ...}" */

#endif
