/* SPDX-License-Identifier: Apache-2.0 */
/* A read first guesses its write, for each of its granules, as (thread, how many writes to it that thread makes before), and its
 * thread goes on as soon as these writes exist; a weak CAS also guesses whether it fails for no reason, which comes true
 * only if it finds what it expects. A guess that never comes true is thrown away. So every graph without
 * a cycle of program order and reads-from is met exactly once, whatever order the threads are run in. */
#include "oracle/graph_oracle.h"

#include "base/check.h"

#include <string.h>

enum { THREADS = 6, WRITES = 16, MAIN = 0 };

struct guess {
    bool made, fails;
    int8_t thread[CANDIDATE_PARTS]; /* -1: the initial value */
    int8_t number[CANDIDATE_PARTS];
};

struct unfolding_thread {
    bool created, begun, ended, waits;
    uint32_t at, events;
    int8_t create_event, end_event;
    struct guess guess;
    int64_t registers[PROGRAM_REGISTERS_MAX];
};

/* A graph in the making, without coherence order. */
struct unfolding {
    struct candidate_graph g;
    struct unfolding_thread threads[THREADS];
    int8_t writes[THREADS][CANDIDATE_GRANULES][WRITES];
    uint8_t write_count[THREADS][CANDIDATE_GRANULES];
};

struct enumeration {
    const struct program *p;
    const uint16_t *names;
    uint64_t budget;
    struct oracle_graphs *out;
    struct view view;
    VEC(struct instruction) main;
    uint8_t most_writes[THREADS][CANDIDATE_GRANULES];
    int8_t first_granule[PROGRAM_LOCATIONS_MAX];
    uint8_t granule_bytes[PROGRAM_LOCATIONS_MAX];
    uint32_t granule_count;
};

/* ---- the program ---- */

static uint32_t code_length(const struct enumeration *n, uint32_t thread)
{
    return (uint32_t)(thread == MAIN ? n->main.len : n->p->threads[thread - 1].code.len);
}

static const struct instruction *code_at(const struct enumeration *n, uint32_t thread, uint32_t at)
{
    return thread == MAIN ? &n->main.data[at] : &n->p->threads[thread - 1].code.data[at];
}

static bool is_access(const struct instruction *i)
{
    return i->kind == INSTRUCTION_ACCESS || i->kind == INSTRUCTION_CAS || i->kind == INSTRUCTION_AWAIT;
}

static bool only_loads(const struct instruction *i)
{
    return i->kind == INSTRUCTION_AWAIT || i->operation == OPERATION_LOAD;
}

static bool only_stores(const struct instruction *i)
{
    return i->kind == INSTRUCTION_ACCESS &&
           (i->operation == OPERATION_STORE || i->operation == OPERATION_UNLOCK);
}

static void make_main(struct enumeration *n)
{
    for (int joins = 0; joins < 2; joins++)
        for (uint32_t t = 0; t < n->p->thread_count; t++)
            if (!n->p->threads[t].on_demand)
                vec_push(&n->main,
                         ((struct instruction){.kind = joins ? INSTRUCTION_JOIN : INSTRUCTION_CREATE,
                                               .destination = t}));
}

static void number_granules(struct enumeration *n)
{
    for (uint32_t l = 0; l < n->p->location_count; l++) {
        unsigned cells = view_cells(n->p, l);
        n->first_granule[l] = (int8_t)n->granule_count;
        n->granule_bytes[l] = (uint8_t)(8 / cells);
        n->granule_count += cells;
    }
    CHECK(n->granule_count <= CANDIDATE_GRANULES);
}

static int8_t granule_of(const struct enumeration *n, const struct instruction *i)
{
    return (int8_t)(n->first_granule[i->location] + i->offset / n->granule_bytes[i->location]);
}

static int8_t granules_of(const struct enumeration *n, const struct instruction *i)
{
    return (int8_t)(program_size_of(i) / n->granule_bytes[i->location]);
}

static void count_writes(struct enumeration *n)
{
    for (uint32_t t = 0; t <= n->p->thread_count; t++)
        for (uint32_t at = 0; at < code_length(n, t); at++) {
            const struct instruction *i = code_at(n, t, at);
            for (int8_t k = 0; is_access(i) && !only_loads(i) && k < granules_of(n, i); k++)
                n->most_writes[t][granule_of(n, i) + k]++;
        }
}

static int64_t truncate_to(int64_t value, unsigned size)
{
    return size == 8 ? value : value & ((INT64_C(1) << 8 * size) - 1);
}

/* What a step makes of the value found. False: it waits. */
static bool effect_of(const struct instruction *i, int64_t operand, int64_t expected, int64_t found,
                      bool *writes, int64_t *value)
{
    *writes = true;
    switch (i->operation) {
    case OPERATION_STORE:
    case OPERATION_EXCHANGE: *value = operand; return true;
    case OPERATION_UNLOCK: *value = 0; return true;
    case OPERATION_ADD: *value = found + operand; return true;
    case OPERATION_SUB: *value = found - operand; return true;
    case OPERATION_AND: *value = found & operand; return true;
    case OPERATION_OR: *value = found | operand; return true;
    case OPERATION_XOR: *value = found ^ operand; return true;
    case OPERATION_NAND: *value = ~(found & operand); return true;
    case OPERATION_NEGATE: *value = operand - found; return true;
    case OPERATION_CAS:
        *writes = found == expected;
        *value = operand;
        return true;
    case OPERATION_TRYLOCK:
        *writes = found == 0;
        *value = operand;
        return true;
    case OPERATION_LOCK:
        *writes = found == 0;
        *value = operand;
        return found == 0;
    default: CHECK(!"an operation the oracle knows"); return false;
    }
}

/* ---- one thread ---- */

static struct candidate_event *add_event(struct unfolding *u, uint32_t thread, char kind, uint8_t order)
{
    CHECK(u->g.count < CANDIDATE_EVENTS);
    struct candidate_event *e = &u->g.events[u->g.count++];
    *e = (struct candidate_event){
        .kind = kind,
        .order = order,
        .thread = (int8_t)thread,
        .number = (int8_t)u->threads[thread].events++,
        .location = CANDIDATE_NONE,
        .from = {CANDIDATE_NONE, CANDIDATE_NONE, CANDIDATE_NONE, CANDIDATE_NONE},
        .read = CANDIDATE_NONE,
    };
    return e;
}

static int8_t last_event(const struct unfolding *u)
{
    return (int8_t)(u->g.count - 1);
}

static struct candidate_event *add_access(const struct enumeration *n, struct unfolding *u, uint32_t thread,
                                          char kind, const struct instruction *i)
{
    struct candidate_event *e = add_event(u, thread, kind, i->order);
    e->location = (int8_t)i->location;
    e->granule = granule_of(n, i);
    e->granules = granules_of(n, i);
    return e;
}

static void add_write(const struct enumeration *n, struct unfolding *u, uint32_t thread,
                      const struct instruction *i, int64_t value, int8_t read)
{
    struct candidate_event *e = add_access(n, u, thread, 'W', i);
    e->value = truncate_to(value, program_size_of(i));
    e->read = read;
    e->locked = read != CANDIDATE_NONE;
    for (int8_t k = e->granule; k < e->granule + e->granules; k++) {
        CHECK(u->write_count[thread][k] < WRITES);
        u->writes[thread][k][u->write_count[thread][k]++] = last_event(u);
    }
}

/* The write guessed for the k-th granule, or CANDIDATE_NONE as long as there is none. */
static int8_t guessed_write(const struct enumeration *n, const struct unfolding *u, const struct guess *guess,
                            const struct instruction *i, int8_t k)
{
    int8_t granule = (int8_t)(granule_of(n, i) + k), thread = guess->thread[k];
    if (thread < 0)
        return (int8_t)i->location;
    if (u->write_count[thread][granule] <= guess->number[k])
        return CANDIDATE_NONE;
    return u->writes[thread][granule][guess->number[k]];
}

/* What each granule of the read finds, put together. */
static int64_t value_found(const struct enumeration *n, const struct unfolding *u,
                           const struct candidate_event *e)
{
    unsigned bits = 8u * n->granule_bytes[e->location];
    uint64_t value = 0;
    for (int8_t k = 0; k < e->granules; k++) {
        const struct candidate_event *w = &u->g.events[e->from[k]];
        uint64_t part = (uint64_t)w->value >> (unsigned)(e->granule + k - w->granule) * bits;
        value |= (part & UINT64_MAX >> (64 - bits)) << (unsigned)k * bits;
    }
    return (int64_t)value;
}

static void finish_await(const struct enumeration *n, struct unfolding_thread *t, const struct instruction *i,
                         struct candidate_event *e)
{
    int64_t before = t->registers[i->target];
    t->registers[i->target] = e->value;
    t->waits = e->waits = !program_evaluate(n->p, i->expression, t->registers);
    if (t->waits)
        t->registers[i->target] = before;
}

static void finish_update(const struct enumeration *n, struct unfolding *u, uint32_t thread,
                          const struct instruction *i, struct candidate_event *e)
{
    struct unfolding_thread *t = &u->threads[thread];
    int64_t operand = program_evaluate(n->p, i->expression, t->registers), expected = 0, value,
            found = e->value;
    bool is_cas = i->kind == INSTRUCTION_CAS, writes;
    if (is_cas)
        expected = truncate_to(i->expected_register >= 0 ? t->registers[i->expected_register]
                                                         : program_evaluate(n->p, i->expected, t->registers),
                               program_size_of(i));
    t->waits = e->waits = !effect_of(i, operand, expected, found, &writes, &value);
    e->fails = t->guess.fails;
    if (e->fails && !writes) { /* it fails anyway, which is another guess: this one never comes true */
        t->guess.made = t->waits = true;
        return;
    }
    writes &= !e->fails;
    e->locked = true;
    if (!writes)
        e->order = i->failure_order;
    if (t->waits)
        return;
    if (writes)
        add_write(n, u, thread, i, value, last_event(u));
    if (is_cas && !writes && i->expected_register >= 0)
        t->registers[i->expected_register] = found;
    if (i->target >= 0)
        t->registers[i->target] = is_cas ? writes : found;
}

static void do_read(const struct enumeration *n, struct unfolding *u, uint32_t thread,
                    const struct instruction *i, const int8_t *from)
{
    struct unfolding_thread *t = &u->threads[thread];
    struct candidate_event *e = add_access(n, u, thread, 'R', i);
    memcpy(e->from, from, sizeof e->from);
    e->value = value_found(n, u, e);
    t->guess.made = false;
    if (i->kind == INSTRUCTION_AWAIT)
        finish_await(n, t, i, e);
    else if (!only_loads(i))
        finish_update(n, u, thread, i, e);
    else if (i->target >= 0)
        t->registers[i->target] = e->value;
    t->at += !t->waits;
}

enum progress { PROGRESS, NO_PROGRESS, NEEDS_GUESS };

static enum progress step_access(const struct enumeration *n, struct unfolding *u, uint32_t thread,
                                 const struct instruction *i)
{
    struct unfolding_thread *t = &u->threads[thread];
    if (only_stores(i)) {
        bool stores = i->operation == OPERATION_STORE;
        add_write(n, u, thread, i, stores ? program_evaluate(n->p, i->expression, t->registers) : 0,
                  CANDIDATE_NONE);
        t->at++;
        return PROGRESS;
    }
    if (!t->guess.made)
        return NEEDS_GUESS;
    int8_t from[CANDIDATE_PARTS] = {0};
    for (int8_t k = 0; k < granules_of(n, i); k++) {
        from[k] = guessed_write(n, u, &t->guess, i, k);
        if (from[k] == CANDIDATE_NONE)
            return NO_PROGRESS;
    }
    do_read(n, u, thread, i, from);
    return PROGRESS;
}

static enum progress step_join(struct unfolding *u, uint32_t thread, uint32_t target)
{
    if (!u->threads[target].ended)
        return NO_PROGRESS;
    add_event(u, thread, 'J', 0)->from[0] = u->threads[target].end_event;
    u->threads[thread].at++;
    return PROGRESS;
}

static void step_create(struct unfolding *u, uint32_t thread, uint32_t target)
{
    add_event(u, thread, 'C', 0);
    CHECK(!u->threads[target].created);
    u->threads[target].created = true;
    u->threads[target].create_event = last_event(u);
    u->threads[thread].at++;
}

static enum progress step_instruction(const struct enumeration *n, struct unfolding *u, uint32_t thread)
{
    struct unfolding_thread *t = &u->threads[thread];
    const struct instruction *i = code_at(n, thread, t->at);
    if (is_access(i))
        return step_access(n, u, thread, i);
    int64_t value = 0;
    if (i->kind == INSTRUCTION_SET || i->kind == INSTRUCTION_JUMP_IF_ZERO)
        value = program_evaluate(n->p, i->expression, t->registers);
    switch (i->kind) {
    case INSTRUCTION_JOIN: return step_join(u, thread, i->destination + 1);
    case INSTRUCTION_CREATE: step_create(u, thread, i->destination + 1); return PROGRESS;
    case INSTRUCTION_FENCE: add_event(u, thread, 'F', i->order); break;
    case INSTRUCTION_SET: t->registers[i->target] = value; break;
    case INSTRUCTION_JUMP_IF_ZERO: t->at = value ? t->at + 1 : i->destination; return PROGRESS;
    case INSTRUCTION_JUMP: t->at = i->destination; return PROGRESS;
    default: break;
    }
    t->at++;
    return PROGRESS;
}

static enum progress step(const struct enumeration *n, struct unfolding *u, uint32_t thread)
{
    struct unfolding_thread *t = &u->threads[thread];
    if (!t->created || t->ended || t->waits)
        return NO_PROGRESS;
    if (!t->begun) {
        add_event(u, thread, 'B', 0)->from[0] = thread == MAIN ? CANDIDATE_NONE : t->create_event;
        t->begun = true;
        return PROGRESS;
    }
    if (t->at < code_length(n, thread))
        return step_instruction(n, u, thread);
    add_event(u, thread, 'E', 0);
    t->ended = true;
    t->end_event = last_event(u);
    return PROGRESS;
}

/* ---- a finished graph ---- */

static void view_of(const struct enumeration *n, const struct unfolding *u, struct view *v)
{
    struct view_write names[CANDIDATE_EVENTS];
    uint16_t writes[THREADS] = {0};
    view_clear(v);
    v->thread_count = n->p->thread_count + 1;
    for (uint32_t k = 0; k < u->g.count; k++) {
        const struct candidate_event *e = &u->g.events[k];
        names[k] = (struct view_write){.thread = VIEW_INITIAL};
        if (e->kind == 'W')
            names[k] = (struct view_write){(uint16_t)e->thread, writes[e->thread]++};
        if (e->kind == 'i')
            continue;
        struct view_step s = {.kind = e->kind, .waits = e->waits, .fails = e->fails, .value = e->value};
        if (e->location != CANDIDATE_NONE) {
            s.location = (uint32_t)e->location;
            s.cell = (uint8_t)(e->granule - n->first_granule[e->location]);
            s.cells = (uint8_t)e->granules;
        }
        for (int8_t part = 0; e->kind == 'R' && part < e->granules; part++)
            s.from[part] = names[e->from[part]];
        vec_push(&v->threads[e->thread], s);
    }
    for (uint32_t l = 0; l < n->p->location_count; l++)
        for (uint32_t c = 0; c < 8u / n->granule_bytes[l]; c++) {
            uint32_t granule = (uint32_t)n->first_granule[l] + c;
            for (uint32_t k = 1; k < u->g.order_length[granule]; k++)
                vec_push(&v->order[l][c], names[u->g.order[granule][k]]);
        }
}

static bool waits_for_nothing(const struct unfolding *u)
{
    for (uint32_t k = 0; k < u->g.count; k++) {
        const struct candidate_event *e = &u->g.events[k];
        for (int8_t part = 0; e->waits && part < e->granules; part++) {
            int granule = e->granule + part;
            if (u->g.order[granule][u->g.order_length[granule] - 1] != e->from[part])
                return false;
        }
    }
    return true;
}

static void judge(struct enumeration *n, const struct unfolding *u)
{
    unsigned models = axioms_consistent(&u->g);
    if (!models)
        return;
    int64_t registers[PROGRAM_THREADS_MAX][PROGRAM_REGISTERS_MAX] = {0};
    for (uint32_t t = 0; t < n->p->thread_count; t++)
        memcpy(registers[t], u->threads[t + 1].registers, sizeof registers[t]);
    int64_t last[PROGRAM_LOCATIONS_MAX];
    view_of(n, u, &n->view);
    view_last_values(&n->view, n->p, last);
    struct oracle_graph found = {
        .hash = view_hash(&n->view, false, n->names),
        .stripped = view_hash(&n->view, true, n->names),
        .state = view_state_hash(n->p, (const int64_t(*)[PROGRAM_REGISTERS_MAX])registers, last, n->names),
        .models = models,
        .complete = u->threads[MAIN].ended,
    };
    found.stuck = !found.complete && waits_for_nothing(u);
    vec_push(&n->out->graphs, found);
    n->out->registers = (const int64_t(*)[PROGRAM_REGISTERS_MAX])registers;
    if (n->out->each)
        n->out->each(n->out->context, &n->view, &found);
}

/* ---- all coherence orders ---- */

static void order_granules(struct enumeration *n, struct unfolding *u, uint32_t granule);

/* Only to save time, orders that axioms_coherent_at would refuse in the end: the write at `k` is that of an update of
 * another write than the one before it, or comes before an earlier one of its thread. */
static bool is_hopeless(const struct unfolding *u, uint32_t granule, uint32_t k)
{
    const uint8_t *order = u->g.order[granule];
    const struct candidate_event *e = &u->g.events[order[k]];
    if (e->read != CANDIDATE_NONE && u->g.events[e->read].from[(int)granule - e->granule] != order[k - 1])
        return true;
    for (uint32_t j = k + 1; j < u->g.order_length[granule]; j++) {
        const struct candidate_event *later = &u->g.events[order[j]];
        if (later->thread == e->thread && later->number < e->number)
            return true;
    }
    return false;
}

/* Puts each of the writes from `k` on next. */
static void order_writes(struct enumeration *n, struct unfolding *u, uint32_t granule, uint32_t k)
{
    uint8_t *order = u->g.order[granule];
    if (n->out->too_many)
        return;
    if (k == u->g.order_length[granule]) {
        n->out->too_many = ++n->out->candidates > n->budget;
        if (axioms_coherent_at(&u->g, granule))
            order_granules(n, u, granule + 1);
        return;
    }
    for (uint32_t j = k; j < u->g.order_length[granule]; j++) {
        uint8_t swapped = order[k];
        order[k] = order[j];
        order[j] = swapped;
        if (!is_hopeless(u, granule, k))
            order_writes(n, u, granule, k + 1);
        order[j] = order[k];
        order[k] = swapped;
    }
}

static void order_granules(struct enumeration *n, struct unfolding *u, uint32_t granule)
{
    if (granule == n->granule_count) {
        judge(n, u);
        return;
    }
    u->g.order_length[granule] = 0;
    for (uint32_t k = 0; k < u->g.count; k++) {
        const struct candidate_event *e = &u->g.events[k];
        if ((e->kind == 'W' || e->kind == 'i') && e->granule <= (int)granule &&
            (int)granule < e->granule + e->granules)
            u->g.order[granule][u->g.order_length[granule]++] = (uint8_t)k;
    }
    order_writes(n, u, granule, 1);
}

/* ---- all guesses ---- */

static void unfold(struct enumeration *n, const struct unfolding *before);

static void guess(struct enumeration *n, const struct unfolding *u, uint32_t thread, struct guess guessed)
{
    bool weak = code_at(n, thread, u->threads[thread].at)->weak;
    struct unfolding *next = NEW(struct unfolding);
    for (int fails = 0; fails <= weak; fails++) {
        *next = *u;
        guessed.made = true;
        guessed.fails = fails;
        next->threads[thread].guess = guessed;
        unfold(n, next);
    }
    free(next);
}

/* From the k-th granule on; those before are guessed. */
static void guess_all(struct enumeration *n, const struct unfolding *u, uint32_t thread, struct guess guessed,
                      int8_t k)
{
    const struct instruction *i = code_at(n, thread, u->threads[thread].at);
    if (k == granules_of(n, i)) {
        guess(n, u, thread, guessed);
        return;
    }
    int granule = granule_of(n, i) + k;
    guessed.thread[k] = -1;
    guess_all(n, u, thread, guessed, (int8_t)(k + 1));
    for (uint32_t t = 0; t <= n->p->thread_count; t++)
        for (int8_t w = 0; w < n->most_writes[t][granule]; w++)
            if (t != thread || w < u->write_count[t][granule]) {
                guessed.thread[k] = (int8_t)t;
                guessed.number[k] = w;
                guess_all(n, u, thread, guessed, (int8_t)(k + 1));
            }
}

/* Runs every thread as far as it goes; the first one that needs a guess, or NO_THREAD. */
enum { NO_THREAD = THREADS };

static uint32_t run(struct enumeration *n, struct unfolding *u)
{
    bool again = true;
    uint32_t guesser = NO_THREAD;
    while (again) {
        again = false;
        guesser = NO_THREAD;
        for (uint32_t t = 0; t <= n->p->thread_count; t++) {
            enum progress got;
            while ((got = step(n, u, t)) == PROGRESS)
                again = true;
            if (got == NEEDS_GUESS && guesser == NO_THREAD)
                guesser = t;
        }
    }
    return guesser;
}

static bool all_came_true(const struct unfolding *u)
{
    for (uint32_t t = 0; t < THREADS; t++)
        if (u->threads[t].guess.made)
            return false;
    return true;
}

static void unfold(struct enumeration *n, const struct unfolding *before)
{
    if (n->out->too_many)
        return;
    struct unfolding u = *before;
    uint32_t guesser = run(n, &u);
    if (guesser != NO_THREAD) {
        guess_all(n, &u, guesser, (struct guess){0}, 0);
        return;
    }
    n->out->too_many = ++n->out->candidates > n->budget;
    if (all_came_true(&u))
        order_granules(n, &u, 0);
}

static uint32_t most_events(const struct enumeration *n)
{
    uint32_t count = n->p->location_count;
    for (uint32_t t = 0; t <= n->p->thread_count; t++) {
        count += 2;
        for (uint32_t at = 0; at < code_length(n, t); at++)
            count += is_access(code_at(n, t, at)) && !only_loads(code_at(n, t, at)) ? 2 : 1;
    }
    return count;
}

void oracle_enumerate(const struct program *p, const uint16_t *names, uint64_t budget,
                      struct oracle_graphs *out)
{
    struct enumeration n = {.p = p, .names = names, .budget = budget, .out = out};
    CHECK(p->thread_count < THREADS);
    make_main(&n);
    number_granules(&n);
    count_writes(&n);
    vec_clear(&out->graphs);
    out->candidates = 0;
    out->too_many = most_events(&n) > CANDIDATE_EVENTS;
    struct unfolding start = {0};
    for (uint32_t l = 0; l < p->location_count; l++)
        start.g.events[start.g.count++] = (struct candidate_event){
            .kind = 'i',
            .thread = -1,
            .location = (int8_t)l,
            .granule = n.first_granule[l],
            .granules = (int8_t)(8 / n.granule_bytes[l]),
            .read = CANDIDATE_NONE,
            .value = p->initial[l],
        };
    start.threads[MAIN].created = true;
    unfold(&n, &start);
    view_free(&n.view);
    vec_free(&n.main);
}
