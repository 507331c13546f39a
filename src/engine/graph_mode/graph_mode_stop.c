/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that stops for ever: which one, and where, is a choice that comes before everything else, so that every step of the execution
 * depends on it. docs/internals/progress.md */
#include "engine/graph_mode/graph_mode.h"

#include "engine/engine_state.h"
#include "explore/graphs.h"

/* A replay is told the way, and need not know of how many. */
static uint32_t choose(uint32_t ways)
{
    return engine_branch(engine.shared->config.mode == WORKER_REPLAY ? UINT16_MAX : ways);
}

void graph_mode_choose_stop(uint32_t first)
{
    const struct worker_config *c = &engine.shared->config;
    if (c->progress != PROGRESS_STOPS || c->serial != SERIAL_NOT || !engine_graph_mode)
        return;
    uint32_t threads = c->stop_threads > first ? c->stop_threads - first : 0, way = choose(1 + threads);
    uint32_t thread = first + way - 1;
    if (way == 0 || thread >= PROTOCOL_GRAPH_THREADS)
        return;
    explore_graphs_stop_thread(engine.explorer, thread, choose(c->stops[thread] ? c->stops[thread] : 1));
}
