/* SPDX-License-Identifier: Apache-2.0 */
/* The one order of threads, and whether two forms are the same. */
#include "prove/prove_form.h"

/* What does not depend on names. */
static int compare_threads(unsigned a, unsigned b)
{
    const struct prove_thread *x = &prove.state.threads[a], *y = &prove.state.threads[b];
    const uint64_t of_x[] = {
        prove_role_of[a],  x->is_open,      x->op,
        x->registers.hook, x->registers.pc, x->registers.sp - (x->is_open ? prove_stack_base(a) : 0)};
    const uint64_t of_y[] = {
        prove_role_of[b],  y->is_open,      y->op,
        y->registers.hook, y->registers.pc, y->registers.sp - (y->is_open ? prove_stack_base(b) : 0)};
    for (size_t i = 0; i < sizeof of_x / sizeof *of_x; i++)
        if (of_x[i] != of_y[i])
            return of_x[i] < of_y[i] ? -1 : 1;
    return 0;
}

static int compare_forms(const struct prove_form *a, const struct prove_form *b)
{
    if (a->shared.len != b->shared.len)
        return a->shared.len < b->shared.len ? -1 : 1;
    int less = memcmp(a->shared.data, b->shared.data, a->shared.len);
    for (uint32_t t = 0; t < prove.threads && !less; t++) {
        if (a->threads[t].len != b->threads[t].len)
            return a->threads[t].len < b->threads[t].len ? -1 : 1;
        less = memcmp(a->threads[t].data, b->threads[t].data, a->threads[t].len);
    }
    return less;
}

/* The next order of threads that look the same, in the sense of next_permutation over `order`; false: that was the last. */
static bool next_order(uint8_t *order, const uint8_t *class)
{
    for (unsigned i = prove.threads; i-- > 1;)
        for (unsigned k = prove.threads; k-- > i;) {
            /* the rightmost position i-1 that can be raised within its class */
            if (class[i - 1] != class[k] || order[i - 1] >= order[k])
                continue;
            uint8_t kept = order[i - 1];
            order[i - 1] = order[k];
            order[k] = kept;
            /* the rest of each class ascending */
            for (unsigned a = i; a < prove.threads; a++)
                for (unsigned b = a + 1; b < prove.threads; b++)
                    if (class[a] == class[b] && order[b] < order[a]) {
                        kept = order[a];
                        order[a] = order[b];
                        order[b] = kept;
                    }
            return true;
        }
    return false;
}

static void sort_threads(uint8_t *order, uint8_t *class)
{
    bool swaps = !prove.shared->question.no_symmetry && !prove.program.knows_threads;
    for (uint8_t t = 0; t < prove.threads; t++) {
        unsigned at = t;
        for (; swaps && at && compare_threads(order[at - 1], t) > 0; at--)
            order[at] = order[at - 1];
        order[at] = t;
    }
    class[0] = 0;
    for (unsigned i = 1; i < prove.threads; i++)
        class[i] = (uint8_t)(class[i - 1] + (!swaps || compare_threads(order[i - 1], order[i]) != 0));
}

static void place_threads(struct prove_names *names, const uint8_t *order)
{
    for (uint8_t i = 0; i < prove.threads; i++)
        names->place[order[i]] = i;
}

enum prove_outcome prove_form_make(struct prove_form *f, struct prove_names *names)
{
    static struct prove_form other;
    static struct prove_names other_names;
    uint8_t order[PROVE_THREADS_MAX], class[PROVE_THREADS_MAX];
    prove_lines_look();
    if (prove.state.dialect == prove_dialects)
        prove_lines_watch();
    sort_threads(order, class);
    place_threads(names, order);
    enum prove_outcome outcome = prove_form_write(f, names, &prove_dialects[0]);
    while (outcome == PROVE_FINE && next_order(order, class)) {
        place_threads(&other_names, order);
        outcome = prove_form_write(&other, &other_names, &prove_dialects[0]);
        if (compare_forms(&other, f) < 0) {
            struct prove_form kept = *f;
            *f = other;
            other = kept;
            *names = other_names;
        }
    }
    return outcome;
}

/* The owners are the last bytes of a form, before the number of blocks. */
enum prove_outcome prove_run_refresh(uint32_t *numbers)
{
    static struct prove_form form;
    static struct prove_names names;
    struct prove_state *s = &prove.state;
    enum prove_outcome outcome = prove_form_make(&form, &names);
    uint32_t count, kept = 0;
    uint8_t threads[PROVE_THREADS_MAX + 1] = {0};
    if (outcome != PROVE_FINE)
        return outcome;
    memcpy(&count, form.shared.data + form.shared.len - sizeof count, sizeof count);
    const uint8_t *owners = form.shared.data + form.shared.len - sizeof count - count;
    for (uint8_t t = 0; t < prove.threads; t++)
        threads[names.place[t] + 1] = (uint8_t)(t + 1);
    for (uint32_t i = 0; i < s->block_count; i++) {
        /* What no thread frees stays: a run does not rest on all addresses being known */
        if (!names.numbers[i] && s->blocks[i].freed)
            continue;
        s->blocks[kept] = s->blocks[i];
        s->blocks[kept].owner = names.numbers[i] ? threads[owners[names.numbers[i] - 1]] : 0;
        numbers[kept++] = names.numbers[i];
    }
    s->block_count = kept;
    return PROVE_FINE;
}

bool prove_form_equals(const struct prove_form *a, const struct prove_form *b)
{
    return compare_forms(a, b) == 0;
}

/* Bytes of threads that were never written may differ as litter does. */
static bool is_same_part(const uint8_t *a, const uint8_t *b, size_t length, uint8_t other)
{
    uint8_t litter = prove_dialects[0].litter;
    if (memcmp(a, b, length) == 0)
        return true;
    for (size_t i = 0; i < length; i++)
        if (a[i] != b[i] && !(a[i] == litter && b[i] == other))
            return false;
    return true;
}

bool prove_form_is_same(const struct prove_form *a, const struct prove_form *b,
                        const struct prove_dialect *twin)
{
    bool same = a->shared.len == b->shared.len && memcmp(a->shared.data, b->shared.data, a->shared.len) == 0;
    for (uint32_t t = 0; t < prove.threads && same; t++)
        same = a->threads[t].len == b->threads[t].len &&
               is_same_part(a->threads[t].data, b->threads[t].data, a->threads[t].len, twin->litter);
    return same;
}

bool prove_form_find(const struct prove_form *wanted, struct prove_form *f, struct prove_names *names,
                     bool (*has_same_items)(const struct prove_names *names, const void *context),
                     const void *context)
{
    uint8_t order[PROVE_THREADS_MAX], class[PROVE_THREADS_MAX];
    bool same = false;
    sort_threads(order, class);
    do {
        place_threads(names, order);
        same = prove_form_write(f, names, prove_dialects) == PROVE_FINE &&
               prove_form_is_same(wanted, f, prove.state.dialect) && has_same_items(names, context);
    } while (!same && next_order(order, class));
    return same;
}
