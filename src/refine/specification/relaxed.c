/* SPDX-License-Identifier: Apache-2.0 */
#include "refine/specification/machine.h"

#include "base/check.h"

/* As bytes: the number of items and the items, the next one to be removed first; then early and late removals, each as a
 * number and pairs of item and age, the oldest first. */
struct debt {
    uint8_t item, age;
};

struct debts {
    struct debt list[RELAXED_FACTOR_MOST + 2];
    unsigned count;
};

struct state {
    uint8_t items[RELAXED_ITEMS_MOST + 1];
    unsigned count;
    struct debts early; /* removed by the history, not yet by the specification */
    struct debts late;  /* the other way round */
};

struct relaxed {
    struct machine machine; /* first */
    struct relaxed_settings settings;
};

static const struct relaxed_settings *settings_of(const struct machine *m)
{
    return &((const struct relaxed *)m)->settings;
}

/* --- states as bytes ---------------------------------------------------------------------------------- */

static const uint8_t *read_debts(const uint8_t *from, struct debts *d)
{
    d->count = *from++;
    memcpy(d->list, from, d->count * sizeof *d->list);
    return from + d->count * sizeof *d->list;
}

static void read_state(const uint8_t *from, struct state *s)
{
    s->count = *from++;
    memcpy(s->items, from, s->count);
    from = read_debts(from + s->count, &s->early);
    read_debts(from, &s->late);
}

static uint8_t *write_debts(uint8_t *to, const struct debts *d)
{
    *to++ = (uint8_t)d->count;
    memcpy(to, d->list, d->count * sizeof *d->list);
    return to + d->count * sizeof *d->list;
}

static size_t write_state(uint8_t *bytes, const struct state *s)
{
    uint8_t *to = bytes;
    *to++ = (uint8_t)s->count;
    memcpy(to, s->items, s->count);
    to = write_debts(to + s->count, &s->early);
    return (size_t)(write_debts(to, &s->late) - bytes);
}

static void emit(struct machine_outcomes *out, uint16_t answer, bool is_unborn, const struct state *s)
{
    uint8_t bytes[MACHINE_STATE_MAX];
    machine_emit(out, answer, is_unborn, bytes, write_state(bytes, s));
}

static size_t relaxed_initial(struct machine *m, uint8_t *r)
{
    (void)m;
    struct state s = {0};
    return write_state(r, &s);
}

static uint8_t *rename_debts(uint8_t *at, struct renaming *naming)
{
    unsigned count = *at++;
    for (; count; count--, at += 2)
        *at = renaming_name(naming, *at);
    return at;
}

static void relaxed_rename(const struct machine *m, uint8_t *r, size_t length, struct renaming *naming)
{
    (void)m;
    uint8_t *at = r;
    unsigned count = *at++;
    for (; count; count--, at++)
        *at = renaming_name(naming, *at);
    at = rename_debts(rename_debts(at, naming), naming);
    CHECK(at == r + length);
}

/* --- debts ----------------------------------------------------------------------------------------------- */

/* Index, or count. */
static unsigned find_debt(const struct debts *d, uint8_t item)
{
    unsigned i = 0;
    while (i < d->count && d->list[i].item != item)
        i++;
    return i;
}

static bool has_debt(const struct debts *d, uint8_t item)
{
    return find_debt(d, item) < d->count;
}

/* False: there is none. */
static bool pay_debt(struct debts *d, uint8_t item)
{
    unsigned i = find_debt(d, item);
    if (i == d->count)
        return false;
    d->count--;
    memmove(d->list + i, d->list + i + 1, (d->count - i) * sizeof *d->list);
    return true;
}

static void add_debt(struct debts *d, uint8_t item)
{
    d->list[d->count++] = (struct debt){item, 0};
}

static void age_debts(struct debts *d)
{
    for (unsigned i = 0; i < d->count; i++)
        d->list[i].age++;
}

/* How many removals it takes until the item is removed; 0: it is not inside. */
static unsigned depth_of(const struct state *s, uint8_t item)
{
    const uint8_t *at = memchr(s->items, item, s->count);
    return at ? (unsigned)(at - s->items) + 1 : 0;
}

/* Can everything that is early be removed by the specification in time, and everything that is late by the history? Further
 * removals alone would do that: the specification has no choice, and the history takes what is oldest first. What is
 * early and not inside is still to be added, by an operation that is open or will be. */
static bool is_alive(const struct state *s, uint32_t factor)
{
    for (unsigned i = 0; i < s->early.count; i++) {
        unsigned depth = depth_of(s, s->early.list[i].item);
        if (s->early.list[i].age + (depth ? depth : 1) > factor)
            return false;
    }
    for (unsigned i = 0; i < s->late.count; i++)
        if (s->late.list[i].age + i + 1 > factor)
            return false;
    return true;
}

static bool relaxed_accepts(struct machine *m, const uint8_t *r, size_t length)
{
    (void)length;
    struct state s;
    read_state(r, &s);
    if (settings_of(m)->is_complete && s.early.count)
        return false;
    for (unsigned i = 0; i < s.early.count; i++)
        if (!depth_of(&s, s.early.list[i].item))
            return false;
    return true;
}

/* --- operations ------------------------------------------------------------------------------------------- */

static unsigned place_for(const struct state *s, enum relaxed_order order, uint8_t item)
{
    unsigned at = 0;
    if (order == RELAXED_QUEUE)
        return s->count;
    while (order == RELAXED_PQUEUE && at < s->count && s->items[at] < item)
        at++;
    return at;
}

static void insert_item(struct state *s, unsigned at, uint8_t item)
{
    memmove(s->items + at + 1, s->items + at, s->count - at);
    s->items[at] = item;
    s->count++;
}

/* "Full" that is always allowed changes nothing, so it is not needed before it is returned. */
static bool can_be_full(const struct relaxed_settings *x, const struct state *s,
                        const struct machine_call *call)
{
    if (has_debt(&s->early, call->args[0]))
        return false;
    if (x->full == REFINE_FULL_ANY)
        return call->wanted == REFINE_FULL;
    return x->full == REFINE_FULL_CAPACITY && x->capacity && s->count >= x->capacity &&
           (call->wanted < 0 || call->wanted == REFINE_FULL);
}

static void act_add(const struct relaxed_settings *x, struct state *s, const struct machine_call *call,
                    struct machine_outcomes *out)
{
    bool is_full = x->capacity && s->count >= x->capacity;
    if (can_be_full(x, s, call))
        emit(out, REFINE_FULL, false, s);
    if (is_full || (call->wanted >= 0 && call->wanted != REFINE_OK))
        return;
    if (s->count == RELAXED_ITEMS_MOST) {
        out->too_large = true;
        return;
    }
    if (x->order == RELAXED_REGISTER)
        s->count = 0;
    insert_item(s, place_for(s, x->order, call->args[0]), call->args[0]);
    if (is_alive(s, x->factor))
        emit(out, REFINE_OK, false, s);
}

/* The history removes `item`, the specification what is first. */
static void remove_item(const struct relaxed_settings *x, const struct state *from, uint8_t item,
                        bool is_unborn, struct machine_outcomes *out)
{
    struct state s = *from;
    uint8_t first = s.items[0];
    age_debts(&s.early);
    age_debts(&s.late);
    if (!pay_debt(&s.late, item))
        add_debt(&s.early, item);
    memmove(s.items, s.items + 1, --s.count);
    if (!pay_debt(&s.early, first))
        add_debt(&s.late, first);
    if (is_alive(&s, x->factor))
        emit(out, item, is_unborn, &s);
}

/* May what is not added yet be removed? In a queue everything inside will be removed before it. */
static bool can_be_ahead(const struct relaxed_settings *x, const struct state *s)
{
    unsigned oldest = 0;
    if (x->order != RELAXED_QUEUE)
        return x->factor > 0;
    for (unsigned i = s->early.count; i > 0; i--)
        if (!depth_of(s, s->early.list[i - 1].item))
            oldest = s->early.list[i - 1].age + 1u;
    return s->count + oldest <= x->factor;
}

static void act_remove_any(const struct relaxed_settings *x, const struct state *s,
                           const struct machine_call *call, struct machine_outcomes *out)
{
    for (unsigned i = 0; i < s->count && i <= x->factor; i++)
        if (!has_debt(&s->early, s->items[i]))
            remove_item(x, s, s->items[i], false, out);
    for (unsigned i = 0; i < s->late.count; i++)
        remove_item(x, s, s->late.list[i].item, false, out);
    if (!can_be_ahead(x, s))
        return;
    for (unsigned i = 0; i < call->coming_count; i++)
        if (!has_debt(&s->early, call->coming[i]))
            remove_item(x, s, call->coming[i], false, out);
    remove_item(x, s, call->unused_item, true, out);
}

/* The one outcome with a given answer. */
static void act_remove_this(const struct relaxed_settings *x, const struct state *s,
                            const struct machine_call *call, struct machine_outcomes *out)
{
    uint8_t item = (uint8_t)call->wanted;
    unsigned depth = depth_of(s, item);
    bool can = (depth && depth <= x->factor + 1 && !has_debt(&s->early, item)) || has_debt(&s->late, item);
    if (!can && !depth && can_be_ahead(x, s) && !has_debt(&s->early, item))
        can = memchr(call->coming, item, call->coming_count) != NULL;
    if (can)
        remove_item(x, s, item, false, out);
}

static void act_remove(const struct relaxed_settings *x, const struct state *s,
                       const struct machine_call *call, struct machine_outcomes *out)
{
    if (!s->count) {
        if (call->wanted < 0 || call->wanted == REFINE_NONE)
            emit(out, REFINE_NONE, false, s);
    } else if (call->wanted < 0) {
        act_remove_any(x, s, call, out);
    } else if (call->wanted != REFINE_NONE && call->wanted < REFINE_OK) {
        act_remove_this(x, s, call, out);
    }
}

static void act_look(const struct state *s, const struct machine_call *call, struct machine_outcomes *out)
{
    uint8_t answer = s->count ? s->items[0] : REFINE_NONE;
    if (call->wanted < 0 || call->wanted == answer)
        emit(out, answer, false, s);
}

static void relaxed_act(struct machine *m, const uint8_t *r, size_t length, const struct machine_call *call,
                        struct machine_outcomes *out)
{
    (void)length;
    const struct relaxed_settings *x = settings_of(m);
    struct state s;
    read_state(r, &s);
    if (x->roles[call->op] == PLUMB_ADDS)
        act_add(x, &s, call, out);
    else if (x->roles[call->op] == PLUMB_REMOVES)
        act_remove(x, &s, call, out);
    else
        act_look(&s, call, out);
}

static bool relaxed_can_answer(struct machine *m, uint8_t op, int32_t answer)
{
    const struct relaxed_settings *x = settings_of(m);
    if (x->roles[op] == PLUMB_ADDS)
        return answer == REFINE_OK || (answer == REFINE_FULL && x->full != REFINE_FULL_BLOCK);
    return answer >= 0 && answer < REFINE_OK;
}

static size_t relaxed_footprint(const struct machine *m)
{
    (void)m;
    return sizeof(struct relaxed);
}

static void relaxed_destroy(struct machine *m)
{
    free(m);
}

struct machine *relaxed_new(const struct relaxed_settings *settings)
{
    struct relaxed *x = NEW(struct relaxed);
    CHECK(settings->factor <= RELAXED_FACTOR_MOST);
    x->settings = *settings;
    x->machine = (struct machine){
        .names = settings->order == RELAXED_PQUEUE ? MACHINE_BY_RANK : MACHINE_BY_PLACE,
        .has_unborn = settings->factor > 0,
        .initial = relaxed_initial,
        .act = relaxed_act,
        .accepts = relaxed_accepts,
        .can_answer = relaxed_can_answer,
        .rename = relaxed_rename,
        .footprint = relaxed_footprint,
        .destroy = relaxed_destroy,
    };
    for (unsigned i = 0; i < MACHINE_OPS_MAX; i++) {
        x->machine.roles[i] = settings->roles[i];
        x->machine.can_be_full[i] = x->machine.roles[i] == PLUMB_ADDS;
    }
    return &x->machine;
}
