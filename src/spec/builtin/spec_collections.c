/* SPDX-License-Identifier: Apache-2.0 */
/* set, multiset, bag and map: tables by value or key. */
#include "history/value_text.h"
#include "spec/builtin/builtin.h"

static plumb_value collection_key(const struct plumb_values *values, const struct plumb_call *call)
{
    (void)values;
    return call->arg;
}

static void collection_print_value(struct text *out, const struct table *t, const struct table_entry *e)
{
    value_print(out, t->values, e->key);
}

static void collection_print_copies(struct text *out, const struct table *t, const struct table_entry *e)
{
    value_print(out, t->values, e->key);
    if (e->word > 1)
        text_printf(out, " ×%llu", (unsigned long long)e->word);
}

static size_t multiset_print(const void *state, char *buffer, size_t size)
{
    return table_print(state, "{}", collection_print_copies, buffer, size);
}

enum { SET_ADD, SET_REMOVE, SET_CONTAINS, SET_WHOLE };

static const struct plumb_operation set_operations[] = {
    [SET_ADD] = {"add", "v", "b", false, PLUMB_ADDS, "k"},
    [SET_REMOVE] = {"remove", "v", "b", false, PLUMB_REMOVES, "k"},
    [SET_CONTAINS] = {"contains", "v", "b", true, PLUMB_LOOKS, "k"},
    WHOLE_OPERATIONS(SET_WHOLE),
};

static bool set_step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct table *t = state;
    if (call->op >= SET_WHOLE)
        return table_whole(t, TABLE_KEYS, call->op - SET_WHOLE, call, choice, result);
    uint32_t at = table_find(t, call->arg, 0);
    bool present = at != TABLE_NONE;
    if (choice || !spec_answer(call, plumb_bool(call->op == SET_ADD ? !present : present), result))
        return false;
    if (call->op == SET_ADD && !present)
        table_insert(t, call->arg, 0, 1);
    else if (call->op == SET_REMOVE && present)
        table_remove(t, at);
    return true;
}

static size_t set_print(const void *state, char *buffer, size_t size)
{
    return table_print(state, "{}", collection_print_value, buffer, size);
}

#define SET_MEMBERS                                                             \
    .name = "set", .summary = "a set of values", TABLE_STATE, .step = set_step, \
    .effect_free = spec_answers_false, .print = set_print, .deterministic = true

const struct plumb_spec spec_set = {
    .kind = PLUMB_KIND_SET,
    SPEC_FIRST_OPERATIONS(set_operations, SET_WHOLE),
    .key = collection_key,
    SET_MEMBERS,
};

const struct plumb_spec spec_set_whole = {SPEC_OPERATIONS(set_operations), SET_MEMBERS};

enum { MULTISET_ADD, MULTISET_REMOVE, MULTISET_COUNT };

static const struct plumb_operation multiset_operations[] = {
    [MULTISET_ADD] = {"add", "v", "k", false, PLUMB_ADDS, "k"},
    [MULTISET_REMOVE] = {"remove", "v", "b", false, PLUMB_REMOVES, "k"},
    [MULTISET_COUNT] = {"count", "v", "i", true, PLUMB_LOOKS, "k"},
};

static plumb_value multiset_answer(const struct table *t, uint32_t op, uint32_t at)
{
    if (op == MULTISET_ADD)
        return PLUMB_OK;
    if (op == MULTISET_REMOVE)
        return plumb_bool(at != TABLE_NONE);
    return plumb_int(t->values, at == TABLE_NONE ? 0 : (int64_t)t->entries[at].word);
}

static bool multiset_step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct table *t = state;
    uint32_t at = table_find(t, call->arg, 0);
    if (choice || !spec_answer(call, multiset_answer(t, call->op, at), result))
        return false;
    if (call->op == MULTISET_ADD)
        table_add_copy(t, call->arg, 0);
    else if (call->op == MULTISET_REMOVE && at != TABLE_NONE)
        table_drop_copy(t, at);
    return true;
}

const struct plumb_spec spec_multiset = {
    .name = "multiset",
    .kind = PLUMB_KIND_MULTISET,
    .summary = "a set that counts equal values",
    SPEC_OPERATIONS(multiset_operations),
    TABLE_STATE,
    .step = multiset_step,
    .effect_free = spec_answers_false,
    .key = collection_key,
    .print = multiset_print,
    .deterministic = true,
};

enum { BAG_ADD, BAG_TAKE, BAG_WHOLE };

static const struct plumb_operation bag_operations[] = {
    [BAG_ADD] = {"add", "e", "k", false, PLUMB_ADDS, "v"},
    [BAG_TAKE] = {"take", "", "vN", false, PLUMB_REMOVES, NULL},
    WHOLE_OPERATIONS(BAG_WHOLE),
};

/* Outcome `choice` of take: an entry that agrees with the result. */
static uint32_t bag_choose(const struct table *t, const struct plumb_call *call, unsigned choice)
{
    if (call->result == PLUMB_ANY)
        return choice < t->count ? choice : TABLE_NONE;
    return choice ? TABLE_NONE : table_find(t, call->result, 0);
}

static bool bag_step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct table *t = state;
    if (call->op >= BAG_WHOLE)
        return table_whole(t, TABLE_COPIES, call->op - BAG_WHOLE, call, choice, result);
    if (call->op == BAG_ADD) {
        if (choice || !spec_answer(call, PLUMB_OK, result))
            return false;
        table_add_copy(t, call->arg, 0);
        return true;
    }
    if (!t->count)
        return !choice && spec_answer(call, PLUMB_NONE, result);
    uint32_t at = bag_choose(t, call, choice);
    if (at == TABLE_NONE)
        return false;
    spec_answer(call, t->entries[at].key, result);
    table_drop_copy(t, at);
    return true;
}

#define BAG_MEMBERS                                                                               \
    .name = "bag", .summary = "values that come out in any order", TABLE_STATE, .step = bag_step, \
    .effect_free = spec_answers_none, .print = multiset_print, .deterministic = true

const struct plumb_spec spec_bag = {
    .kind = PLUMB_KIND_BAG,
    SPEC_FIRST_OPERATIONS(bag_operations, BAG_WHOLE),
    BAG_MEMBERS,
};

const struct plumb_spec spec_bag_whole = {SPEC_OPERATIONS(bag_operations), BAG_MEMBERS};

enum { MAP_PUT, MAP_GET, MAP_REMOVE, MAP_PUT_IF_ABSENT, MAP_WHOLE };

static const struct plumb_operation map_operations[] = {
    [MAP_PUT] = {"put", "ve", "k", false, PLUMB_WRITES, "kv"},
    [MAP_GET] = {"get", "v", "vN", true, PLUMB_READS, "k"},
    [MAP_REMOVE] = {"remove", "v", "b", false, PLUMB_REMOVES, "k"},
    [MAP_PUT_IF_ABSENT] = {"put_if_absent", "ve", "b", false, PLUMB_ADDS, "kv"},
    WHOLE_OPERATIONS(MAP_WHOLE),
};

static plumb_value map_key(const struct plumb_values *values, const struct plumb_call *call)
{
    bool pair = call->op == MAP_PUT || call->op == MAP_PUT_IF_ABSENT;
    return pair ? plumb_array_item(values, call->arg, 0) : call->arg;
}

static plumb_value map_answer(const struct table *t, uint32_t op, uint32_t at)
{
    switch (op) {
    case MAP_PUT: return PLUMB_OK;
    case MAP_GET: return at == TABLE_NONE ? PLUMB_NONE : t->entries[at].word;
    case MAP_REMOVE: return plumb_bool(at != TABLE_NONE);
    default: return plumb_bool(at == TABLE_NONE);
    }
}

static bool map_step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct table *t = state;
    if (call->op >= MAP_WHOLE)
        return table_whole(t, TABLE_PAIRS, call->op - MAP_WHOLE, call, choice, result);
    plumb_value key = map_key(t->values, call);
    uint32_t at = table_find(t, key, 0);
    bool present = at != TABLE_NONE;
    if (choice || !spec_answer(call, map_answer(t, call->op, at), result))
        return false;
    if (call->op == MAP_PUT && present)
        table_set(t, at, plumb_array_item(t->values, call->arg, 1));
    else if ((call->op == MAP_PUT || call->op == MAP_PUT_IF_ABSENT) && !present)
        table_insert(t, key, 0, plumb_array_item(t->values, call->arg, 1));
    else if (call->op == MAP_REMOVE && present)
        table_remove(t, at);
    return true;
}

#define MAP_MEMBERS                                                              \
    .name = "map", .summary = "keys with values", TABLE_STATE, .step = map_step, \
    .effect_free = spec_answers_false, .print = table_print_pairs, .deterministic = true

const struct plumb_spec spec_map = {
    .kind = PLUMB_KIND_MAP,
    SPEC_FIRST_OPERATIONS(map_operations, MAP_WHOLE),
    .key = map_key,
    MAP_MEMBERS,
};

const struct plumb_spec spec_map_whole = {SPEC_OPERATIONS(map_operations), MAP_MEMBERS};
