/* SPDX-License-Identifier: Apache-2.0 */
#include "prove/prove_buffers.h"
#include "prove/prove_counters.h"
#include "prove/prove_harness.h"
#include "prove/prove_image.h"
#include "prove/prove_system.h"

#include <string.h>

enum {
    WALKS = 6,         /* with different schedules */
    STEPS_LEAST = 160, /* of each; more where counters are shifted by much */
    STEPS_MOST = 4000,
    STEPS_EACH = 30, /* about so many for a counter to grow by one */
    BEFORE = 4,      /* a walk begins so far before a number that may matter */
    MULTIPLES = 14,  /* of the step, that are tried one by one */
    LARGE_STEP = 8,  /* walks are long there: half as many */
};

/* What one walk did, step by step; the program's answers and places are in it, its data is not. */
struct walk {
    uint64_t steps[STEPS_MOST];
    unsigned count;
};

struct walker {
    uint64_t random;
    unsigned switches; /* one in so many steps */
    unsigned thread;   /* that went last */
    uint32_t inside;
    int64_t next_item;
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

static struct prove_result call(struct walker *w, unsigned thread, unsigned op)
{
    const struct prove_operation *o = &prove_operations[op];
    int64_t numbers[PLUMB_ARGUMENTS_MAX] = {0};
    for (unsigned i = 0; i < o->argument_count; i++)
        numbers[i] =
            prove_harness.free_values ? 1 + (int64_t)choose(w, prove_harness.free_values) : w->next_item++;
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
static uint64_t next_of(const struct prove_registers *g)
{
    uint64_t place = mix(g->hook, g->pc), kind = prove_kind(g->hook);
    return kind && kind < PROVE_MALLOC ? mix(place, g->arguments[0]) : place;
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
    hash = mix(hash, r.has_returned ? r.value : next_of(&t->registers));
    out->steps[out->count++] = hash;
    if (r.has_returned)
        note_return(w, thread, op, r.value);
    return r.outcome == PROVE_FINE && prove_run_refresh(w->numbers) == PROVE_FINE;
}

static void run_walk(const struct prove_form *start, unsigned number, uint64_t further, unsigned steps,
                     struct walk *out)
{
    static struct walker w;
    static const unsigned switches[] = {2, 16, 5};
    w = (struct walker){.random = number + 1, .switches = switches[number % 3], .next_item = 1};
    out->count = 0;
    prove_form_read(start, &prove_dialects[0]);
    prove_counters_restore();
    prove_counters_add(further);
    prove.is_concrete = true;
    if (prove_run_refresh(w.numbers) == PROVE_FINE)
        while (out->count < steps && take_step(&w, out))
            ;
    prove.is_concrete = false;
}

/* --- all of them ------------------------------------------------------------------------------------------------------ */

static unsigned steps_of_walk(void)
{
    unsigned wanted = STEPS_LEAST + STEPS_EACH * prove_counters_step();
    return wanted < STEPS_MOST ? wanted : STEPS_MOST;
}

static unsigned walk_count(void)
{
    return prove_counters_step() > LARGE_STEP ? WALKS / 2 : WALKS;
}

/* The walks with counters that far on are those of before. */
static bool agrees(const struct prove_form *start, const struct walk *before, uint64_t further)
{
    static struct walk now;
    for (unsigned i = 0; i < walk_count(); i++) {
        run_walk(start, i, further, steps_of_walk(), &now);
        if (now.count != before[i].count || memcmp(now.steps, before[i].steps, now.count * sizeof *now.steps))
            return false;
    }
    return true;
}

/* The last multiple of the step from which a walk comes to the number. */
static uint64_t before_number(uint64_t number)
{
    return number > BEFORE ? (number - BEFORE) / prove_counters_step() * prove_counters_step() : 0;
}

static bool agrees_at_number(const struct prove_form *start, const struct walk *before, uint64_t number,
                             uint64_t *at)
{
    *at = before_number(number);
    return !*at || *at > prove_counters_most() || agrees(start, before, *at);
}

/* Small multiples, for what is taken modulo other numbers; where types of 8, 16, 32 bits end; numbers of the program's code. */
static bool agrees_everywhere(const struct prove_form *start, const struct walk *before, uint64_t *at)
{
    const struct prove_question *q = &prove.shared->question;
    enum { BITS = 62 };
    for (unsigned i = 1; i <= MULTIPLES; i++)
        if (!agrees(start, before, *at = i * prove_counters_step()))
            return false;
    if (!agrees(start, before, *at = prove_counters_far()))
        return false;
    for (uint32_t i = 0; i < q->constant_count; i++)
        if (!agrees_at_number(start, before, q->constants[i], at))
            return false;
    for (unsigned bit = 3; bit < BITS; bit++)
        if (!agrees_at_number(start, before, UINT64_C(1) << bit, at))
            return false;
    return true;
}

bool prove_walks_agree(const struct prove_form *start)
{
    static struct walk before[WALKS];
    uint64_t at = 0;
    bool merges = prove.merges;
    prove.merges = false; /* each access is looked at */
    for (unsigned i = 0; i < walk_count(); i++)
        run_walk(start, i, 0, steps_of_walk(), &before[i]);
    bool fine = agrees_everywhere(start, before, &at);
    prove.merges = merges;
    if (!fine)
        prove_note(PROVE_UNSURE,
                   "more than differences of counters matter, up to multiples of %u: with all of them %llu "
                   "further, a run is another one",
                   (unsigned)prove_counters_step(), (unsigned long long)at);
    prove_form_read(start, &prove_dialects[0]);
    return fine;
}
