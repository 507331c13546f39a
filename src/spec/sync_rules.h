/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of synchronization of the built-in specifications: which earlier operations have to happen before an operation returns,
 * because it answers what they put in, or waits for them. docs/internals/judge/synchronization.md.
 *
 * A rule is about a sequence of legal operations: what has been put in is kept in a store, in which each item knows the operation
 * that it comes from. */
#ifndef SPEC_SYNC_RULES_H
#define SPEC_SYNC_RULES_H

#include <plumb/spec.h>

enum { SYNC_ITEMS_MAX = 64, SYNC_NO_SOURCE = 0xff };

struct sync_item {
    plumb_value key; /* or the value, where it is known by that */
    int64_t priority;
    uint8_t source; /* number of the operation; SYNC_NO_SOURCE: it was there at first */
};

struct sync_store {
    uint32_t count;
    struct sync_item items[SYNC_ITEMS_MAX];
};

enum sync_demand {
    SYNC_DEMANDS_NOTHING,
    SYNC_DEMANDS_FIRST, /* the item at the front */
    SYNC_DEMANDS_LAST,  /* at the back */
    SYNC_DEMANDS_ONE,   /* one of those with the key */
    SYNC_DEMANDS_LEAST, /* one of those with the key that has the least priority of all items */
    SYNC_DEMANDS_EVERY, /* all with the key */
};

/* What a call demands, in a store. */
struct sync_demanded {
    bool every;           /* of all candidates; else one of them is enough */
    bool takes;           /* the one is taken out */
    uint64_t candidates;  /* bits of items; none: nothing is demanded */
    const char *relation; /* "%s returns what %s put in": for messages */
};

struct sync_rules;
struct sync_row; /* of a call */

/* The rules of a built-in specification, also of one with an initial value; null: it has none. `all`: those that are off by
 * default count, too. */
const struct sync_rules *sync_rules_of(const struct plumb_spec *spec, bool all);

/* What is there at first. */
void sync_start(const struct sync_rules *rules, const struct plumb_spec *spec,
                const struct plumb_spec_options *options, struct sync_store *store);

/* The part of the rules that a call has, with its answer; null: none. */
const struct sync_row *sync_row_of(const struct sync_rules *rules, const struct plumb_call *call);

struct sync_demanded sync_demands(const struct sync_row *row, bool all, const struct plumb_values *values,
                                  const struct plumb_call *call, const struct sync_store *store);

/* The operation number `source` happens: `taken` is the item that it takes out, or SYNC_ITEMS_MAX; `changes`: the state of the
 * object changes. */
void sync_apply(const struct sync_row *row, const struct plumb_values *values, const struct plumb_call *call,
                uint8_t source, uint32_t taken, bool changes, struct sync_store *store);

/* The last of several arguments. */
plumb_value sync_last_argument(const struct plumb_values *values, plumb_value arg);

#endif
