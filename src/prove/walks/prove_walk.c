/* SPDX-License-Identifier: Apache-2.0 */
#include "prove/walks/prove_walk.h"

#include "prove/prove_buffers.h"
#include "prove/prove_counters.h"
#include "prove/prove_harness.h"
#include "prove/prove_system.h"

#include <string.h>

struct walker {
    uint64_t random;
    unsigned switches; /* one in so many steps */
    unsigned thread;   /* that went last */
    uint32_t inside;
    int64_t next_item;
    struct walk_disguise disguise;
    int64_t given[WALK_ITEMS];
    uint64_t new_blocks; /* from there on */
    uint8_t holds[PROVE_THREADS_MAX];
    uint32_t numbers[PROVE_BLOCKS_MAX];
};

static uint32_t choose(struct walker *w, uint32_t ways)
{
    w->random = w->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(w->random >> 33) % ways;
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* --- one walk --------------------------------------------------------------------------------------------------------- */

static bool may_call(const struct walker *w, unsigned thread, const struct prove_operation *o)
{
    bool held = w->holds[thread] & o->held;
    if (o->holding > 0 ? held : o->holding < 0 && !held)
        return false;
    if (o->counts > 0 && w->inside >= prove.shared->question.inside)
        return false;
    return !prove_harness.role_count || o->roles == UINT32_MAX || (o->roles & prove_role_of[thread]);
}

/* UINT32_MAX: it may call nothing. */
static unsigned choose_operation(struct walker *w, unsigned thread)
{
    unsigned first = choose(w, prove_operation_count);
    for (unsigned i = 0; i < prove_operation_count; i++) {
        unsigned op = (first + i) % prove_operation_count;
        if (may_call(w, thread, &prove_operations[op]))
            return op;
    }
    return UINT32_MAX;
}

int64_t prove_searched_item(unsigned item)
{
    uint32_t word = prove_item_word(prove_dialects, item);
    return prove_harness.is_wide ? (int64_t)prove_item_twice(word) : word;
}

static const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);

static unsigned item_bits(void)
{
    return prove_harness.is_wide ? 59 : 31;
}

int64_t prove_scattered_item(unsigned item)
{
    uint64_t number = item * odd;
    number = (number ^ number >> 32) * odd;
    return (int64_t)(number >> (64 - item_bits()));
}

/* So many bits, in places that differ. */
static int64_t thin_item(unsigned item, unsigned places)
{
    enum { FEWEST = 3 }; /* others have less: numbers that stand for something else often do */
    uint64_t number = 0;
    if (item + FEWEST > item_bits())
        return prove_scattered_item(item);
    for (unsigned i = 0; i < item + FEWEST - 1; i++)
        number |= UINT64_C(1) << (i * 11 + places) % item_bits();
    return (int64_t)number;
}

static int64_t ladder_item(const struct walk_disguise *d, unsigned item)
{
    enum { RUNGS = 20 };
    int64_t number = item > RUNGS ? INT64_MAX : d->n + (d->by << (item - 1));
    return number >> item_bits() ? prove_scattered_item(item) : number;
}

static int64_t number_of_item(const struct walk_disguise *d, unsigned item)
{
    switch (d->items) {
    case ITEMS_COUNTED: return d->n + (int64_t)item - 1;
    case ITEMS_ONE: return item == 2 ? d->n : prove_searched_item(item);
    case ITEMS_SCATTERED: return prove_scattered_item(item + (unsigned)d->n);
    case ITEMS_THIN: return thin_item(item, (unsigned)d->n);
    case ITEMS_SHIFTED: return (int64_t)item << d->n;
    case ITEMS_LADDER: return ladder_item(d, item);
    case ITEMS_SAME: return prove_searched_item(1);
    case ITEMS_TWO: return prove_searched_item(1 + (unsigned)(item * odd >> 63));
    default: return prove_searched_item(item);
    }
}

static int64_t next_item(struct walker *w)
{
    unsigned item = (unsigned)w->next_item++;
    return w->given[item % WALK_ITEMS] = number_of_item(&w->disguise, item);
}

/* The answer, and which item it is, whatever its number. */
static uint64_t name_answer(const struct walker *w, unsigned op, plumb_value value)
{
    if (!plumb_is_int(value) || prove_harness.free_values || !prove_answers_items(op))
        return value;
    int64_t number = plumb_int_of(prove_values(), value);
    for (unsigned i = 1; i < (unsigned)w->next_item; i++)
        if (w->given[i % WALK_ITEMS] == number)
            return mix(UINT64_MAX, w->disguise.is_blurred ? 0 : i);
    return value;
}

static struct prove_result call(struct walker *w, unsigned thread, unsigned op)
{
    const struct prove_operation *o = &prove_operations[op];
    int64_t numbers[PLUMB_ARGUMENTS_MAX] = {0};
    for (unsigned i = 0; i < o->argument_count; i++)
        numbers[i] =
            prove_harness.free_values ? 1 + (int64_t)choose(w, prove_harness.free_values) : next_item(w);
    w->inside += o->counts > 0;
    if (o->holding < 0)
        w->holds[thread] &= (uint8_t)~o->held;
    return prove_begin(thread, op, numbers);
}

static void note_return(struct walker *w, unsigned thread, unsigned op, plumb_value value)
{
    const struct prove_operation *o = &prove_operations[op];
    bool took = o->counts < 0 && value != PLUMB_NONE, failed = o->counts > 0 && value == PLUMB_BOOL(false);
    w->inside -= (took || failed) && w->inside;
    if (o->holding > 0)
        w->holds[thread] |= o->held;
}

/* The next step of an open operation. */
static struct prove_result go_on(struct walker *w, unsigned thread)
{
    uint32_t list[PROVE_BLOCKS_MAX];
    if (prove_buffer_of(thread)->count && (choose(w, 2) || prove_is_blocked(thread)))
        return prove_buffer_step(thread);
    unsigned waiters = prove_waiters(thread, list);
    prove.wakes = waiters ? list[choose(w, waiters)] : UINT32_MAX;
    struct prove_result r = prove_step(thread, NULL);
    return r.outcome == PROVE_BLOCKED && prove_buffer_of(thread)->count ? prove_buffer_step(thread) : r;
}

static bool can_go(unsigned thread)
{
    return !prove.state.threads[thread].is_open || prove_buffer_of(thread)->count ||
           !prove_is_blocked(thread);
}

static unsigned choose_thread(struct walker *w)
{
    unsigned thread = choose(w, w->switches) ? w->thread : choose(w, prove.threads);
    for (unsigned i = 0; i < prove.threads && !can_go(thread); i++)
        thread = (thread + 1) % prove.threads;
    return thread;
}

/* What the thread is about to do: also where, for an index that is computed otherwise shows there. */
static uint64_t next_of(const struct walker *w, const struct prove_registers *g)
{
    uint64_t place = mix(g->hook, g->pc), kind = prove_kind(g->hook), address = g->arguments[0];
    if (address - w->new_blocks < PROVE_ARENA_BYTES)
        address -= w->disguise.blocks;
    return kind && kind < PROVE_MALLOC ? mix(place, address) : place;
}

/* False: it ends here. */
static bool take_step(struct walker *w, struct walk *out)
{
    unsigned thread = w->thread = choose_thread(w);
    const struct prove_thread *t = &prove.state.threads[thread];
    bool is_call = !t->is_open;
    unsigned op = is_call ? choose_operation(w, thread) : t->op;
    uint64_t hash = mix(mix(thread, is_call), op);
    struct prove_result r = {0};
    if (op != UINT32_MAX && can_go(thread))
        r = is_call ? call(w, thread, op) : go_on(w, thread);
    else if (!is_call)
        r.outcome = PROVE_BLOCKED;
    hash = mix(mix(hash, r.outcome), r.has_returned);
    hash = mix(hash, r.has_returned ? name_answer(w, op, r.value) : next_of(w, &t->registers));
    out->steps[out->count++] = hash;
    if (r.has_returned)
        note_return(w, thread, op, r.value);
    return r.outcome == PROVE_FINE && prove_run_refresh(w->numbers) == PROVE_FINE;
}

void prove_walk(const struct prove_form *start, unsigned number, const struct walk_disguise *d,
                unsigned steps, struct walk *out)
{
    static struct walker w;
    static const unsigned switches[] = {2, 16, 5};
    bool merges = prove.merges, goes_on = true;
    w = (struct walker){
        .random = number + 1, .switches = switches[number % 3], .next_item = 1, .disguise = *d};
    out->count = 0;
    prove_form_read(start, &prove_dialects[0]);
    prove_counters_restore();
    prove_counters_add(d->further);
    w.new_blocks = prove.state.next += d->blocks;
    prove.merges = false; /* each access is looked at */
    prove.is_concrete = true;
    if (prove_run_refresh(w.numbers) == PROVE_FINE)
        while (out->count < steps && goes_on)
            goes_on = take_step(&w, out);
    out->has_ended = !goes_on;
    prove.is_concrete = false;
    prove.merges = merges;
}

bool prove_walk_is_same(const struct walk *a, const struct walk *b)
{
    return a->count == b->count && !memcmp(a->steps, b->steps, a->count * sizeof *a->steps);
}
