/* SPDX-License-Identifier: Apache-2.0 */
/* One execution of the program, or of the test of a harness: runs it, and judges it when it is whole. */
#include "worker/work.h"
#include "engine/graph_mode/graph_mode.h"
#include "explore/explore.h"
#include "explore/graphs_replay.h"
#include "rt/start.h"
#include "worker/calls/calls_judge.h"
#include "worker/harness/harness.h"
#include "worker/ledger.h"

enum { MAIN_FRAME = 1 << 18 };

struct graphs_settings work_graphs_settings(const struct worker_config *c)
{
    return (struct graphs_settings){
        .model = model_find(c->memory),
        .executions_max = c->pool_size ? 0 : c->executions_max,
        .weak_cas = true, /* where the engine says so */
        .plain_reads_noted = true,
        .symmetry = c->symmetry,
        .fold_unknowing = c->client_fixed || c->fold_unknowing,
        .returns = c->returns,
        .oldest_sources = c->fold == WORKER_FOLDS && !c->test[0] && c->progress == PROGRESS_NOT &&
                          !(c->choices & (CHOICE_RACES | CHOICE_VOLATILE)),
        .counts_published = c->progress != PROGRESS_NOT,
    };
}

static struct explorer *work_replay(const struct worker_shared *s, const struct memory_model *model)
{
    struct explorer *e = explore_graphs_replay(model, s->schedule, s->config.schedule_count);
    explore_graphs_replay_beyond(e, s->config.beyond);
    return e;
}

struct explorer *work_explorer(const struct worker_shared *s, bool first_only)
{
    const struct worker_config *c = &s->config;
    struct graphs_settings settings = work_graphs_settings(c);
    settings.first_only = first_only;
    settings.used_places = s->loops.used_places;
    if (c->serial != SERIAL_NOT && c->serial != SERIAL_GRAPH) /* replay of one */
        settings.model = NULL;
    switch (c->mode) {
    case WORKER_PCT: return explore_pct(c->seed, c->first, c->runs, c->pct_depth, 0);
    case WORKER_DFS: return explore_dfs(c->preemptions);
    case WORKER_GRAPH: return explore_graphs(&settings);
    case WORKER_GUIDED: return explore_guided(s->schedule, c->schedule_count);
    case WORKER_REPLAY:
        if (settings.model)
            return work_replay(s, settings.model);
        return explore_replay(s->schedule, c->schedule_count);
    default: return explore_random(c->seed, c->first, c->runs);
    }
}

static void run_program(void *argument)
{
    struct program *p = argument;
    threads_begin();
    graph_mode_choose_stop(false);
    int status = p->main(p->argc, p->argv, p->environment);
    char *frame = __builtin_alloca(
        MAIN_FRAME); /* handlers must not run where others may still look for main's variables */
    __asm__ volatile("" : : "r"(frame) : "memory");
    engine_leave_main(frame, MAIN_FRAME);
    ending_exit(status, NULL);
}

static void check_leaks(struct worker_shared *s)
{
    uint64_t address = 0;
    const void *pc = NULL;
    size_t bytes = s->config.leaks ? heap_leaks(&address, &pc) : 0;
    if (bytes)
        engine_fail_at_end(WORKER_ERROR_LEAK, address, pc, "%zu bytes are never freed", bytes);
}

enum port_outcome work_run(struct work *w, struct explorer *explorer)
{
    enum port_outcome outcome;
    bool again;
    do {
        threads_reset();
        ledger_keep(w->shared);
        outcome = engine_run(w->has_test ? harness_run : run_program, &w->program);
        ledger_compare(w->shared);
        again = engine_runs_again();
        w->began_again |= again;
    } while (again);
    bool counts = !engine_was_refuted() && engine_sections_stand();
    bool ended = outcome == PORT_BLOCKED && counts;
    if (outcome == PORT_COMPLETE && !counts)
        outcome = PORT_BLOCKED;
    explorer->class->end(explorer, outcome);
    engine_report_deferred();
    if (worker_is_serial(&w->shared->config) || w->shared->config.progress == PROGRESS_STOPS)
        return outcome; /* what threads do that do not stop has been judged */
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
