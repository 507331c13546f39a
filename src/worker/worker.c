/* SPDX-License-Identifier: Apache-2.0 */
/* The process under test: prepares once, then runs executions until the explorer has enough or an error is found. */
#include "engine/code/imports.h"
#include "engine/memory/mappings.h"
#include "engine/shared/worker_result.h"
#include "explore/explore.h"
#include "rt/inline/inline_code.h"
#include "rt/system/system_parts.h"
#include "rt/start.h"
#include "worker/calls/calls_judge.h"
#include "worker/harness/harness.h"
#include "worker/ledger.h"
#include "worker/share.h"
#include "worker/work.h"
#include "worker/signals.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static void count_outcome(struct worker_shared *s, enum port_outcome outcome)
{
    const struct worker_tally *t = &worker_result_tally;
    ledger_count(t->executions + 1, t->complete + (outcome == PORT_COMPLETE),
                 t->blocked + (outcome == PORT_BLOCKED));
    s->executions = t->executions;
    s->complete = t->complete;
    s->blocked = t->blocked;
    s->refuted += engine_was_refuted();
    s->cut += outcome == PORT_CUT;
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
        count_outcome(s, work_run(w, explorer));
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
    static struct import_call constructors = {.library = "the program", .name = WORKER_BEFORE_MAIN};
    if (hook_ran_before())
        engine_note_unseen(&constructors);
}

_Noreturn void worker_main(int (*program_main)(int, char **, char **), int argc, char **argv,
                           char **environment)
{
    struct work w = {.shared = start_shared, .program = {program_main, argc, argv, environment}};
    if (w.shared->config.debugger)
        prepare_debugging(w.shared);
    w.shared->state = WORKER_PREPARING;
    struct pool *pool = share_map(&w.shared->config);
    unsetenv(PROTOCOL_VARIABLE);
    w.has_test = harness_prepare(w.shared);
    struct explorer *explorer = work_explorer(w.shared, false);
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
    if (w.has_test) {
        engine_judge_stuck = judge_stuck_execution;
        engine_name_operation = harness_name_operation;
    }
    bool serial = worker_is_serial(&w.shared->config);
    if (w.has_test && harness_derives() && !serial) {
        bool all = w.shared->config.serial == SERIAL_ALL;
        work_derive(&w);
        if (all)
            worker_result_end(w.shared, WORKER_DONE);
        engine_change_explorer(explorer);
    }
    if (serial)
        harness_set_serial(w.shared->config.serial);
    if (w.shared->config.mode == WORKER_GRAPH && w.shared->config.estimates == ESTIMATES_ONLY) {
        work_estimate_only(&w);
    } else if (w.shared->config.mode == WORKER_GRAPH)
        work_explore_graphs(&w, explorer, pool);
    else
        explore_schedules(&w, explorer);
    name_clock(w.shared);
    worker_result_end(w.shared, WORKER_DONE);
}
