/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/serial/serial_table.h"

#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

bool table_number_calls(struct serial_table *t)
{
    t->calls = 0;
    for (uint32_t i = 0; i < t->op_count; i++) {
        uint32_t count = 1;
        for (uint32_t k = 0; k < t->ops[i].arg_count; k++)
            count *= t->values;
        t->ops[i].first_call = t->calls;
        t->calls += count;
    }
    return t->calls && t->threads * t->calls <= TABLE_EDGES_MAX;
}

/* --- states with the same future ------------------------------------------------------------------------------------- */

static uint64_t class_after(const struct table_edge *e, const uint64_t *classes)
{
    return e->to < TABLE_UNKNOWN ? classes[e->to] : e->to;
}

static uint32_t width_of(const struct serial_table *t)
{
    return t->threads * t->calls;
}

static bool is_alike(struct serial_table *t, const uint64_t *classes, uint32_t a, uint32_t b)
{
    const struct table_edge *x = table_edge(t, a, 0, 0), *y = table_edge(t, b, 0, 0);
    bool same = classes[a] == classes[b];
    for (uint32_t i = 0; i < width_of(t) && same; i++)
        same = x[i].answer == y[i].answer && class_after(&x[i], classes) == class_after(&y[i], classes);
    return same;
}

static uint64_t hash_state(struct serial_table *t, const uint64_t *classes, uint32_t state)
{
    uint64_t hash = classes[state];
    const struct table_edge *e = table_edge(t, state, 0, 0);
    for (uint32_t i = 0; i < width_of(t); i++)
        hash = hash_word(hash ^ hash_word(e[i].answer + 1) ^ hash_word(class_after(&e[i], classes) + 7) * 3);
    return hash;
}

/* Each state gets the number of the first one that is like it; how many there are. */
static uint32_t split(struct serial_table *t, const uint64_t *classes, uint64_t *next)
{
    uint32_t count = 0;
    struct hash_map firsts = {0};
    for (uint32_t s = 0; s < t->state_count; s++) {
        uint64_t hash = hash_state(t, classes, s);
        uint32_t *first = hash_map_at(&firsts, hash);
        while (*first != HASH_NO_NUMBER && !is_alike(t, classes, *first, s))
            first = hash_map_at(&firsts, ++hash);
        if (*first == HASH_NO_NUMBER) {
            *first = s;
            count++;
        }
        next[s] = *first;
    }
    hash_map_free(&firsts);
    return count;
}

static void keep_classes(struct serial_table *t, const uint64_t *classes)
{
    OWNED uint32_t *numbers = NEW_ARRAY(uint32_t, t->state_count + 1);
    uint32_t count = 0;
    for (uint32_t s = 0; s < t->state_count; s++)
        if (classes[s] == s) {
            memmove(table_edge(t, count, 0, 0), table_edge(t, s, 0, 0),
                    width_of(t) * sizeof(struct table_edge));
            numbers[s] = count++;
        }
    for (uint64_t i = 0; i < (uint64_t)count * width_of(t); i++)
        if (t->edges[i].to < TABLE_UNKNOWN)
            t->edges[i].to = numbers[classes[t->edges[i].to]];
    t->state_count = count;
}

void table_fold(struct serial_table *t)
{
    OWNED uint64_t *classes = NEW_ZEROED(uint64_t, t->state_count + 1);
    OWNED uint64_t *next = NEW_ZEROED(uint64_t, t->state_count + 1);
    for (uint32_t before = 0, count = 1; count != before;) {
        before = count;
        count = split(t, classes, next);
        memcpy(classes, next, t->state_count * sizeof *classes);
    }
    keep_classes(t, classes);
}

/* --- threads ----------------------------------------------------------------------------------------------------------- */

static bool is_same_edge(const struct table_edge *a, const struct table_edge *b)
{
    return a->answer == b->answer && a->to == b->to;
}

static bool threads_are_one(struct serial_table *t)
{
    for (uint32_t s = 0; s < t->state_count; s++)
        for (uint32_t thread = 1; thread < t->threads; thread++)
            for (uint32_t c = 0; c < t->calls; c++)
                if (!is_same_edge(table_edge(t, s, 0, c), table_edge(t, s, thread, c)))
                    return false;
    return true;
}

/* What the state becomes if threads a and b change names, found from the first one on. */
static bool can_swap(struct serial_table *t, uint32_t a, uint32_t b)
{
    OWNED uint32_t *other = NEW_ARRAY(uint32_t, t->state_count + 1);
    OWNED uint32_t *queue = NEW_ARRAY(uint32_t, t->state_count + 1);
    uint32_t length = 1;
    memset(other, 0xff, (t->state_count + 1) * sizeof *other);
    other[0] = queue[0] = 0;
    for (uint32_t i = 0; i < length; i++)
        for (uint32_t k = 0; k < width_of(t); k++) {
            uint32_t thread = k / t->calls, named = thread == a ? b : thread == b ? a : thread;
            const struct table_edge *x = table_edge(t, queue[i], thread, k % t->calls),
                                    *y = table_edge(t, other[queue[i]], named, k % t->calls);
            bool leads = x->to < TABLE_UNKNOWN && y->to < TABLE_UNKNOWN;
            if (x->answer != y->answer || (!leads && x->to != y->to))
                return false;
            if (leads && other[x->to] == UINT32_MAX) {
                other[x->to] = y->to;
                queue[length++] = x->to;
            } else if (leads && other[x->to] != y->to) {
                return false;
            }
        }
    return true;
}

bool table_compare_threads(struct serial_table *t)
{
    t->thread_matters = !threads_are_one(t);
    for (uint32_t a = 1; a < t->threads && t->thread_matters; a++)
        if (!can_swap(t, 0, a))
            return false;
    return true;
}
