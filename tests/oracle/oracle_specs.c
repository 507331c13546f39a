/* SPDX-License-Identifier: Apache-2.0 */
/* What each specification means, one operation after the other. */
#include "oracle.h"
#include "oracle_names.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
#define X(n) #n,
    NAMES(X)
#undef X
};

int oracle_name(const char *name)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return (int)i;
    return -1;
}

/* ---- small tools ---- */

static bool done(plumb_value *answer, plumb_value v)
{
    *answer = v;
    return true;
}

static void insert_at(struct oracle_state *s, uint32_t at, plumb_value key, plumb_value value)
{
    if (s->count == ORACLE_MAX)
        abort();
    for (uint32_t i = s->count++; i > at; i--) {
        s->key[i] = s->key[i - 1];
        s->value[i] = s->value[i - 1];
    }
    s->key[at] = key;
    s->value[at] = value;
}

static plumb_value remove_at(struct oracle_state *s, uint32_t at)
{
    plumb_value gone = s->value[at];
    s->count--;
    for (uint32_t i = at; i < s->count; i++) {
        s->key[i] = s->key[i + 1];
        s->value[i] = s->value[i + 1];
    }
    s->key[s->count] = s->value[s->count] = 0;
    return gone;
}

/* The index of `key`, or s->count. */
static uint32_t find_key(const struct oracle_state *s, plumb_value key)
{
    uint32_t i = 0;
    while (i < s->count && s->key[i] != key)
        i++;
    return i;
}

static void set_key(struct oracle_state *s, plumb_value key, plumb_value value)
{
    uint32_t i = find_key(s, key);
    if (i == s->count)
        insert_at(s, i, key, value);
    else
        s->value[i] = value;
}

static plumb_value first_or_none(const struct oracle_state *s)
{
    return s->count ? s->value[0] : PLUMB_NONE;
}

static plumb_value last_or_none(const struct oracle_state *s)
{
    return s->count ? s->value[s->count - 1] : PLUMB_NONE;
}

static bool remove_first(struct oracle_state *s, plumb_value *answer)
{
    return done(answer, s->count ? remove_at(s, 0) : PLUMB_NONE);
}

static bool remove_last(struct oracle_state *s, plumb_value *answer)
{
    return done(answer, s->count ? remove_at(s, s->count - 1) : PLUMB_NONE);
}

static bool add_last(struct oracle_state *s, plumb_value v, plumb_value *answer)
{
    insert_at(s, s->count, 0, v);
    return done(answer, PLUMB_OK);
}

static plumb_value part_of(const struct oracle_call *c, size_t i)
{
    if (i >= plumb_array_count(c->values, c->arg))
        abort();
    return plumb_array_item(c->values, c->arg, i);
}

/* ---- containers ---- */

static bool step_queue(struct oracle_state *s, const struct oracle_call *c, plumb_value *answer)
{
    switch (c->name) {
    case NAME_enq: return add_last(s, c->arg, answer);
    case NAME_deq: return remove_first(s, answer);
    case NAME_peek: return done(answer, first_or_none(s));
    }
    abort();
}

static bool step_stack(struct oracle_state *s, const struct oracle_call *c, plumb_value *answer)
{
    switch (c->name) {
    case NAME_push: return add_last(s, c->arg, answer);
    case NAME_pop: return remove_last(s, answer);
    case NAME_peek: return done(answer, last_or_none(s));
    }
    abort();
}

static bool step_deque(struct oracle_state *s, const struct oracle_call *c, plumb_value *answer)
{
    switch (c->name) {
    case NAME_push_front: insert_at(s, 0, 0, c->arg); return done(answer, PLUMB_OK);
    case NAME_push_back: return add_last(s, c->arg, answer);
    case NAME_pop_front: return remove_first(s, answer);
    case NAME_pop_back: return remove_last(s, answer);
    case NAME_peek_front: return done(answer, first_or_none(s));
    case NAME_peek_back: return done(answer, last_or_none(s));
    }
    abort();
}

static bool is_more_urgent(const struct oracle_call *c, plumb_value a, plumb_value b)
{
    return plumb_int_of(c->values, a) < plumb_int_of(c->values, b);
}

/* The index of the choice-th item that nothing is more urgent than, or s->count. */
static uint32_t find_most_urgent(const struct oracle_state *s, const struct oracle_call *c, unsigned choice)
{
    for (uint32_t i = 0; i < s->count; i++) {
        bool minimal = true;
        for (uint32_t j = 0; j < s->count; j++)
            minimal = minimal && !is_more_urgent(c, s->key[j], s->key[i]);
        if (minimal && choice-- == 0)
            return i;
    }
    return s->count;
}

static bool step_pqueue(struct oracle_state *s, const struct oracle_call *c, unsigned choice,
                        plumb_value *answer)
{
    if (c->name == NAME_insert) {
        bool pair = plumb_is_array(c->arg);
        insert_at(s, s->count, pair ? part_of(c, 0) : c->arg, pair ? part_of(c, 1) : c->arg);
        return choice == 0 && done(answer, PLUMB_OK);
    }
    if (s->count == 0)
        return choice == 0 && done(answer, PLUMB_NONE);
    uint32_t i = find_most_urgent(s, c, choice);
    if (i == s->count)
        return false;
    switch (c->name) {
    case NAME_delete_min: return done(answer, remove_at(s, i));
    case NAME_min: return done(answer, s->value[i]);
    }
    abort();
}

static bool step_bag(struct oracle_state *s, const struct oracle_call *c, unsigned choice,
                     plumb_value *answer)
{
    switch (c->name) {
    case NAME_add: return choice == 0 && add_last(s, c->arg, answer);
    case NAME_take:
        if (s->count == 0)
            return choice == 0 && done(answer, PLUMB_NONE);
        return choice < s->count && done(answer, remove_at(s, choice));
    }
    abort();
}

static bool step_set(struct oracle_state *s, const struct oracle_call *c, plumb_value *answer)
{
    uint32_t i = find_key(s, c->arg);
    bool present = i < s->count;
    switch (c->name) {
    case NAME_add:
        if (!present)
            insert_at(s, i, c->arg, 0);
        return done(answer, plumb_bool(!present));
    case NAME_remove:
        if (present)
            remove_at(s, i);
        return done(answer, plumb_bool(present));
    case NAME_contains: return done(answer, plumb_bool(present));
    }
    abort();
}

static bool step_multiset(struct oracle_state *s, const struct oracle_call *c, plumb_value *answer)
{
    uint32_t i = find_key(s, c->arg);
    bool present = i < s->count;
    int64_t copies = 0;
    switch (c->name) {
    case NAME_add: insert_at(s, s->count, c->arg, 0); return done(answer, PLUMB_OK);
    case NAME_remove:
        if (present)
            remove_at(s, i);
        return done(answer, plumb_bool(present));
    case NAME_count:
        for (uint32_t j = 0; j < s->count; j++)
            copies += s->key[j] == c->arg;
        return done(answer, plumb_int(c->values, copies));
    }
    abort();
}

static bool step_map(struct oracle_state *s, const struct oracle_call *c, plumb_value *answer)
{
    bool pair = c->name == NAME_put || c->name == NAME_put_if_absent;
    plumb_value key = pair ? part_of(c, 0) : c->arg;
    uint32_t i = find_key(s, key);
    bool present = i < s->count;
    switch (c->name) {
    case NAME_put: set_key(s, key, part_of(c, 1)); return done(answer, PLUMB_OK);
    case NAME_get: return done(answer, present ? s->value[i] : PLUMB_NONE);
    case NAME_remove:
        if (present)
            remove_at(s, i);
        return done(answer, plumb_bool(present));
    case NAME_put_if_absent:
        if (!present)
            set_key(s, key, part_of(c, 1));
        return done(answer, plumb_bool(!present));
    }
    abort();
}

static plumb_value concatenate(struct plumb_values *values, plumb_value a, plumb_value b)
{
    char text[1024];
    size_t na, nb;
    const char *pa = plumb_string_of(values, a, &na), *pb = plumb_string_of(values, b, &nb);
    if (na + nb > sizeof text)
        abort();
    memcpy(text, pa, na);
    memcpy(text + na, pb, nb);
    return plumb_string(values, text, na + nb);
}

static bool step_kv(struct oracle_state *s, const struct oracle_call *c, plumb_value *answer)
{
    plumb_value key = c->name == NAME_get ? c->arg : part_of(c, 0);
    uint32_t i = find_key(s, key);
    plumb_value old = i < s->count ? s->value[i] : plumb_string(c->values, "", 0);
    switch (c->name) {
    case NAME_put: set_key(s, key, part_of(c, 1)); return done(answer, PLUMB_OK);
    case NAME_append:
        set_key(s, key, concatenate(c->values, old, part_of(c, 1)));
        return done(answer, PLUMB_OK);
    case NAME_get: return done(answer, old);
    }
    abort();
}

/* ---- registers, counters, snapshots ---- */

static bool step_register(struct oracle_state *s, const struct oracle_call *c, plumb_value *answer)
{
    bool equal;
    switch (c->name) {
    case NAME_write: s->value[0] = c->arg; return done(answer, PLUMB_OK);
    case NAME_read: return done(answer, s->value[0]);
    case NAME_cas:
        equal = s->value[0] == part_of(c, 0);
        if (equal)
            s->value[0] = part_of(c, 1);
        return done(answer, plumb_bool(equal));
    }
    abort();
}

/* One part of a transaction; the same part with what it read. */
static plumb_value step_part(struct oracle_state *s, const struct oracle_call *c, plumb_value part)
{
    size_t length;
    plumb_value items[3];
    for (size_t i = 0; i < 3; i++)
        items[i] = plumb_array_item(c->values, part, i);
    uint32_t at = find_key(s, items[1]);
    if (*plumb_string_of(c->values, items[0], &length) == 'w')
        set_key(s, items[1], items[2]);
    else
        items[2] = at < s->count ? s->value[at] : s->untouched;
    return plumb_array(c->values, items, 3);
}

static bool step_multiregister(struct oracle_state *s, const struct oracle_call *c, plumb_value *answer)
{
    uint32_t i = find_key(s, c->arg);
    plumb_value parts[ORACLE_MAX];
    size_t count = 0;
    switch (c->name) {
    case NAME_read: return done(answer, i < s->count ? s->value[i] : s->untouched);
    case NAME_write: set_key(s, part_of(c, 0), part_of(c, 1)); return done(answer, PLUMB_OK);
    case NAME_txn:
        for (; count < plumb_array_count(c->values, c->arg); count++)
            parts[count] = step_part(s, c, part_of(c, count));
        return done(answer, c->result == PLUMB_OK ? PLUMB_OK : plumb_array(c->values, parts, count));
    }
    abort();
}

/* A sum beyond 64 bits is no outcome. */
static bool step_counter(struct oracle_state *s, const struct oracle_call *c, plumb_value *answer)
{
    int64_t old = s->number;
    bool adds = c->name != NAME_get;
    if (adds && __builtin_add_overflow(old, plumb_int_of(c->values, c->arg), &s->number))
        return false;
    switch (c->name) {
    case NAME_add: return done(answer, PLUMB_OK);
    case NAME_get:
    case NAME_fetch_add: return done(answer, plumb_int(c->values, old));
    }
    abort();
}

/* Cells 0..length-1 as an array; false when a cell beyond them was updated. */
static bool show_cells(const struct oracle_state *s, const struct oracle_call *c, size_t length,
                       plumb_value *answer)
{
    plumb_value cells[ORACLE_MAX];
    if (length > ORACLE_MAX)
        abort();
    for (uint32_t i = 0; i < s->count; i++)
        if (plumb_int_of(c->values, s->key[i]) >= (int64_t)length)
            return false;
    for (size_t i = 0; i < length; i++) {
        uint32_t at = find_key(s, plumb_int(c->values, (int64_t)i));
        cells[i] = at < s->count ? s->value[at] : s->untouched;
    }
    return done(answer, plumb_array(c->values, cells, length));
}

/* A scan shows as many cells as it likes, if none that was updated is missing; one whose result is not
 * known shows the fewest. */
static bool step_snapshot(struct oracle_state *s, const struct oracle_call *c, plumb_value *answer)
{
    size_t length = 0;
    switch (c->name) {
    case NAME_update: set_key(s, part_of(c, 0), part_of(c, 1)); return done(answer, PLUMB_OK);
    case NAME_scan:
        if (plumb_is_array(c->result))
            return show_cells(s, c, plumb_array_count(c->values, c->result), answer);
        while (!show_cells(s, c, length, answer))
            length++;
        return true;
    }
    abort();
}

/* ---- blocking ---- */

/* number: 0 when free, else the holder + 1. */
static bool step_lock(struct oracle_state *s, const struct oracle_call *c, plumb_value *answer)
{
    bool is_free = s->number == 0;
    switch (c->name) {
    case NAME_acquire: s->number = (int64_t)c->thread + 1; return is_free && done(answer, PLUMB_OK);
    case NAME_try_acquire:
        if (is_free)
            s->number = (int64_t)c->thread + 1;
        return done(answer, plumb_bool(is_free));
    case NAME_release:
        if (s->number != (int64_t)c->thread + 1)
            return false;
        s->number = 0;
        return done(answer, PLUMB_OK);
    }
    abort();
}

/* The same, and an entry for each further time that its holder has acquired it. */
static bool step_recursive_lock(struct oracle_state *s, const struct oracle_call *c, plumb_value *answer)
{
    if (s->number != (int64_t)c->thread + 1)
        return step_lock(s, c, answer);
    if (c->name == NAME_release && s->count)
        remove_at(s, s->count - 1);
    else if (c->name == NAME_release)
        s->number = 0;
    else
        insert_at(s, s->count, 0, 0);
    return done(answer, c->name == NAME_try_acquire ? PLUMB_TRUE : PLUMB_OK);
}

/* number: 0, or the writer + 1; keys: a thread for each read lock it holds. */
static bool step_rwlock(struct oracle_state *s, const struct oracle_call *c, plumb_value *answer)
{
    int64_t me = (int64_t)c->thread + 1;
    bool can_read = s->number == 0, can_write = can_read && s->count == 0;
    uint32_t mine = find_key(s, c->thread);
    switch (c->name) {
    case NAME_read_lock:
    case NAME_try_read_lock:
        if (can_read)
            insert_at(s, s->count, c->thread, 0);
        if (c->name == NAME_read_lock)
            return can_read && done(answer, PLUMB_OK);
        return done(answer, plumb_bool(can_read));
    case NAME_write_lock:
    case NAME_try_write_lock:
        if (can_write)
            s->number = me;
        if (c->name == NAME_write_lock)
            return can_write && done(answer, PLUMB_OK);
        return done(answer, plumb_bool(can_write));
    case NAME_read_unlock:
        if (mine == s->count)
            return false;
        remove_at(s, mine);
        return done(answer, PLUMB_OK);
    case NAME_write_unlock:
        if (s->number != me)
            return false;
        s->number = 0;
        return done(answer, PLUMB_OK);
    }
    abort();
}

static bool step_semaphore(struct oracle_state *s, const struct oracle_call *c, plumb_value *answer)
{
    bool available = s->number > 0;
    switch (c->name) {
    case NAME_acquire: s->number--; return available && done(answer, PLUMB_OK);
    case NAME_try_acquire:
        if (available)
            s->number--;
        return done(answer, plumb_bool(available));
    case NAME_release: s->number++; return done(answer, PLUMB_OK);
    }
    abort();
}

static bool step_event(struct oracle_state *s, const struct oracle_call *c, plumb_value *answer)
{
    switch (c->name) {
    case NAME_set: s->number = 1; return done(answer, PLUMB_OK);
    case NAME_reset: s->number = 0; return done(answer, PLUMB_OK);
    case NAME_wait: return s->number == 1 && done(answer, PLUMB_OK);
    case NAME_is_set: return done(answer, plumb_bool(s->number == 1));
    }
    abort();
}

static bool step_latch(struct oracle_state *s, const struct oracle_call *c, plumb_value *answer)
{
    switch (c->name) {
    case NAME_count_down:
        if (s->number > 0)
            s->number--;
        return done(answer, PLUMB_OK);
    case NAME_wait: return s->number == 0 && done(answer, PLUMB_OK);
    case NAME_get: return done(answer, plumb_int(c->values, s->number));
    }
    abort();
}

/* number: how many have arrived since the beginning; limit: how many make a phase. */
static bool step_barrier(struct oracle_state *s, const struct oracle_call *c, plumb_value *answer)
{
    int64_t phase = s->number / s->limit;
    switch (c->name) {
    case NAME_arrive: s->number++; return done(answer, plumb_int(c->values, phase));
    case NAME_wait: return phase > plumb_int_of(c->values, c->arg) && done(answer, PLUMB_OK);
    }
    abort();
}

const struct oracle_spec oracle_specs[] = {
    {.name = "queue", .one = step_queue},
    {.name = "stack", .one = step_stack},
    {.name = "deque", .one = step_deque},
    {.name = "pqueue", .any = step_pqueue},
    {.name = "set", .one = step_set},
    {.name = "multiset", .one = step_multiset},
    {.name = "bag", .any = step_bag},
    {.name = "map", .one = step_map},
    {.name = "kv", .one = step_kv},
    {.name = "register", .one = step_register},
    {.name = "counter", .one = step_counter},
    {.name = "snapshot", .one = step_snapshot},
    {.name = "lock", .one = step_lock},
    {.name = "rwlock", .one = step_rwlock},
    {.name = "semaphore", .one = step_semaphore},
    {.name = "event", .one = step_event},
    {.name = "latch", .one = step_latch, .number = 1},
    {.name = "barrier", .one = step_barrier, .number = 2},
    {.name = "multiregister", .one = step_multiregister},
    {.name = "queue(cap=2)", .one = step_queue, .capacity = 2},
    {.name = "stack(cap=2)", .one = step_stack, .capacity = 2},
    {.name = "deque(cap=1)", .one = step_deque, .capacity = 1},
    {.name = "queue(weak)", .one = step_queue, .weak = true},
    {.name = "stack(weak)", .one = step_stack, .weak = true},
    {.name = "queue(cap=2, weak)", .one = step_queue, .capacity = 2, .weak = true},
    {.name = "bag(weak)", .any = step_bag, .weak = true},
    {.name = "pqueue(weak)", .any = step_pqueue, .weak = true},
    {.name = "rwlock(weak)", .one = step_rwlock, .weak = true},
    {.name = "lock(weak)", .one = step_lock, .weak = true},
    {.name = "lock(recursive)", .one = step_recursive_lock},
    {.name = "lock(recursive, weak)", .one = step_recursive_lock, .weak = true},
    {.name = "rwlock(recursive)", .one = step_rwlock},
    {.name = "semaphore(weak)", .one = step_semaphore, .weak = true},
    {.name = "register(weak)", .one = step_register, .weak = true},
    {.name = "queue+", .one = step_queue},
    {.name = "stack+", .one = step_stack},
    {.name = "deque+", .one = step_deque},
    {.name = "pqueue+", .any = step_pqueue},
    {.name = "set+", .one = step_set},
    {.name = "bag+", .any = step_bag},
    {.name = "map+", .one = step_map},
    {.name = "queue(cap=2)+", .one = step_queue, .capacity = 2},
    {.name = "deque(weak)+", .one = step_deque, .weak = true},
    {.name = "queue(cap=2, weak)+", .one = step_queue, .capacity = 2, .weak = true},
    {.name = "stack(cap=2, weak)+", .one = step_stack, .capacity = 2, .weak = true},
};
const unsigned oracle_spec_count = sizeof oracle_specs / sizeof *oracle_specs;

bool oracle_adds(int name)
{
    return name == NAME_enq || name == NAME_push || name == NAME_push_front || name == NAME_push_back;
}

static bool perform_exactly(const struct oracle_spec *spec, struct oracle_state *s,
                            const struct oracle_call *c, unsigned choice, plumb_value *answer)
{
    bool counts = spec->capacity && oracle_adds(c->name);
    if (oracle_is_whole(c->name))
        return choice == 0 && oracle_whole(spec, s, c, answer);
    if (counts && s->count == spec->capacity)
        return choice == 0 && done(answer, PLUMB_FALSE);
    bool done_it = spec->any ? spec->any(s, c, choice, answer) : choice == 0 && spec->one(s, c, answer);
    if (done_it && counts && c->result != PLUMB_OK) /* who says nothing says that there was room */
        *answer = PLUMB_TRUE;
    return done_it;
}

/* What the operation answers if it fails for no reason; PLUMB_OK: it does not. */
static plumb_value failure_of(const struct oracle_spec *spec, int name)
{
    switch (name) {
    case NAME_deq:
    case NAME_pop:
    case NAME_peek:
    case NAME_pop_front:
    case NAME_pop_back:
    case NAME_peek_front:
    case NAME_peek_back:
    case NAME_delete_min:
    case NAME_min:
    case NAME_take: return PLUMB_NONE;
    case NAME_try_acquire:
    case NAME_try_read_lock:
    case NAME_try_write_lock:
    case NAME_cas: return PLUMB_FALSE;
    default: return spec->capacity && oracle_adds(name) ? PLUMB_FALSE : PLUMB_OK;
    }
}

bool oracle_perform(const struct oracle_spec *spec, struct oracle_state *s, const struct oracle_call *c,
                    unsigned choice, plumb_value *answer)
{
    plumb_value failure = spec->weak ? failure_of(spec, c->name) : PLUMB_OK;
    if (failure == PLUMB_OK)
        return perform_exactly(spec, s, c, choice, answer);
    return choice ? perform_exactly(spec, s, c, choice - 1, answer) : done(answer, failure);
}

bool oracle_is(const struct oracle_spec *spec, const char *name)
{
    return strlen(name) == strcspn(spec->name, "(+") && strncmp(spec->name, name, strlen(name)) == 0;
}

bool oracle_is_extended(const struct oracle_spec *spec)
{
    return strchr(spec->name, '+');
}

const struct oracle_spec *oracle_find_spec(const char *name)
{
    for (unsigned i = 0; i < oracle_spec_count; i++)
        if (strcmp(oracle_specs[i].name, name) == 0)
            return &oracle_specs[i];
    return NULL;
}

struct oracle_state oracle_start(const struct oracle_spec *spec, struct plumb_values *values,
                                 plumb_value initial)
{
    struct oracle_state s = {.number = spec->number, .untouched = initial};
    if (initial == PLUMB_OK)
        s.untouched = spec->one == step_multiregister ? PLUMB_NONE : plumb_int(values, 0);
    if (initial != PLUMB_OK && plumb_is_int(initial))
        s.number = plumb_int_of(values, initial);
    if (spec->one == step_register)
        s.value[0] = s.untouched;
    if (spec->one == step_barrier) {
        s.limit = s.number;
        s.number = 0;
    }
    return s;
}
