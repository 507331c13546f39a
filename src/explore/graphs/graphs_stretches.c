/* SPDX-License-Identifier: Apache-2.0 */
/* Executions that are not run although threads share plain memory. A stretch is what a thread does between two of its steps. It
 * depends on where the thread was, what its step found, and what its plain reads find, which is what the newest write in
 * happens-before left there. So stretches are remembered as a tree: by the stretch before, what was found, and the contents
 * of the memory that they touch. A stretch that is remembered is right in another graph if each of its accesses is ordered
 * with all others there that conflict with it, and finds what it found. In doubt the program runs. */
#include "explore/graphs/graphs_stretch_places.h"

enum { ENTRIES_MOST = 1 << 16, NO_OTHER = UINT32_MAX };

/* --- words that name stretches ---------------------------------------------------------------------- */

/* The lowest bit: it touches something. */
static uint32_t word_of(const struct graphs *x, uint32_t entry)
{
    return (x->stretches.first + entry + 1) << 1 | (x->memo.entries.data[entry].touch_count > 0);
}

static bool is_known(const struct graphs *x, uint32_t word)
{
    return (word >> 1) - 1 - x->stretches.first < x->memo.entries.len;
}

static void set_stretch(struct graphs *x, uint32_t at, uint32_t word)
{
    if (at == GRAPH_NONE) {
        x->stretches.root = word;
        return;
    }
    x->g->events[at].stretch = word;
    if (word & 1)
        vec_push(&x->stretches.touching, at);
}

void graphs_forget_stretches(struct graphs *x)
{
    x->stretches.first += (uint32_t)x->memo.entries.len;
    x->stretches.root = 0;
    x->stretches.is_complete = false;
    hash_map_clear(&x->memo.numbers);
    vec_clear(&x->memo.entries);
    vec_clear(&x->stretches.touches);
}

void graphs_free_stretches(struct graphs *x)
{
    vec_free(&x->stretches.touches);
    vec_free(&x->stretches.touching);
    hash_map_free(&x->stretches.numbers);
    vec_free(&x->stretches.cells);
    vec_free(&x->stretches.blocks);
}

static void give_up(struct graphs *x)
{
    explore_graphs_set_memo(&x->base, false);
}

/* Is another event of its thread recorded that comes after the stretch after this one? */
static bool is_followed(const struct graph *g, const struct graph_event *ev)
{
    return ev->type != GRAPH_INIT && ev->po_after != GRAPH_NONE &&
           !(g->events[ev->po_after].flags & GRAPH_BLOCKED) &&
           !(ev->type == GRAPH_READ && ev->flags & GRAPH_UPDATE);
}

/* Whether what threads did after the recorded events is known; what they do after their last ones is not looked at. */
static bool find_touching(struct graphs *x)
{
    const struct graph *g = x->g;
    for (uint32_t e = 0; e < g->count; e++) {
        uint32_t word = g->events[e].stretch;
        bool known = is_known(x, word);
        if ((known && !(word & 1)) || !is_followed(g, &g->events[e]))
            continue;
        if (!known)
            return false;
        vec_push(&x->stretches.touching, e);
    }
    return g->threads[0].first == GRAPH_NONE || is_known(x, x->stretches.root);
}

void graphs_start_stretches(struct graphs *x)
{
    if (x->sites.has_mixed || x->g->has_parts) { /* a step may be several events */
        give_up(x);
        return;
    }
    vec_clear(&x->stretches.touching);
    x->stretches.is_complete = true;
    x->stretches.is_unsafe = false;
    x->stretches.repeats = !find_touching(x);
    if (x->stretches.repeats)
        vec_clear(&x->stretches.touching);
}

void explore_graphs_remember_memory(struct explorer *e, const struct graphs_stretch *of_threads)
{
    struct graphs *x = graphs_of(e);
    if (!x->memo.is_on || x->stretches.of_threads)
        return;
    graphs_forget_stretches(x); /* what is remembered so far is known by other things */
    x->stretches.of_threads = of_threads;
    for (size_t i = 0; i < x->sites.list.len && x->stretches.of_threads; i++) {
        const struct graphs_site *s = &x->sites.list.data[i];
        if (!graphs_is_object(s))
            graphs_note_atomic(x, (uint32_t)i, s->size_most);
    }
}

/* --- memory in one graph ---------------------------------------------------------------------------- */

static uint64_t bits_of_touch(const struct graphs_touch *t)
{
    uint64_t bits = graphs_bit_of_cell(t->address);
    for (uint64_t at = t->address & ~UINT64_C(7); at < t->address + t->block; at += 8)
        bits |= graphs_bit_of_cell(at);
    return bits;
}

/* What an access finds. */
struct finding {
    const struct graphs *x;
    struct graphs_place here;
    const struct graphs_touch *touch;
    bool is_last;      /* of its thread: nothing comes after it */
    bool is_allocated; /* before */
    bool is_written;
    struct graphs_place writer;
    uint64_t value;
};

/* False: what is found cannot be said, or it races. */
static bool look_for_value(void *context, const struct graphs_place *there,
                           const struct graphs_memo_entry *entry)
{
    struct finding *f = context;
    const struct graphs_touch *t = f->touch, *others = &f->x->stretches.touches.data[entry->touches];
    bool before = graphs_place_is_before(there, &f->here);
    for (uint32_t i = 0; i < entry->touch_count; i++) {
        const struct graphs_touch *o = &others[i];
        if (o->block)
            f->is_allocated |= before && graphs_is_in_block(o, t->address);
        if (o->block || o->address != t->address || !((o->written & t->touched) | (o->touched & t->written)))
            continue;
        if (!before && f->is_last)
            return false;
        if (!before || !(o->written & t->touched))
            continue;
        if (t->touched & ~o->written)
            return false;
        if (!f->is_written || graphs_place_is_before(&f->writer, there)) {
            f->is_written = true;
            f->writer = *there;
            f->value = o->after;
        }
    }
    return true;
}

enum finds { FINDS_SAME, FINDS_OTHER, FINDS_INITIAL, FINDS_UNKNOWN };

static enum finds compare(uint64_t value, const struct graphs_touch *t)
{
    return (value ^ t->before) & graphs_bits_of(t->touched) ? FINDS_OTHER : FINDS_SAME;
}

/* Would touch `number` of the stretch find there what it found? Blocks that it allocated come first. FINDS_INITIAL: what is there
 * in the beginning. */
static enum finds find(const struct graphs *x, struct graphs_place here, bool is_last,
                       const struct graphs_touch *all, uint32_t number)
{
    const struct graphs_touch *t = &all[number];
    const struct graphs_cell *cell = graphs_find_cell(x, t->address);
    struct finding f = {.x = x, .here = here, .touch = t, .is_last = is_last};
    f.is_allocated = !cell || cell->block == 0;
    if (is_last && graphs_is_location(x, cell, t))
        return FINDS_UNKNOWN;
    for (uint32_t i = 0; i < number; i++)
        f.is_allocated |= graphs_is_in_block(&all[i], t->address);
    if (!graphs_for_stretches(x, here.event, t->address, look_for_value, &f) || !f.is_allocated)
        return FINDS_UNKNOWN;
    if (f.is_written)
        return compare(f.value, t);
    return cell && cell->block && t->read ? FINDS_UNKNOWN : FINDS_INITIAL;
}

/* --- remembering ------------------------------------------------------------------------------------ */

/* Where the thread was when it arrived at its step after that event. */
static uint64_t arrival_after(const struct graphs *x, uint32_t thread, uint32_t event)
{
    const struct graph *g = x->g;
    if (event != GRAPH_NONE)
        return g->events[event].stretch >> 1;
    if (thread == 0)
        return x->stretches.root >> 1;
    const struct graph_event *create = &g->events[g->threads[thread].create];
    return hash_combine(arrival_after(x, create->thread, create->po_before), thread + UINT64_C(1));
}

static uint64_t what_was_found(const struct graph_event *ev)
{
    switch (ev->type) {
    case GRAPH_READ:
        return hash_combine((uint64_t)ev->value, (uint64_t)(ev->value >> 64)) ^ (ev->flags & GRAPH_FAILS);
    case GRAPH_CREATE: return ev->address;
    default: return 0;
    }
}

/* Of what its thread does after the event `at`. */
static uint64_t key_after(const struct graphs *x, uint32_t thread, uint32_t at)
{
    if (at == GRAPH_NONE)
        return 1;
    const struct graph_event *ev = &x->g->events[at];
    if (ev->type == GRAPH_WRITE && ev->flags & GRAPH_UPDATE)
        ev = &x->g->events[ev->po_before];
    return hash_combine(arrival_after(x, thread, ev->po_before), what_was_found(ev));
}

static bool is_same_step(const struct graphs_memo_entry *h, const struct port_action *a, uint64_t plain)
{
    return h->plain == plain && h->step.kind == a->kind && h->step.address == a->address &&
           h->step.operation == a->operation && h->step.operand == a->operand && h->step.order == a->order &&
           h->step.failure_order == a->failure_order && h->step.expected == a->expected &&
           h->step.flags == a->flags && h->step.size == a->size && h->step.round == a->round;
}

static bool is_same_touch(const struct graphs_touch *a, const struct graphs_touch *b)
{
    return a->address == b->address && a->before == b->before && a->after == b->after &&
           a->block == b->block && a->touched == b->touched && a->read == b->read && a->written == b->written;
}

static bool is_same_stretch(const struct graphs *x, const struct graphs_memo_entry *h,
                            const struct graphs_stretch *s)
{
    if (h->touch_count != s->count)
        return false;
    for (uint32_t i = 0; i < s->count; i++)
        if (!is_same_touch(&x->stretches.touches.data[h->touches + i], &s->touches[i]))
            return false;
    return true;
}

/* What the program found is what was to be found. */
static bool learn(struct graphs *x, struct graphs_place here, const struct graphs_touch *all, uint32_t number)
{
    const struct graphs_touch *t = &all[number];
    enum finds finds = find(x, here, false, all, number);
    if (finds != FINDS_INITIAL)
        return finds == FINDS_SAME;
    struct graphs_cell *cell = graphs_cell_at(x, t->address);
    uint64_t known = graphs_bits_of(cell->known & t->touched), now = graphs_bits_of(t->touched);
    if ((cell->initial ^ t->before) & known)
        return false;
    cell->initial = (cell->initial & ~now) | (t->before & now);
    cell->known |= t->touched;
    return true;
}

static bool learn_all(struct graphs *x, struct graphs_place here, const struct graphs_stretch *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (!(s->touches[i].block ? graphs_note_block(x, &s->touches[i])
                                  : graphs_note_plain(x, &s->touches[i])))
            return false;
    for (uint32_t i = 0; i < s->count; i++)
        if (!s->touches[i].block && !learn(x, here, s->touches, i))
            return false;
    return true;
}

static enum finds find_initial(const struct graphs *x, const struct graphs_touch *t)
{
    const struct graphs_cell *cell = graphs_find_cell(x, t->address);
    return cell && !(t->touched & ~cell->known) ? compare(cell->initial, t) : FINDS_UNKNOWN;
}

/* Does the stretch happen there? Its accesses are in order with all others, if nothing comes after it. */
static enum finds find_all(const struct graphs *x, struct graphs_place here, bool is_last,
                           const struct graphs_memo_entry *h)
{
    const struct graphs_touch *touches = &x->stretches.touches.data[h->touches];
    for (uint32_t i = 0; i < h->touch_count; i++) {
        if (touches[i].block)
            continue;
        enum finds finds = find(x, here, is_last, touches, i);
        if (finds == FINDS_INITIAL)
            finds = find_initial(x, &touches[i]);
        if (finds != FINDS_SAME)
            return finds;
    }
    return FINDS_SAME;
}

/* The entry of the stretch that happens there; NO_OTHER: none of those that are known, or it cannot be said. */
static uint32_t find_entry(const struct graphs *x, uint64_t key, struct graphs_place here, bool is_last)
{
    uint32_t number = hash_map_get(&x->memo.numbers, key);
    while (number != NO_OTHER) {
        enum finds finds = find_all(x, here, is_last, &x->memo.entries.data[number]);
        if (finds == FINDS_SAME)
            return number;
        if (finds == FINDS_UNKNOWN)
            return NO_OTHER;
        number = x->memo.entries.data[number].other;
    }
    return NO_OTHER;
}

static uint32_t add_entry(struct graphs *x, uint64_t key, const struct port_action *a)
{
    const struct graphs_stretch *s = &x->stretches.of_threads[a->thread];
    uint32_t number = (uint32_t)x->memo.entries.len, *first = hash_map_at(&x->memo.numbers, key);
    struct graphs_memo_entry entry = {.step = *a,
                                      .plain = x->run.plain[a->thread],
                                      .touches = (uint32_t)x->stretches.touches.len,
                                      .touch_count = s->count,
                                      .other = *first};
    _Static_assert(NO_OTHER == HASH_NO_NUMBER, "the last of a list");
    *first = number;
    for (uint32_t i = 0; i < s->count; i++) {
        vec_push(&x->stretches.touches, s->touches[i]);
        entry.cells |= bits_of_touch(&s->touches[i]);
    }
    vec_push(&x->memo.entries, entry);
    return number;
}

/* False: something else should have happened. */
static bool find_same(const struct graphs *x, uint64_t key, struct graphs_place here,
                      const struct port_action *a, uint32_t *same)
{
    const struct graphs_stretch *s = &x->stretches.of_threads[a->thread];
    const struct graphs_memo_entry *h;
    for (uint32_t number = hash_map_get(&x->memo.numbers, key); number != NO_OTHER; number = h->other) {
        h = &x->memo.entries.data[number];
        if (is_same_stretch(x, h, s))
            *same = number;
        else if (find_all(x, here, false, h) == FINDS_SAME)
            return false;
    }
    return *same == NO_OTHER || is_same_step(&x->memo.entries.data[*same], a, x->run.plain[a->thread]);
}

/* Where another thread than the first ends the process, others have gone on after their last events, or have not: what they
 * allocated there is in no graph. */
static bool ends_process_elsewhere(const struct port_action *a)
{
    return a->thread != 0 && graphs_ends_process(a);
}

void graphs_remember_stretch(struct graphs *x, const struct port_action *a)
{
    uint32_t thread = a->thread, at = x->run.at[thread];
    const struct graphs_stretch *s = &x->stretches.of_threads[thread];
    if (!x->stretches.is_complete || (thread != 0 && at == GRAPH_NONE))
        return;
    if (!graphs_is_determined_by_event(a) || s->is_cut || ends_process_elsewhere(a)) {
        give_up(x);
        return;
    }
    if (x->memo.entries.len == ENTRIES_MOST) {
        graphs_forget_stretches(x);
        return;
    }
    struct graphs_place here = graphs_place_after(x->g, thread, at);
    if (!learn_all(x, here, s)) {
        give_up(x);
        return;
    }
    uint64_t key = key_after(x, thread, at);
    uint32_t number = NO_OTHER;
    if (!find_same(x, key, here, a, &number)) {
        give_up(x);
        return;
    }
    if (number == NO_OTHER)
        number = add_entry(x, key, a);
    set_stretch(x, at, word_of(x, number));
}

/* --- going on --------------------------------------------------------------------------------------- */

const struct graphs_memo_entry *graphs_recall_stretch(struct graphs *x, uint32_t thread)
{
    uint32_t at = graphs_event_before(x->g, thread);
    uint32_t number = find_entry(x, key_after(x, thread, at), graphs_place_after(x->g, thread, at), true);
    if (number == NO_OTHER)
        return NULL;
    set_stretch(x, at, word_of(x, number));
    return &x->memo.entries.data[number];
}

const struct graphs_memo_entry *graphs_stretch_after_join(const struct graphs *x,
                                                          const struct graphs_memo_entry *join)
{
    uint32_t word = word_of(x, (uint32_t)(join - x->memo.entries.data));
    uint32_t number = hash_map_get(&x->memo.numbers, hash_combine(word >> 1, 0));
    const struct graphs_memo_entry *next = number == NO_OTHER ? NULL : &x->memo.entries.data[number];
    return next && next->touch_count == 0 ? next : NULL;
}
