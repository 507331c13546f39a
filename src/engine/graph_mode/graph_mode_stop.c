/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that stops forever: which one, and where, is a choice that comes before everything else, so that every step of the execution
 * depends on it. docs/internals/explore/progress.md */
#include "engine/graph_mode/graph_mode.h"

#include "engine/engine_state.h"
#include "explore/graphs.h"

/* In a replay the way is recorded; of how many does not matter. */
static uint32_t choose(uint32_t ways)
{
    return engine_branch(engine.shared->config.mode == WORKER_REPLAY ? UINT16_MAX : ways);
}

/* Thread 0, which creates the others as a rule, comes last: its stops say the least. That of a test is the harness itself. */
void graph_mode_choose_stop(bool is_test)
{
    const struct worker_config *c = &engine.shared->config;
    if (c->progress != PROGRESS_STOPS || c->serial != SERIAL_NOT || !engine_graph_mode)
        return;
    uint32_t way = choose(c->stop_threads + !(is_test && c->stop_threads));
    uint32_t thread = way == c->stop_threads ? 0 : way;
    if (way == 0 || thread >= PROTOCOL_GRAPH_THREADS)
        return;
    explore_graphs_stop_thread(engine.explorer, thread, choose(c->stops[thread] ? c->stops[thread] : 1));
}
