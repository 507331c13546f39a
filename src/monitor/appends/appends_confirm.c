/* SPDX-License-Identifier: Apache-2.0 */
/* The second route for cores of appended strings, which overlap too much for the search. It shares nothing with the
 * algorithm of appends.c: it knows no epochs and no zones, only which operation comes before which. Each get is read in
 * every possible way, as a put and appends; then a write that is not among them, but comes after the put, comes after
 * the get, and one that comes before the get comes before the put. If this makes something come before itself, whatever
 * the readings, there is no order. It never says that there is one. */
#include "monitor/deciders.h"
#include "monitor/decider_tools.h"

#define NONE TOOLS_NONE

enum { MOST_OPERATIONS = 4000, MOST_READINGS = 32, MOST_CLOSURES = 400, MOST_STEPS = 4000000 };

/* The operations that a get has read, root first. */
typedef VEC(uint32_t) reading;

struct confirming {
    const struct part *p;
    struct budget *budget;
    uint32_t count, initial, words; /* `initial`: a put before everything */
    VEC(uint32_t) gets;
    uint64_t *happened; /* writes that did, as bits: completed ones, and those that were read */
    uint64_t *read;     /* scratch: in the reading at hand */
    uint32_t closures, steps;
};

/* What is known to come before what: row x has a bit for each operation after x. */
struct before {
    uint64_t *rows;
    bool contradicts;
};

static bool has_bit(const uint64_t *row, uint32_t i)
{
    return row[i / 64] >> i % 64 & 1;
}

static void set_bit(uint64_t *row, uint32_t i)
{
    row[i / 64] |= UINT64_C(1) << i % 64;
}

static uint64_t *row_of(const struct confirming *c, const struct before *b, uint32_t i)
{
    return b->rows + (size_t)i * c->words;
}

/* ---- strings ---- */

static bool is_get(const struct part *p, uint32_t i)
{
    return p->spec->operations[part_op(p, i)->op].reads;
}

static bool is_put(const struct confirming *c, uint32_t i)
{
    return i == c->initial || part_role(c->p, i) == PLUMB_WRITES;
}

static const char *text_of(const struct confirming *c, uint32_t i, size_t *length)
{
    *length = 0;
    if (i == c->initial)
        return "";
    plumb_value v = is_get(c->p, i) ? part_op(c->p, i)->result : part_payload(c->p, i);
    return plumb_string_of(c->p->history->values, v, length);
}

static bool is_visible_write(const struct confirming *c, uint32_t i)
{
    size_t length;
    if (i == c->initial)
        return true;
    if (is_get(c->p, i))
        return false;
    text_of(c, i, &length);
    return length || is_put(c, i);
}

/* ---- readings ---- */

static bool precedes(const struct confirming *c, uint32_t a, uint32_t b)
{
    const struct order *o = &c->p->order;
    return b != c->initial && (a == c->initial || (o->ret[a] != ORDER_NEVER && o->ret[a] < o->call[b]));
}

/* Could operation i come next in the reading of `get`, at place `at` of its answer? */
static bool can_follow(const struct confirming *c, uint32_t get, const reading *so_far, size_t at, uint32_t i)
{
    size_t length, whole;
    if (is_put(c, i) != !so_far->len || !is_visible_write(c, i) || precedes(c, get, i))
        return false;
    const char *text = text_of(c, i, &length), *answer = text_of(c, get, &whole);
    if (length > whole - at || memcmp(text, answer + at, length))
        return false;
    for (size_t k = 0; k < so_far->len; k++)
        if (so_far->data[k] == i || precedes(c, i, so_far->data[k]))
            return false;
    return true;
}

typedef VEC(reading) readings;

static void forget_readings(readings *all)
{
    for (size_t k = 0; k < all->len; k++)
        vec_free(&all->data[k]);
    vec_free(all);
}

static void keep_reading(readings *all, const reading *r)
{
    reading copy = {0};
    for (size_t k = 0; k < r->len; k++)
        vec_push(&copy, r->data[k]);
    vec_push(all, copy);
}

/* All ways to go on from here, one after the other: the last operation is replaced by the next one that fits. False: too
 * many. */
static bool list_readings(struct confirming *c, uint32_t get, readings *all)
{
    size_t whole, at = 0, length;
    reading r = {0};
    uint32_t next = 0;
    text_of(c, get, &whole);
    while (c->steps++ < MOST_STEPS && all->len <= MOST_READINGS) {
        while (next <= c->count && !can_follow(c, get, &r, at, next))
            next++;
        if (next <= c->count) {
            vec_push(&r, next);
            text_of(c, next, &length);
            at += length;
            next = 0;
            if (at < whole)
                continue;
            keep_reading(all, &r);
        } else if (!r.len) {
            break;
        }
        text_of(c, vec_last(&r), &length);
        at -= length;
        next = vec_pop(&r) + 1;
    }
    vec_free(&r);
    return c->steps < MOST_STEPS && all->len <= MOST_READINGS;
}

/* ---- before and after ---- */

static void add_before(const struct confirming *c, struct before *b, uint32_t x, uint32_t y)
{
    uint64_t *from = row_of(c, b, y);
    if (has_bit(row_of(c, b, x), y))
        return;
    b->contradicts |= x == y || has_bit(from, x);
    for (uint32_t i = 0; i <= c->count; i++) {
        uint64_t *row = row_of(c, b, i);
        if (i != x && !has_bit(row, x))
            continue;
        set_bit(row, y);
        for (uint32_t w = 0; w < c->words; w++)
            row[w] |= from[w];
    }
}

/* What the clock says; it needs no closing. */
static void start_before(const struct confirming *c, struct before *b)
{
    *b = (struct before){.rows = NEW_ZEROED(uint64_t, (size_t)c->words * (c->count + 1))};
    for (uint32_t i = 0; i <= c->count; i++)
        for (uint32_t k = 0; k <= c->count; k++)
            if (i != k && precedes(c, i, k))
                set_bit(row_of(c, b, i), k);
}

/* True: something new is known. */
static bool keep_apart(const struct confirming *c, struct before *b, uint32_t get, uint32_t root,
                       uint32_t write)
{
    bool after = has_bit(row_of(c, b, root), write) && !has_bit(row_of(c, b, get), write);
    bool earlier = has_bit(row_of(c, b, write), get) && !has_bit(row_of(c, b, write), root);
    if (after)
        add_before(c, b, get, write);
    if (earlier)
        add_before(c, b, write, root);
    return after || earlier;
}

static bool keep_all_apart(struct confirming *c, struct before *b, uint32_t get, const reading *r)
{
    bool changed = false;
    memset(c->read, 0, c->words * sizeof *c->read);
    for (size_t k = 0; k < r->len; k++)
        set_bit(c->read, r->data[k]);
    for (uint32_t i = 0; i < c->count && !b->contradicts; i++)
        if (has_bit(c->happened, i) && !has_bit(c->read, i))
            changed |= keep_apart(c, b, get, r->data[0], i);
    return changed;
}

/* ---- all readings ---- */

struct choice {
    uint32_t get;
    const reading *read;
};

typedef VEC(struct choice) choices;

static void note_happened(struct confirming *c, const choices *chosen)
{
    memset(c->happened, 0, c->words * sizeof *c->happened);
    for (uint32_t i = 0; i < c->count; i++)
        if (c->p->order.ret[i] != ORDER_NEVER && is_visible_write(c, i))
            set_bit(c->happened, i);
    for (size_t k = 0; k < chosen->len; k++)
        for (size_t r = 0; r < chosen->data[k].read->len; r++)
            set_bit(c->happened, chosen->data[k].read->data[r]);
}

static bool contradicts(struct confirming *c, struct before *b, const choices *chosen)
{
    note_happened(c, chosen);
    for (bool changed = true; changed && !b->contradicts && !budget_exhausted(c->budget);) {
        changed = false;
        for (size_t k = 0; k < chosen->len && !b->contradicts; k++)
            changed |= keep_all_apart(c, b, chosen->data[k].get, chosen->data[k].read);
    }
    return b->contradicts;
}

static void add_reading(const struct confirming *c, struct before *b, uint32_t get, const reading *r)
{
    for (size_t k = 0; k < r->len; k++)
        add_before(c, b, r->data[k], k + 1 < r->len ? r->data[k + 1] : get);
}

static bool always_contradicts(struct confirming *c, const struct before *b, const readings *of_get,
                               size_t get, choices *chosen);

static bool reading_contradicts(struct confirming *c, const struct before *b, const readings *of_get,
                                size_t get, const reading *r, choices *chosen)
{
    size_t bytes = (size_t)c->words * (c->count + 1) * sizeof *b->rows;
    struct before with = {.rows = base_alloc(bytes)};
    struct choice choice = {c->gets.data[get], r};
    memcpy(with.rows, b->rows, bytes);
    vec_push(chosen, choice);
    add_reading(c, &with, choice.get, r);
    bool found = contradicts(c, &with, chosen) || always_contradicts(c, &with, of_get, get + 1, chosen);
    chosen->len--;
    free(with.rows);
    return found;
}

/* Is there a contradiction however the gets from number `get` on are read? */
static bool always_contradicts(struct confirming *c, const struct before *b, const readings *of_get,
                               size_t get, choices *chosen)
{
    while (get < c->gets.len && of_get[get].len == 1)
        get++;
    if (get == c->gets.len)
        return false;
    for (size_t k = 0; k < of_get[get].len; k++)
        if (c->closures++ >= MOST_CLOSURES ||
            !reading_contradicts(c, b, of_get, get, &of_get[get].data[k], chosen))
            return false;
    return true;
}

/* Gets that can be read in one way first. */
static bool has_contradiction(struct confirming *c, const readings *of_get)
{
    struct before b;
    choices chosen = {0};
    start_before(c, &b);
    for (size_t k = 0; k < c->gets.len; k++)
        if (of_get[k].len == 1) {
            struct choice choice = {c->gets.data[k], &of_get[k].data[0]};
            vec_push(&chosen, choice);
            add_reading(c, &b, choice.get, choice.read);
        }
    bool found = contradicts(c, &b, &chosen) || always_contradicts(c, &b, of_get, 0, &chosen);
    vec_free(&chosen);
    free(b.rows);
    return found;
}

/* A get that cannot be read at all is a contradiction, too. One with too many readings is left out. */
static bool search_contradiction(struct confirming *c)
{
    readings *of_get = NEW_ZEROED(readings, c->gets.len);
    size_t kept = 0;
    bool found = false;
    for (size_t k = 0; k < c->gets.len && !found && !budget_exhausted(c->budget); k++) {
        uint32_t get = c->gets.data[k];
        if (list_readings(c, get, &of_get[kept])) {
            found = !of_get[kept].len;
            c->gets.data[kept++] = get;
        } else {
            forget_readings(&of_get[kept]);
        }
    }
    c->gets.len = kept;
    found = found || (has_contradiction(c, of_get) && !c->budget->spent);
    for (size_t k = 0; k < kept; k++)
        forget_readings(&of_get[k]);
    free(of_get);
    return found;
}

static void list_gets(struct confirming *c)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (is_get(c->p, i) && c->p->order.ret[i] != ORDER_NEVER &&
            plumb_tag_of(part_op(c->p, i)->result) == PLUMB_TAG_STRING)
            vec_push(&c->gets, i);
}

enum verdict appends_confirm(const struct part *p, struct budget *budget, struct decision *d)
{
    struct confirming c = {.p = p, .budget = budget, .count = p->order.count, .initial = p->order.count};
    if (c.count > MOST_OPERATIONS)
        return decision_not_mine(d, "too many operations");
    c.words = c.count / 64 + 1;
    c.happened = NEW_ARRAY(uint64_t, c.words);
    c.read = NEW_ARRAY(uint64_t, c.words);
    list_gets(&c);
    bool found = search_contradiction(&c);
    free(c.happened);
    free(c.read);
    vec_free(&c.gets);
    return found ? d->verdict = VERDICT_VIOLATED : decision_not_mine(d, "no contradiction was found");
}
