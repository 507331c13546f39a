/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/sync_rules.h"

#include "spec/builtin/builtin.h"
#include "spec/registry.h"

#include <string.h>

/* With which answer a row counts. */
enum when { ALWAYS, IF_TRUE, IF_FALSE, IF_SOMETHING /* not null */, UNLESS_FULL };

enum key {
    NO_KEY,   /* every item; an item that is known by nothing */
    ARGUMENT, /* the only one */
    FIRST,    /* argument of several */
    LAST,     /* of a priority queue: the value */
    RESULT,
    WRITER, /* of a reader-writer lock: who has unlocked it */
    READER,
};

enum adds { ADDS_NOTHING, ADDS_BACK, ADDS_FRONT, ADDS_IF_CHANGED /* at the back */ };

/* What an operation demands of the store, takes out and leaves there. */
struct sync_row {
    const char *operation;
    enum when when;
    enum sync_demand demand;
    enum key of;
    bool takes;
    bool only_all; /* demanded with --sync=all only */
    const char *relation;
    bool drops; /* all items with the key */
    enum key dropped;
    enum adds adds;
    enum key as; /* key of the new item */
};

struct sync_rules {
    const struct plumb_spec *spec;
    const char *starts_with; /* as many items are there at first as that operation finds; or null */
    struct sync_row rows[9];
};

#define PUT_IN .relation = "%s returns what %s put in"
#define REMOVES .relation = "%s removes what %s put in"
#define READS .relation = "%s reads what %s wrote"
#define TAKES .relation = "%s takes the lock after %s"
#define PERMIT .relation = "%s takes the permit of %s"
#define WAITS .relation = "%s waits for %s"
#define COUNTS .relation = "%s counts %s"
#define SEES .relation = "%s sees what %s did"
#define OFF_BY_DEFAULT .only_all = true

/* Of containers, whose additions are all found by who takes everything. */
#define CLEARED "clear", .drops = true
#define DRAINED "drain", ALWAYS, SYNC_DEMANDS_EVERY, PUT_IN, .drops = true
#define LISTED "items", ALWAYS, SYNC_DEMANDS_EVERY, PUT_IN

static const struct sync_rules all_rules[] = {
    {&spec_queue,
     NULL,
     {{"enq", UNLESS_FULL, .adds = ADDS_BACK},
      {"deq", IF_SOMETHING, SYNC_DEMANDS_FIRST, .takes = true, PUT_IN},
      {"peek", IF_SOMETHING, SYNC_DEMANDS_FIRST, PUT_IN},
      {CLEARED},
      {DRAINED},
      {LISTED}}},
    {&spec_stack,
     NULL,
     {{"push", UNLESS_FULL, .adds = ADDS_BACK},
      {"pop", IF_SOMETHING, SYNC_DEMANDS_LAST, .takes = true, PUT_IN},
      {"peek", IF_SOMETHING, SYNC_DEMANDS_LAST, PUT_IN},
      {CLEARED},
      {DRAINED},
      {LISTED}}},
    {&spec_deque,
     NULL,
     {{"push_front", UNLESS_FULL, .adds = ADDS_FRONT},
      {"push_back", UNLESS_FULL, .adds = ADDS_BACK},
      {"pop_front", IF_SOMETHING, SYNC_DEMANDS_FIRST, .takes = true, PUT_IN},
      {"pop_back", IF_SOMETHING, SYNC_DEMANDS_LAST, .takes = true, PUT_IN},
      {"peek_front", IF_SOMETHING, SYNC_DEMANDS_FIRST, PUT_IN},
      {"peek_back", IF_SOMETHING, SYNC_DEMANDS_LAST, PUT_IN},
      {CLEARED},
      {DRAINED},
      {LISTED}}},
    {&spec_pqueue,
     NULL,
     {{"insert", .adds = ADDS_BACK, .as = LAST},
      {"delete_min", IF_SOMETHING, SYNC_DEMANDS_LEAST, RESULT, .takes = true, PUT_IN},
      {"min", IF_SOMETHING, SYNC_DEMANDS_LEAST, RESULT, PUT_IN},
      {CLEARED},
      {DRAINED},
      {LISTED}}},
    {&spec_bag,
     NULL,
     {{"add", .adds = ADDS_BACK, .as = ARGUMENT},
      {"take", IF_SOMETHING, SYNC_DEMANDS_ONE, RESULT, .takes = true, PUT_IN},
      {CLEARED},
      {DRAINED},
      {LISTED}}},
    {&spec_multiset,
     NULL,
     {{"add", .adds = ADDS_BACK, .as = ARGUMENT},
      {"remove", IF_TRUE, SYNC_DEMANDS_ONE, ARGUMENT, .takes = true, REMOVES},
      {"count", ALWAYS, SYNC_DEMANDS_EVERY, ARGUMENT, OFF_BY_DEFAULT, COUNTS}}},
    {&spec_map,
     NULL,
     {{"put", .drops = true, .dropped = FIRST, .adds = ADDS_BACK, .as = FIRST},
      {"put_if_absent", IF_TRUE, .drops = true, .dropped = FIRST, .adds = ADDS_BACK, .as = FIRST},
      {"get", IF_SOMETHING, SYNC_DEMANDS_EVERY, ARGUMENT, PUT_IN},
      {"remove", IF_TRUE, SYNC_DEMANDS_EVERY, ARGUMENT, OFF_BY_DEFAULT, REMOVES, .drops = true,
       .dropped = ARGUMENT},
      {CLEARED},
      {DRAINED},
      {LISTED}}},
    {&spec_kv,
     NULL,
     {{"put", .drops = true, .dropped = FIRST, .adds = ADDS_BACK, .as = FIRST},
      {"append", .adds = ADDS_IF_CHANGED, .as = FIRST},
      {"get", ALWAYS, SYNC_DEMANDS_EVERY, ARGUMENT, PUT_IN}}},
    {&spec_lock,
     NULL,
     {{"acquire", ALWAYS, SYNC_DEMANDS_EVERY, TAKES},
      {"try_acquire", IF_TRUE, SYNC_DEMANDS_EVERY, TAKES},
      {"release", .drops = true, .adds = ADDS_BACK}}},
    {&spec_rwlock,
     NULL,
     {{"read_lock", ALWAYS, SYNC_DEMANDS_EVERY, WRITER, TAKES},
      {"try_read_lock", IF_TRUE, SYNC_DEMANDS_EVERY, WRITER, TAKES},
      {"read_unlock", .adds = ADDS_BACK, .as = READER},
      {"write_lock", ALWAYS, SYNC_DEMANDS_EVERY, TAKES},
      {"try_write_lock", IF_TRUE, SYNC_DEMANDS_EVERY, TAKES},
      {"write_unlock", .drops = true, .adds = ADDS_BACK, .as = WRITER}}},
    {&spec_semaphore,
     "acquire",
     {{"acquire", ALWAYS, SYNC_DEMANDS_ONE, .takes = true, PERMIT},
      {"try_acquire", IF_TRUE, SYNC_DEMANDS_ONE, .takes = true, PERMIT},
      {"release", .adds = ADDS_BACK}}},
    {&spec_event,
     NULL,
     {{"set", .adds = ADDS_BACK},
      {"reset", .drops = true},
      {"wait", ALWAYS, SYNC_DEMANDS_ONE, WAITS},
      {"is_set", IF_TRUE, SYNC_DEMANDS_ONE, OFF_BY_DEFAULT, SEES}}},
    {&spec_latch,
     NULL,
     {{"count_down", .adds = ADDS_IF_CHANGED},
      {"wait", ALWAYS, SYNC_DEMANDS_EVERY, WAITS},
      {"get", ALWAYS, SYNC_DEMANDS_EVERY, OFF_BY_DEFAULT, SEES}}},
    {&spec_barrier,
     NULL,
     {{"arrive", .adds = ADDS_BACK, .as = RESULT}, {"wait", ALWAYS, SYNC_DEMANDS_EVERY, ARGUMENT, WAITS}}},
    {&spec_register,
     NULL,
     {{"write", .drops = true, .adds = ADDS_BACK},
      {"read", ALWAYS, SYNC_DEMANDS_EVERY, OFF_BY_DEFAULT, READS},
      {"cas", IF_TRUE, SYNC_DEMANDS_EVERY, OFF_BY_DEFAULT, READS, .drops = true, .adds = ADDS_BACK},
      {"cas", IF_FALSE, SYNC_DEMANDS_EVERY, OFF_BY_DEFAULT, READS}}},
    {&spec_counter,
     NULL,
     {{"add", .adds = ADDS_IF_CHANGED},
      {"get", ALWAYS, SYNC_DEMANDS_EVERY, OFF_BY_DEFAULT, COUNTS},
      {"fetch_add", ALWAYS, SYNC_DEMANDS_EVERY, OFF_BY_DEFAULT, COUNTS, .adds = ADDS_IF_CHANGED}}},
    {&spec_set,
     NULL,
     {{"add", IF_TRUE, .drops = true, .dropped = ARGUMENT, .adds = ADDS_BACK, .as = ARGUMENT},
      {"add", IF_FALSE, SYNC_DEMANDS_EVERY, ARGUMENT, OFF_BY_DEFAULT, SEES},
      {"contains", IF_TRUE, SYNC_DEMANDS_EVERY, ARGUMENT, OFF_BY_DEFAULT, SEES},
      {"remove", IF_TRUE, SYNC_DEMANDS_EVERY, ARGUMENT, OFF_BY_DEFAULT, REMOVES, .drops = true,
       .dropped = ARGUMENT},
      {CLEARED},
      {"drain", ALWAYS, SYNC_DEMANDS_EVERY, OFF_BY_DEFAULT, SEES, .drops = true},
      {"items", ALWAYS, SYNC_DEMANDS_EVERY, OFF_BY_DEFAULT, SEES}}},
    {&spec_snapshot,
     NULL,
     {{"update", .drops = true, .dropped = FIRST, .adds = ADDS_BACK, .as = FIRST},
      {"scan", ALWAYS, SYNC_DEMANDS_EVERY, OFF_BY_DEFAULT, READS}}},
};

enum {
    RULES = sizeof all_rules / sizeof *all_rules,
    ROWS = sizeof all_rules[0].rows / sizeof(struct sync_row)
};

static bool has_demand(const struct sync_rules *r, bool all)
{
    for (size_t i = 0; i < ROWS && r->rows[i].operation; i++)
        if (r->rows[i].demand != SYNC_DEMANDS_NOTHING && (all || !r->rows[i].only_all))
            return true;
    return false;
}

/* A comparison that may fail without a reason has not seen anything then. */
const struct sync_rules *sync_rules_of(const struct plumb_spec *spec, bool all)
{
    const struct plumb_spec *root = spec_root(spec);
    if (spec_base_of_weak(spec) && root == &spec_register)
        return NULL;
    for (size_t i = 0; i < RULES; i++)
        if (all_rules[i].spec->operations == root->operations)
            return has_demand(&all_rules[i], all) ? &all_rules[i] : NULL;
    return NULL;
}

/* --- calls ------------------------------------------------------------------------------------------- */

static bool is_when(enum when when, plumb_value result)
{
    switch (when) {
    case IF_TRUE: return result == PLUMB_TRUE;
    case IF_FALSE: return result == PLUMB_FALSE;
    case IF_SOMETHING: return result != PLUMB_NONE;
    case UNLESS_FULL: return result != PLUMB_FALSE;
    default: return true;
    }
}

const struct sync_row *sync_row_of(const struct sync_rules *r, const struct plumb_call *call)
{
    const char *name = r->spec->operations[call->op].name;
    for (size_t i = 0; i < ROWS && r->rows[i].operation; i++)
        if (strcmp(r->rows[i].operation, name) == 0 && is_when(r->rows[i].when, call->result))
            return &r->rows[i];
    return NULL;
}

plumb_value sync_last_argument(const struct plumb_values *values, plumb_value arg)
{
    return plumb_is_array(arg) ? plumb_array_item(values, arg, plumb_array_count(values, arg) - 1) : arg;
}

static plumb_value key_of(const struct plumb_values *values, const struct plumb_call *call, enum key key)
{
    switch (key) {
    case ARGUMENT: return call->arg;
    case FIRST: return plumb_array_item(values, call->arg, 0);
    case LAST: return sync_last_argument(values, call->arg);
    case RESULT: return call->result;
    case WRITER: return PLUMB_TRUE;
    case READER: return PLUMB_FALSE;
    default: return PLUMB_ANY;
    }
}

/* An item in a priority queue, as its argument has it. */
static int64_t priority_of(const struct plumb_values *values, const struct sync_row *row, plumb_value arg)
{
    if (row->as != LAST)
        return 0;
    return plumb_int_of(values, plumb_is_array(arg) ? plumb_array_item(values, arg, 0) : arg);
}

/* --- the store --------------------------------------------------------------------------------------- */

void sync_start(const struct sync_rules *rules, const struct plumb_spec *spec,
                const struct plumb_spec_options *options, struct sync_store *store)
{
    store->count = 0;
    if (!rules->starts_with)
        return;
    struct plumb_call call = {spec_operation(spec, rules->starts_with), 0, PLUMB_OK, PLUMB_ANY};
    void *state = spec_init(spec, options);
    while (store->count < SYNC_ITEMS_MAX && spec->step(state, &call, 0, NULL))
        store->items[store->count++] = (struct sync_item){PLUMB_ANY, 0, SYNC_NO_SOURCE};
    spec->destroy(state);
}

static uint64_t items_with(const struct sync_store *s, plumb_value key)
{
    uint64_t items = 0;
    for (uint32_t i = 0; i < s->count; i++)
        if (key == PLUMB_ANY || s->items[i].key == key)
            items |= UINT64_C(1) << i;
    return items;
}

static uint64_t least_of(const struct sync_store *s, uint64_t items)
{
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < s->count; i++)
        least = s->items[i].priority < least ? s->items[i].priority : least;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->items[i].priority != least)
            items &= ~(UINT64_C(1) << i);
    return items;
}

static uint64_t candidates_of(const struct sync_row *row, plumb_value key, const struct sync_store *s)
{
    switch (row->demand) {
    case SYNC_DEMANDS_FIRST: return s->count ? 1 : 0;
    case SYNC_DEMANDS_LAST: return s->count ? UINT64_C(1) << (s->count - 1) : 0;
    case SYNC_DEMANDS_LEAST: return least_of(s, items_with(s, key));
    default: return items_with(s, key);
    }
}

struct sync_demanded sync_demands(const struct sync_row *row, bool all, const struct plumb_values *values,
                                  const struct plumb_call *call, const struct sync_store *store)
{
    if (!row || row->demand == SYNC_DEMANDS_NOTHING || (row->only_all && !all))
        return (struct sync_demanded){0};
    return (struct sync_demanded){.every = row->demand == SYNC_DEMANDS_EVERY,
                                  .takes = row->takes,
                                  .candidates = candidates_of(row, key_of(values, call, row->of), store),
                                  .relation = row->relation};
}

static void drop(struct sync_store *s, uint64_t items)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->count; i++)
        if (!(items >> i & 1))
            s->items[kept++] = s->items[i];
    s->count = kept;
}

static void add(struct sync_store *s, bool at_front, struct sync_item item)
{
    if (s->count == SYNC_ITEMS_MAX) /* more than operations can be judged */
        return;
    if (at_front)
        memmove(s->items + 1, s->items, s->count * sizeof *s->items);
    s->items[at_front ? 0 : s->count] = item;
    s->count++;
}

void sync_apply(const struct sync_row *row, const struct plumb_values *values, const struct plumb_call *call,
                uint8_t source, uint32_t taken, bool changes, struct sync_store *store)
{
    if (!row)
        return;
    if (taken < SYNC_ITEMS_MAX)
        drop(store, UINT64_C(1) << taken);
    if (row->drops)
        drop(store, items_with(store, key_of(values, call, row->dropped)));
    if (row->adds == ADDS_NOTHING || (row->adds == ADDS_IF_CHANGED && !changes))
        return;
    add(store, row->adds == ADDS_FRONT,
        (struct sync_item){key_of(values, call, row->as), priority_of(values, row, call->arg), source});
}
