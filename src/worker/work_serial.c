/* SPDX-License-Identifier: Apache-2.0 */
/* The serial executions of a test: what an object without specification may answer. */
#include "worker/work.h"
#include "base/budget.h"
#include "engine/shared/worker_result.h"
#include "explore/explore.h"
#include "rt/system/system_parts.h"
#include "worker/harness/harness.h"

/* What was cut says nothing: without all serial executions there is no specification, and the limit that was met is the
 * answer. */
static void run_serial(struct work *w, struct explorer *explorer)
{
    enum port_outcome outcome = work_run(w, explorer);
    if (outcome == PORT_CUT) {
        if (w->shared->limits & LIMIT_STEPS)
            engine_limit(LIMIT_SERIAL);
        worker_result_end(w->shared, WORKER_DONE);
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
    struct graphs_settings settings = work_graphs_settings(c);
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
        if (disturbed)
            worker_result_end(w->shared, WORKER_DONE);
    }
}

void work_derive(struct work *w)
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
