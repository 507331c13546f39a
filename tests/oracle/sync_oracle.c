/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/sync_oracle.h"

#include <string.h>

/* ---- what comes before what: calls are the first nodes, returns the others ---- */

void sync_oracle_close(struct sync_oracle *o)
{
    enum { NODES = 2 * SYNC_ORACLE_OPS };
    bool reach[NODES][NODES] = {{false}};
    uint32_t n = o->count;
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++) {
            reach[a][n + b] = (o->before[a][b] || a == b) && o->ops[b].completed;
            reach[n + a][b] = o->after[a][b];
        }
    for (uint32_t k = 0; k < 2 * n; k++)
        for (uint32_t a = 0; a < 2 * n; a++)
            for (uint32_t b = 0; b < 2 * n; b++)
                reach[a][b] |= reach[a][k] && reach[k][b];
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++) {
            o->before[a][b] = reach[a][n + b];
            o->after[a][b] = reach[n + a][b];
        }
}

/* ---- one order ---- */

struct order {
    const struct sync_oracle *o;
    uint32_t object;
    uint32_t length;
    uint8_t at[SYNC_ORACLE_OPS];
    bool legal; /* one has been found */
};

static const struct sync_oracle_op *op_at(const struct order *s, uint32_t place)
{
    return &s->o->ops[s->at[place]];
}

static bool is(const struct order *s, uint32_t place, const char *name)
{
    return strcmp(op_at(s, place)->name, name) == 0;
}

static bool is_with(const struct order *s, uint32_t place, const char *name, plumb_value result)
{
    return is(s, place, name) && op_at(s, place)->result == result;
}

static bool in_time(const struct order *s, uint32_t earlier, uint32_t later)
{
    return s->o->before[s->at[earlier]][s->at[later]];
}

static plumb_value item(const struct order *s, uint32_t place, size_t i)
{
    return plumb_array_item(s->o->values, op_at(s, place)->arg, i);
}

/* ---- operations on everything inside ---- */

static bool lists(const struct order *s, uint32_t place)
{
    return is(s, place, "items") || is(s, place, "drain");
}

static bool empties(const struct order *s, uint32_t place)
{
    return is(s, place, "clear") || is(s, place, "drain");
}

static bool counts_all(const struct order *s, uint32_t place)
{
    return is(s, place, "size") || is(s, place, "is_empty");
}

/* ---- sequences: which addition a removal removes is certain ---- */

static bool sequence_keeps(const struct order *s)
{
    uint32_t inside[2 * SYNC_ORACLE_OPS], first = SYNC_ORACLE_OPS, end = SYNC_ORACLE_OPS;
    for (uint32_t p = 0; p < s->length; p++) {
        bool adds = oracle_adds(oracle_name(op_at(s, p)->name));
        if (adds && op_at(s, p)->result == PLUMB_FALSE) {
            continue; /* it was full */
        } else if (is(s, p, "push_front")) {
            inside[--first] = p;
        } else if (adds) {
            inside[end++] = p;
        } else if (lists(s, p) || empties(s, p) || counts_all(s, p)) {
            for (uint32_t i = first; i < end && lists(s, p); i++)
                if (!in_time(s, inside[i], p))
                    return false;
            first = empties(s, p) ? end : first;
        } else if (op_at(s, p)->result != PLUMB_NONE) {
            bool stack = oracle_is(s->o->spec, "stack");
            bool front = is(s, p, "deq") || is(s, p, "pop_front") || is(s, p, "peek_front") ||
                         (is(s, p, "peek") && !stack);
            if (!in_time(s, front ? inside[first] : inside[end - 1], p))
                return false;
            if (is(s, p, "peek") || is(s, p, "peek_front") || is(s, p, "peek_back"))
                continue;
            if (front)
                first++;
            else
                end--;
        }
    }
    return true;
}

/* ---- equal items: every way to say which one it was ---- */

static int64_t priority(const struct order *s, uint32_t place)
{
    plumb_value arg = op_at(s, place)->arg;
    return plumb_int_of(s->o->values, plumb_is_array(arg) ? item(s, place, 0) : arg);
}

static bool adds(const struct order *s, uint32_t place)
{
    return is(s, place, "add") || is(s, place, "insert") || is(s, place, "release");
}

static bool finds(const struct order *s, uint32_t p)
{
    plumb_value result = op_at(s, p)->result;
    if (is(s, p, "take") || is(s, p, "delete_min") || is(s, p, "min"))
        return result != PLUMB_NONE;
    return is(s, p, "acquire") || ((is(s, p, "remove") || is(s, p, "try_acquire")) && result == PLUMB_TRUE);
}

static bool is_least(const struct order *s, uint32_t place, uint32_t inside)
{
    for (uint32_t q = 0; q < s->length; q++)
        if (inside >> q & 1 && priority(s, q) < priority(s, place))
            return false;
    return true;
}

/* May the operation at `p` have found what the one at `q` put in? */
static bool may_be(const struct order *s, uint32_t p, uint32_t q, uint32_t inside)
{
    plumb_value arg = op_at(s, q)->arg;
    if (is(s, p, "acquire") || is(s, p, "try_acquire"))
        return true;
    if (is(s, p, "remove"))
        return arg == op_at(s, p)->arg;
    if (is(s, p, "take"))
        return arg == op_at(s, p)->result;
    plumb_value value = plumb_is_array(arg) ? item(s, q, 1) : arg;
    return value == op_at(s, p)->result && is_least(s, q, inside);
}

static bool counts_keep(const struct order *s, uint32_t p, uint32_t inside)
{
    for (uint32_t q = 0; q < p; q++)
        if (inside >> q & 1 && op_at(s, q)->arg == op_at(s, p)->arg && !in_time(s, q, p))
            return false;
    return true;
}

/* From place p on, with the additions `inside` and so many free permits. */
static bool equals_keep(const struct order *s, uint32_t p, uint32_t inside, uint32_t free)
{
    if (p == s->length)
        return true;
    if (adds(s, p))
        return equals_keep(s, p + 1, inside | 1u << p, free);
    if (is(s, p, "count") && s->o->all && !counts_keep(s, p, inside))
        return false;
    for (uint32_t q = 0; q < p && lists(s, p); q++)
        if (inside >> q & 1 && !in_time(s, q, p))
            return false;
    if (!finds(s, p))
        return equals_keep(s, p + 1, empties(s, p) ? 0 : inside, free);
    if (free && equals_keep(s, p + 1, inside, free - 1))
        return true;
    for (uint32_t q = 0; q < p; q++)
        if (inside >> q & 1 && may_be(s, p, q, inside) && in_time(s, q, p) &&
            equals_keep(s, p + 1, is(s, p, "min") ? inside : inside & ~(1u << q), free))
            return true;
    return false;
}

/* ---- the rest: the latest, or all, of what came before ---- */

/* All operations of that name before place p, down to the first that `stops`. */
static bool puts_keep(const struct order *s, uint32_t p, plumb_value key)
{
    for (uint32_t q = p; q-- > 0;) {
        bool puts = is(s, q, "put") || is_with(s, q, "put_if_absent", PLUMB_TRUE) || is(s, q, "update");
        if (puts && item(s, q, 0) == key)
            return in_time(s, q, p);
        if (empties(s, q) || (is_with(s, q, "remove", PLUMB_TRUE) && op_at(s, q)->arg == key))
            return true;
        if (!is(s, q, "append") || item(s, q, 0) != key)
            continue;
        size_t length;
        plumb_string_of(s->o->values, item(s, q, 1), &length);
        if (length && !in_time(s, q, p))
            return false;
    }
    return true;
}

static bool map_keeps(const struct order *s, uint32_t p)
{
    for (uint32_t q = 0; q < p && lists(s, p); q++)
        if ((is(s, q, "put") || is(s, q, "put_if_absent")) && !puts_keep(s, p, item(s, q, 0)))
            return false;
    bool removes = s->o->all && is_with(s, p, "remove", PLUMB_TRUE);
    bool gets = is(s, p, "get") && op_at(s, p)->result != PLUMB_NONE;
    return !(gets || removes) || puts_keep(s, p, op_at(s, p)->arg);
}

static bool scan_keeps(const struct order *s, uint32_t p)
{
    if (!s->o->all || !is(s, p, "scan"))
        return true;
    for (uint32_t q = 0; q < p; q++)
        if (is(s, q, "update") && !puts_keep(s, p, item(s, q, 0)))
            return false;
    return true;
}

/* Of a set: is what was added at `q` still inside at `p`? */
static bool stays(const struct order *s, uint32_t q, uint32_t p)
{
    for (uint32_t r = q + 1; r < p; r++)
        if (empties(s, r) || (is_with(s, r, "remove", PLUMB_TRUE) && op_at(s, r)->arg == op_at(s, q)->arg))
            return false;
    return true;
}

static bool set_keeps(const struct order *s, uint32_t p)
{
    for (uint32_t q = 0; q < p && s->o->all && lists(s, p); q++)
        if (is_with(s, q, "add", PLUMB_TRUE) && stays(s, q, p) && !in_time(s, q, p))
            return false;
    plumb_value key = op_at(s, p)->arg;
    bool finds_it = is_with(s, p, "add", PLUMB_FALSE) || is_with(s, p, "contains", PLUMB_TRUE) ||
                    is_with(s, p, "remove", PLUMB_TRUE);
    for (uint32_t q = p; q-- > 0 && finds_it && s->o->all;)
        if (is_with(s, q, "add", PLUMB_TRUE) && op_at(s, q)->arg == key)
            return in_time(s, q, p);
    return true;
}

static bool register_keeps(const struct order *s, uint32_t p)
{
    for (uint32_t q = p; q-- > 0 && s->o->all && !is(s, p, "write");)
        if (is(s, q, "write") || is_with(s, q, "cas", PLUMB_TRUE))
            return in_time(s, q, p);
    return true;
}

static bool counter_keeps(const struct order *s, uint32_t p)
{
    for (uint32_t q = 0; q < p && s->o->all && !is(s, p, "add"); q++)
        if (!is(s, q, "get") && plumb_int_of(s->o->values, op_at(s, q)->arg) != 0 && !in_time(s, q, p))
            return false;
    return true;
}

static bool takes(const struct order *s, uint32_t p, const char *name, const char *tries)
{
    return is(s, p, name) || is_with(s, p, tries, PLUMB_TRUE);
}

static bool lock_keeps(const struct order *s, uint32_t p)
{
    for (uint32_t q = p; q-- > 0 && takes(s, p, "acquire", "try_acquire");)
        if (is(s, q, "release"))
            return in_time(s, q, p);
    return true;
}

/* Readers have to know the last writer, a writer that one and all readers since. */
static bool rwlock_keeps(const struct order *s, uint32_t p)
{
    bool reads = takes(s, p, "read_lock", "try_read_lock");
    bool writes = takes(s, p, "write_lock", "try_write_lock");
    for (uint32_t q = p; q-- > 0 && (reads || writes);) {
        if (is(s, q, "write_unlock"))
            return in_time(s, q, p);
        if (writes && is(s, q, "read_unlock") && !in_time(s, q, p))
            return false;
    }
    return true;
}

static bool event_keeps(const struct order *s, uint32_t p)
{
    if (!is(s, p, "wait") && !(s->o->all && is_with(s, p, "is_set", PLUMB_TRUE)))
        return true;
    for (uint32_t q = p; q-- > 0 && !is(s, q, "reset");)
        if (is(s, q, "set") && in_time(s, q, p))
            return true;
    return false;
}

static bool latch_keeps(const struct order *s, uint32_t p)
{
    int64_t left = s->o->initial == PLUMB_OK ? 1 : plumb_int_of(s->o->values, s->o->initial);
    if (!is(s, p, "wait") && !(s->o->all && is(s, p, "get")))
        return true;
    for (uint32_t q = 0; q < p; q++)
        if (is(s, q, "count_down") && left-- > 0 && !in_time(s, q, p))
            return false;
    return true;
}

static bool barrier_keeps(const struct order *s, uint32_t p)
{
    for (uint32_t q = 0; q < p && is(s, p, "wait"); q++)
        if (is_with(s, q, "arrive", op_at(s, p)->arg) && !in_time(s, q, p))
            return false;
    return true;
}

typedef bool place_rule(const struct order *s, uint32_t place);

static place_rule *rule_of(const struct oracle_spec *spec)
{
    static const struct {
        const char *spec;
        place_rule *rule;
    } rules[] = {{"map", map_keeps},         {"kv", map_keeps},         {"snapshot", scan_keeps},
                 {"set", set_keeps},         {"lock", lock_keeps},      {"register", register_keeps},
                 {"counter", counter_keeps}, {"event", event_keeps},    {"rwlock", rwlock_keeps},
                 {"latch", latch_keeps},     {"barrier", barrier_keeps}};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (oracle_is(spec, rules[i].spec))
            return rules[i].rule;
    return NULL;
}

static bool order_keeps(const struct order *s)
{
    const struct oracle_spec *spec = s->o->spec;
    if (spec->weak && oracle_is(spec, "register")) /* a comparison that failed need not have seen anything */
        return true;
    place_rule *rule = rule_of(spec);
    for (uint32_t p = 0; p < s->length && rule; p++)
        if (!rule(s, p))
            return false;
    if (rule)
        return true;
    if (oracle_is(spec, "queue") || oracle_is(spec, "stack") || oracle_is(spec, "deque"))
        return sequence_keeps(s);
    bool permits = oracle_is(spec, "semaphore") && s->o->initial != PLUMB_OK;
    return equals_keep(s, 0, 0, permits ? (uint32_t)plumb_int_of(s->o->values, s->o->initial) : 0);
}

/* ---- every order ---- */

static bool may_be_next(const struct order *s, uint32_t done, uint32_t i)
{
    const struct sync_oracle *o = s->o;
    if (done >> i & 1 || !o->ops[i].completed || o->ops[i].object != s->object)
        return false;
    for (uint32_t a = 0; a < o->count; a++)
        if (o->after[a][i] && o->ops[a].completed && o->ops[a].object == s->object && !(done >> a & 1))
            return false;
    return true;
}

static bool try_orders(struct order *s, uint32_t done, const struct oracle_state *state)
{
    bool ended = true;
    for (uint32_t i = 0; i < s->o->count; i++) {
        const struct sync_oracle_op *op = &s->o->ops[i];
        if (op->completed && op->object == s->object && !(done >> i & 1))
            ended = false;
        if (!may_be_next(s, done, i))
            continue;
        struct oracle_call call = {s->o->values, op->arg, op->result, oracle_name(op->name), op->thread};
        for (unsigned choice = 0;; choice++) {
            struct oracle_state next = *state;
            plumb_value answer;
            if (!oracle_perform(s->o->spec, &next, &call, choice, &answer))
                break;
            s->at[s->length++] = (uint8_t)i;
            bool found = answer == op->result && try_orders(s, done | 1u << i, &next);
            s->length--;
            if (found)
                return true;
        }
    }
    s->legal |= ended;
    return ended && order_keeps(s);
}

enum sync_oracle_answer sync_oracle_ask(const struct sync_oracle *o)
{
    enum sync_oracle_answer all = SYNC_KEPT;
    uint32_t seen = 0;
    for (uint32_t i = 0; i < o->count; i++) {
        if (seen >> o->ops[i].object & 1)
            continue;
        seen |= 1u << o->ops[i].object;
        struct order s = {.o = o, .object = o->ops[i].object};
        struct oracle_state start = oracle_start(o->spec, o->values, o->initial);
        if (try_orders(&s, 0, &start))
            continue;
        if (s.legal)
            return SYNC_BROKEN;
        all = SYNC_NO_ORDER;
    }
    return all;
}
