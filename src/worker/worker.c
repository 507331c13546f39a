/* SPDX-License-Identifier: Apache-2.0 */
/* The process under test: prepares once, then runs executions until the explorer has enough or an error is found. */
#include "base/budget.h"
#include "engine/engine.h"
#include "engine/code/imports.h"
#include "engine/error/findings.h"
#include "engine/graph_mode/graph_mode.h"
#include "engine/loop/loops.h"
#include "engine/memory/mappings.h"
#include "explore/explore.h"
#include "explore/graphs.h"
#include "explore/graphs_memo.h"
#include "explore/graphs_replay.h"
#include "graph/model.h"
#include "machine/instruction.h"
#include "rt/inline/inline_code.h"
#include "rt/system/system_parts.h"
#include "rt/hook.h"
#include "rt/start.h"
#include "worker/calls/calls_judge.h"
#include "worker/tables/tables.h"
#include "worker/harness/harness.h"
#include "worker/share.h"
#include "worker/signals.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAIN_FRAME = 1 << 18 };

struct program {
    int (*main)(int, char **, char **);
    int argc;
    char **argv, **environment;
};

static struct worker_shared *map_shared(void)
{
    const char *number = getenv(PROTOCOL_VARIABLE);
    int fd = number ? atoi(number) : -1;
    void *memory = mmap(NULL, sizeof(struct worker_shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    struct worker_shared *shared = memory;
    if (memory == MAP_FAILED || shared->config.magic != PROTOCOL_MAGIC)
        _exit(70);
    close(fd);
    return shared;
}

/* A debugger starts the program as often as its user likes, with its own terminal: each time is like the first. */
static void prepare_debugging(struct worker_shared *s)
{
    const size_t from = offsetof(struct worker_shared, state), to = offsetof(struct worker_shared, schedule);
    memset((char *)s + from, 0, to - from);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing > 0) {
        dup2(nothing, 0);
        close(nothing);
    }
}

static struct graphs_settings graphs_settings_of(const struct worker_config *c)
{
    return (struct graphs_settings){
        .model = model_find(c->memory),
        .executions_max = c->pool_size ? 0 : c->executions_max,
        .weak_cas = true, /* where the engine says so */
        .plain_reads_noted = true,
        .symmetry = c->symmetry,
        .fold_unknowing = c->client_fixed || c->fold_unknowing,
        .returns = c->returns,
    };
}

static struct explorer *make_explorer(const struct worker_shared *s, bool first_only)
{
    const struct worker_config *c = &s->config;
    struct graphs_settings settings = graphs_settings_of(c);
    settings.first_only = first_only;
    if (c->serial != SERIAL_NOT && c->serial != SERIAL_GRAPH) /* replay of one */
        settings.model = NULL;
    switch (c->mode) {
    case WORKER_PCT: return explore_pct(c->seed, c->first, c->runs, c->pct_depth, 0);
    case WORKER_DFS: return explore_dfs(c->preemptions);
    case WORKER_GRAPH: return explore_graphs(&settings);
    case WORKER_REPLAY:
        if (settings.model)
            return explore_graphs_replay(settings.model, s->schedule, c->schedule_count);
        return explore_replay(s->schedule, c->schedule_count);
    default: return explore_random(c->seed, c->first, c->runs);
    }
}

static void run_program(void *argument)
{
    struct program *p = argument;
    threads_begin();
    int status = p->main(p->argc, p->argv, p->environment);
    char *frame = __builtin_alloca(
        MAIN_FRAME); /* handlers must not run where others may still look for main's variables */
    __asm__ volatile("" : : "r"(frame) : "memory");
    engine_leave_main(frame, MAIN_FRAME);
    ending_exit(status, NULL);
}

static void count_outcome(struct worker_shared *s, enum port_outcome outcome)
{
    s->executions++;
    s->complete += outcome == PORT_COMPLETE;
    s->blocked += outcome == PORT_BLOCKED;
    s->refuted += engine_was_refuted();
    s->cut += outcome == PORT_CUT;
}

static uint64_t count_all(const struct graphs_counts *c)
{
    return c->complete + c->blocked + c->folded + c->stuck + c->held;
}

/* Threads that were held, where that matters: what is said about it names the first. */
static void copy_held(struct worker_shared *s, const struct graphs_counts *c)
{
    uint32_t limits =
        (c->uncertified || graphs_places_conflict(c) ? LIMIT_RETURNS : 0) | (c->endless ? LIMIT_ENDLESS : 0);
    if (limits & ~s->limits && !s->loops.held.pc)
        loops_note_held();
    s->limits |= limits;
    memcpy(s->loops.held_places, c->held_places, sizeof s->loops.held_places);
    memcpy(s->loops.known_places, c->known_places, sizeof s->loops.known_places);
}

/* An explorer of graphs may begin again, and knows what counts. */
static void copy_counts(struct worker_shared *s, const struct graphs_counts *c)
{
    s->complete = c->complete;
    s->blocked = c->blocked;
    s->folded = c->folded;
    s->revisits = c->revisits;
    s->executions = count_all(c);
    s->folding.news |= c->folded_news;
    s->folding.edges |= c->edges;
}

static void check_leaks(struct worker_shared *s)
{
    uint64_t address = 0;
    const void *pc = NULL;
    size_t bytes = s->config.leaks ? heap_leaks(&address, &pc) : 0;
    if (bytes)
        engine_fail_at_end(WORKER_ERROR_LEAK, address, pc, "%zu bytes are never freed", bytes);
}

struct work {
    struct worker_shared *shared;
    struct program program;
    bool has_test;
    uint64_t restarts; /* of the explorer, when `cut` and `steps` began to count */
    bool began_again;  /* an execution, since this was last set to false */
    bool compared;     /* the first execution with the one that was rehearsed */
    struct explorer *estimator;
    double estimate_next; /* base_now() at which it is time for more samples */
};

static enum port_outcome run_once(struct work *w, struct explorer *explorer)
{
    enum port_outcome outcome;
    bool again;
    do {
        threads_reset();
        outcome = engine_run(w->has_test ? harness_run : run_program, &w->program);
        again = engine_runs_again();
        w->began_again |= again;
    } while (again);
    bool counts = !engine_was_refuted() && engine_sections_stand();
    bool ended = outcome == PORT_BLOCKED && counts;
    if (outcome == PORT_COMPLETE && !counts)
        outcome = PORT_BLOCKED;
    explorer->class->end(explorer, outcome);
    engine_report_deferred();
    if (worker_is_serial(&w->shared->config))
        return outcome;
    bool whole = outcome == PORT_COMPLETE && !engine_had_error();
    if (whole && w->has_test)
        harness_judge(engine_graph_mode ? explore_graphs_current(explorer) : NULL);
    if (ended && w->has_test && engine_graph_mode && !engine_had_error())
        harness_judge_rest(explore_graphs_current(explorer));
    if (whole && !engine_had_error())
        calls_judge(w->shared, engine_graph_mode ? explore_graphs_current(explorer) : NULL);
    if (whole && !engine_had_error())
        check_leaks(w->shared);
    return outcome;
}

static void run_first(struct work *w, bool counts_visits)
{
    struct explorer *explorer = make_explorer(w->shared, true);
    if (counts_visits)
        loops_begin_first();
    engine_change_explorer(explorer);
    while (explorer->class->begin(explorer)) {
        run_once(w, explorer);
        if (!explore_graphs_repeats(explorer))
            break;
    }
    if (counts_visits)
        loops_end_first();
    explore_destroy(explorer);
}

/* The first execution comes twice: a program that keeps something from one to the next may show it. One that was begun
 * again, with something that is known of the program from then on, may have had its steps in another order than all later ones. */
static uint64_t rehearse(struct work *w, bool counts_visits)
{
    findings_ignored = !w->shared->config.races; /* another error may end it here, and races came before */
    w->began_again = false;
    run_first(w, counts_visits);
    if (w->began_again)
        run_first(w, counts_visits);
    findings_ignored = false;
    findings_recount(w->shared);
    return w->shared->event_hash;
}

/* With a bound the first execution counts as it is without. */
static uint64_t rehearse_all(struct work *w)
{
    const struct worker_config *c = &w->shared->config;
    if (c->loops && !c->first_known)
        rehearse(w, true);
    return rehearse(w, c->suspects);
}

/* How many executions there are is asked once it is clear that there are many, and again now and then. The samples
 * are executions like all others: an error in one is an error, unless all are wanted. */
enum { ESTIMATE_AFTER = 2000, ESTIMATE_LOOK = 256, ESTIMATE_FIRST = 200 };
static const double FIRST_ESTIMATE_SECONDS = 0.2, MORE_ESTIMATE_SECONDS = 0.05, ESTIMATE_PAUSE = 5;

static void sample(struct work *w, double end)
{
    struct explorer *e = w->estimator;
    while (base_now() < end && e->class->begin(e))
        run_once(w, e);
}

static void estimate(struct work *w, double seconds)
{
    struct worker_shared *s = w->shared;
    uint64_t steps = s->steps;
    double mean, error;
    engine_change_explorer(w->estimator);
    findings_ignored = true; /* they would be counted twice */
    loops_sample(true);
    sample(w, base_now() + seconds);
    loops_sample(false);
    findings_ignored = false;
    explore_graphs_estimated(w->estimator, &mean, &error);
    s->estimate_error = error;
    s->estimate = mean;
    s->steps = steps;
}

static void make_estimator(struct work *w, uint64_t descents)
{
    struct graphs_settings settings = graphs_settings_of(&w->shared->config);
    settings.executions_max = 0;
    w->estimator = explore_graphs_estimate(&settings, w->shared->config.seed, descents);
}

static void estimate_now_and_then(struct work *w, struct explorer *explorer)
{
    const struct worker_config *c = &w->shared->config;
    uint64_t replays = explore_graphs_counts(explorer)->replays;
    if (replays % ESTIMATE_LOOK != 0 || replays < ESTIMATE_AFTER || c->estimates != ESTIMATES_LATER ||
        (w->estimator && base_now() < w->estimate_next))
        return;
    double seconds = w->estimator ? MORE_ESTIMATE_SECONDS : FIRST_ESTIMATE_SECONDS;
    if (!w->estimator)
        make_estimator(w, UINT64_MAX);
    estimate(w, seconds);
    w->estimate_next = base_now() + ESTIMATE_PAUSE;
    engine_change_explorer(explorer);
}

/* True: it counts. */
static bool explore_one(struct work *w, struct explorer *explorer)
{
    struct worker_shared *s = w->shared;
    const struct graphs_counts *c = explore_graphs_counts(explorer);
    uint64_t before = count_all(c);
    if (c->restarts != w->restarts) {
        s->cut = s->refuted = 0;
        s->steps = 0;
        s->limits &= ~(uint32_t)(LIMIT_RETURNS | LIMIT_ENDLESS);
        s->loops.held = (struct worker_visits){0};
        findings_recount(s);
        tables_recount(s);
        calls_recount(s);
        w->restarts = c->restarts;
    }
    uint64_t steps = s->steps;
    enum port_outcome outcome;
    bool refuted = false;
    if (!w->has_test && explore_graphs_run_memo(explorer, s->config.step_limit, &outcome)) {
        explorer->class->end(explorer, outcome);
        if (loops_is_long(explore_graphs_current(explorer)->steps))
            graph_mode_shares(); /* the next one is run, and looked at */
    } else {
        outcome = run_once(w, explorer);
        refuted = engine_was_refuted();
    }
    /* memoised or run: the engine has counted other things, too */
    s->steps = steps + (explore_graphs_repeats(explorer) ? 0 : explore_graphs_current(explorer)->steps);
    s->cut += outcome == PORT_CUT;
    copy_counts(s, c);
    if (s->config.returns)
        copy_held(s, c);
    s->refuted += refuted && s->executions > before;
    return s->executions > before;
}

static void compare_first(struct work *w, uint64_t rehearsed)
{
    if (!w->compared && w->shared->event_hash != rehearsed)
        w->shared->limits |= LIMIT_NONDETERMINISM;
    w->compared = true;
}

/* The tool begins again with interleavings, which have an answer under sc. */
static bool is_better_interleaved(const struct worker_shared *s)
{
    return s->limits & LIMIT_MIXED_SIZE && model_is(s->config.memory, MODEL_INTERLEAVED) && !s->config.loops;
}

/* It begins again with folding, or with less: campaign/folding.h. */
static bool is_better_folded_otherwise(const struct worker_shared *s)
{
    const struct fold_shared *f = &s->folding;
    bool hides_client =
        f->news && f->edges && s->config.test[0] && model_is(s->config.memory, MODEL_LANGUAGE);
    return f->found || (s->config.fold && (s->limits & LIMIT_FOLDING || hides_client));
}

static void explore_graph(struct work *w, struct explorer *explorer, struct pool *pool)
{
    struct worker_shared *s = w->shared;
    struct share share;
    uint64_t first = rehearse_all(w);
    if (s->limits & LIMIT_SUSPECTED)
        return;
    engine_change_explorer(explorer);
    s->steps = 0;
    bool goes_on = share_join(&share, pool, s, explorer, first);
    while (goes_on) {
        while (goes_on && share_begin(&share)) {
            if (!explore_one(w, explorer))
                share_uncount(&share);
            if (share.begins && !explore_graphs_repeats(explorer))
                compare_first(w, first);
            estimate_now_and_then(w, explorer);
            goes_on = share_attend(&share) && !is_better_interleaved(s) && !is_better_folded_otherwise(s) &&
                      !(s->limits & LIMIT_SUSPECTED);
        }
        copy_counts(s, explore_graphs_counts(explorer)); /* alternatives that led nowhere came last */
        goes_on = goes_on && share_wait(&share);
    }
    share_leave(&share);
    if (explore_graphs_was_bounded(explorer))
        s->limits |= LIMIT_EXECUTIONS;
    if (explore_graphs_gave_up_symmetry(explorer))
        s->limits |= LIMIT_SYMMETRY;
}

static bool may_run_another(struct worker_shared *s)
{
    if (s->config.mode != WORKER_DFS || !s->config.executions_max || s->executions < s->config.executions_max)
        return true;
    s->limits |= LIMIT_EXECUTIONS;
    return false;
}

static void explore_schedules(struct work *w, struct explorer *explorer)
{
    struct worker_shared *s = w->shared;
    while (explorer->class->begin(explorer) && may_run_another(s))
        count_outcome(s, run_once(w, explorer));
    if (s->config.mode == WORKER_DFS && explore_dfs_was_bounded(explorer))
        s->limits |= LIMIT_PREEMPTIONS;
}

static struct worker_shared *judged;

static const char *judge_stuck_execution(void)
{
    const struct graph *g = engine_graph_mode ? explore_graphs_current(engine_explorer()) : NULL;
    const char *wrong = harness_judge_stuck(g);
    if (!wrong && !worker_is_serial(&judged->config))
        calls_judge(judged, g);
    return wrong;
}

/* What was cut says nothing: without all serial executions there is no specification, and the limit that was met is the
 * answer. */
static void run_serial(struct work *w, struct explorer *explorer)
{
    enum port_outcome outcome = run_once(w, explorer);
    if (outcome == PORT_CUT) {
        w->shared->state = WORKER_DONE;
        _exit(0);
    }
    if (outcome == PORT_COMPLETE)
        harness_note_serial();
    w->shared->beats++;
}

/* No operation is interrupted. True: other threads could do so, and an exploration of graphs would show it. */
static bool derive_by_turns(struct work *w)
{
    struct worker_shared *s = w->shared;
    struct explorer *explorer = explore_serial();
    bool is_partial = false;
    harness_set_serial(SERIAL_EXECUTION);
    engine_change_explorer(explorer);
    while (!is_partial && explorer->class->begin(explorer)) {
        run_serial(w, explorer);
        is_partial = harness_had_helpers() && *s->config.memory;
    }
    if (explore_dfs_diverged(explorer))
        s->limits |= LIMIT_NONDETERMINISM;
    explore_destroy(explorer);
    return is_partial;
}

/* Threads that operations have started run at any time, during later operations, too. */
static void derive_from_graphs(struct work *w)
{
    struct worker_config *c = &w->shared->config;
    uint32_t loops = c->loops;
    struct graphs_settings settings = graphs_settings_of(c);
    settings.executions_max = 0;
    settings.symmetry = false;
    c->loops = 0;
    struct explorer *explorer = explore_graphs(&settings);
    harness_set_serial(SERIAL_GRAPH);
    engine_change_explorer(explorer);
    while (explorer->class->begin(explorer))
        run_serial(w, explorer);
    explore_destroy(explorer);
    c->loops = loops;
}

/* A specification that a clock or an address is part of is none: nothing else is run then. */
static void disturb(struct work *w)
{
    static const enum harness_perturbation all[] = {PERTURB_CLOCK, PERTURB_ADDRESSES};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (all[k] == PERTURB_CLOCK && !clock_first_look().function)
            continue;
        harness_perturb(all[k]);
        derive_by_turns(w);
        bool disturbed = harness_is_disturbed();
        harness_perturb(PERTURB_NOTHING);
        if (!disturbed)
            continue;
        w->shared->state = WORKER_DONE;
        _exit(0);
    }
}

/* All serial executions of the test: they are the specification. */
static void derive(struct work *w)
{
    struct worker_shared *s = w->shared;
    double start = base_now();
    bool partial = derive_by_turns(w);
    if (partial)
        derive_from_graphs(w);
    s->serial_seconds = base_now() - start;
    harness_end_serials();
    if (!partial)
        disturb(w);
    s->steps = 0;
    harness_set_serial(SERIAL_NOT);
}

/* What makes programs differ from one execution to the next, more often than not. */
static void name_clock(struct worker_shared *s)
{
    struct clock_look look = clock_first_look();
    if (!(s->limits & LIMIT_NONDETERMINISM) || !look.function)
        return;
    snprintf(s->clock_function, sizeof s->clock_function, "%s", look.function);
    s->clock_pc = (uint64_t)look.pc;
}

static void end_thread(uint32_t thread)
{
    harness_check_thread_end(thread);
    threads_end(thread);
}

/* The engine begins with main. */
static void name_constructors(void)
{
    static struct import_call constructors = {.library = "the program", .name = "constructors, before main"};
    if (hook_ran_before())
        engine_note_unseen(&constructors);
}

_Noreturn void worker_main(int (*program_main)(int, char **, char **), int argc, char **argv,
                           char **environment)
{
    struct work w = {.shared = map_shared(), .program = {program_main, argc, argv, environment}};
    if (w.shared->config.debugger)
        prepare_debugging(w.shared);
    w.shared->state = WORKER_PREPARING;
    struct pool *pool = share_map(&w.shared->config);
    unsetenv(PROTOCOL_VARIABLE);
    w.has_test = harness_prepare(w.shared);
    struct explorer *explorer = make_explorer(w.shared, false);
    engine_prepare(w.shared, explorer);
    hook_orders_prepare(w.shared);
    engine_at_thread_end = end_thread;
    signals_install(w.shared);
    machine_prepare(); /* now: its library belongs to every execution */
    heap_keep();
    mappings_keep();
    inline_prepare(w.shared); /* first: it wants to see which functions the program calls */
    name_constructors();
    snapshot_take(w.shared);
    judged = w.shared;
    w.shared->annotated.exists = imports_has_annotations;
    if (w.has_test)
        engine_judge_stuck = judge_stuck_execution;
    bool serial = worker_is_serial(&w.shared->config);
    if (w.has_test && harness_derives() && !serial) {
        bool all = w.shared->config.serial == SERIAL_ALL;
        derive(&w);
        if (all) {
            w.shared->state = WORKER_DONE;
            _exit(0);
        }
        engine_change_explorer(explorer);
    }
    if (serial)
        harness_set_serial(w.shared->config.serial);
    if (w.shared->config.mode == WORKER_GRAPH && w.shared->config.estimates == ESTIMATES_ONLY) {
        make_estimator(&w, ESTIMATE_FIRST);
        estimate(&w, FIRST_ESTIMATE_SECONDS);
    } else if (w.shared->config.mode == WORKER_GRAPH)
        explore_graph(&w, explorer, pool);
    else
        explore_schedules(&w, explorer);
    name_clock(w.shared);
    w.shared->state = WORKER_DONE;
    _exit(0);
}
