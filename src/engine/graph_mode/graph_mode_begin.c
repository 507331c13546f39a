/* SPDX-License-Identifier: Apache-2.0 */
/* What is known before an execution begins: what the worker is to do, and what executions before it have shown about the program. */
#include "engine/code/imports.h"
#include "engine/engine_quick.h"
#include "engine/graph_mode/contents.h"
#include "engine/graph_mode/graph_mode_facts.h"
#include "engine/graph_mode/plain_split.h"
#include "engine/graph_mode/plain_steps.h"
#include "engine/graph_mode/stretches.h"
#include "engine/loop/loops.h"
#include "engine/memory/image.h"
#include "engine/real.h"
#include "explore/graphs.h"
#include "explore/graphs_memo.h"
#include "explore/graphs_memory.h"
#include "graph/model.h"

struct graph_mode_facts graph_mode_facts;

/* Synchronization objects are values that only the graph knows; they begin as the runtime describes them. */
static event_word peek(void *context, const struct port_action *a)
{
    (void)context;
    event_word value = 0;
    if (a->flags & PORT_OBJECT)
        return engine.threads[a->thread].object_value;
    if (__builtin_expect(graph_mode_interest.shares_nothing, false) && engine_is_stack(a->address))
        graph_mode_shares(); /* what is found there is not what was there in the beginning */
    real.memcpy(&value, (const void *)a->address, a->size);
    return value;
}

bool engine_graph_mode;
static bool has_shared;
static bool runs_again;
static uint64_t visited; /* threads whose stacks others access, in some execution */

void graph_mode_prepare(void)
{
    engine_graph_mode = true;
    graph_mode_relates = engine.shared->config.mode == WORKER_REPLAY;
    plain_steps_prepare();
    const struct worker_config *c = &engine.shared->config;
    engine_unlock_order = model_is(c->memory, MODEL_BUFFERED) ? ORDER_SEQ_CST : ORDER_RELEASE;
    bool looks_closer =
        plain_steps_on || c->fold == WORKER_FOLDS; /* at accesses that concern no other thread otherwise */
    graph_mode_facts.rounds_twice =
        model_is(c->memory, MODEL_LANGUAGE) && !plain_steps_on ? ROUNDS_PLAIN : ROUNDS_ONCE;
    live_wanted = c->returns != 0;
    graph_mode_facts.repeats_apart =
        live_wanted || graph_mode_relates || c->symmetry || looks_closer || c->fold == WORKER_IS_PATIENT;
    graph_mode_interest.shares_stacks |= graph_mode_relates || looks_closer;
    frames_watch_all_exits |= graph_mode_relates;
    engine.explorer->peek = peek;
    if (c->fold)
        fold_prepare(&engine.shared->folding, c->fold == WORKER_FOLDS, c->symmetry);
    if (c->fold >= WORKER_IS_PATIENT)
        fold_be_patient();
    loops_prepare();
    /* An execution that is not run visits nothing, and chooses no thread to stop */
    bool runs_all =
        graph_mode_facts.repeats_apart || c->loops || c->progress == PROGRESS_STOPS || c->memo == MEMO_NOT;
    graph_mode_interest.shares_nothing = imports_are_few && !runs_all && !has_shared;
    explore_graphs_set_memo(engine.explorer, graph_mode_interest.shares_nothing);
    stretches_prepare();
}

void graph_mode_run_again(void)
{
    runs_again = true;
    engine_end(PORT_CUT);
}

void graph_mode_share_stacks(void)
{
    graph_mode_interest.shares_stacks = frames_watch_all_exits = true;
    graph_mode_run_again();
}

bool engine_runs_again(void)
{
    bool again = runs_again;
    runs_again = false;
    if (again)
        explore_graphs_again(engine.explorer);
    return again;
}

void graph_mode_shares(void)
{
    has_shared = true;
    graph_mode_interest.shares_nothing = graph_mode_interest.states = stretches_are_kept = false;
    explore_graphs_set_memo(engine.explorer, false);
}

bool graph_mode_is_visited(uint32_t thread)
{
    return visited & thread_bit(thread);
}

/* Rounds of the thread that access its stack may have been held too early, but not in an execution before the first. */
void graph_mode_note_visit(uint32_t thread)
{
    if (graph_mode_is_visited(thread) || graph_mode_facts.rounds_twice == ROUNDS_ONCE)
        return;
    visited |= thread_bit(thread);
    engine.threads[thread].is_visited = true;
    bool is_first = explore_graphs_counts(engine.explorer)->replays <= 1 && engine.shared->config.worker == 0;
    if (!is_first && !graph_mode_relates)
        plain_find_out(GRAPHS_VISITED, thread);
}

/* Of the location of the graph at this address, or what was written with a hook; 0: there is none. */
static uint64_t find_end(uint64_t address)
{
    uint64_t location;
    unsigned size;
    if (stretches_are_kept && explore_graphs_wrote(engine.explorer, address))
        return address + 1;
    bool found = explore_graphs_next_location(engine.explorer, address, address + 1, &location, &size);
    return found ? location + size : 0;
}

void graph_mode_look_for_changes(void)
{
    static size_t remembered;
    size_t now = explore_graphs_memo_size(engine.explorer);
    if (now != remembered && now > 0 && image_is_changed(find_end))
        graph_mode_shares();
    remembered = now;
}

/* They become known when everything begins again. */
static void learn_facts(void)
{
    static uint64_t restarts = UINT64_MAX;
    if (restarts == explore_graphs_counts(engine.explorer)->restarts && !graph_mode_relates)
        return;
    restarts = explore_graphs_counts(engine.explorer)->restarts;
    if (graph_mode_facts.rounds_twice && explore_graphs_knows(engine.explorer, GRAPHS_OVERWRITTEN, 0))
        graph_mode_facts.rounds_twice = ROUNDS_LONG;
    for (uint32_t t = 0; t < THREADS_MAX; t++)
        visited |= (uint64_t)explore_graphs_knows(engine.explorer, GRAPHS_VISITED, t) << t;
    graph_mode_facts.time_matters |= explore_graphs_knows(engine.explorer, GRAPHS_TIMED, 0);
}

void graph_mode_begin(void)
{
    engine.next[0] = (struct port_action){0}; /* others begin anew when they are created */
    graph_mode_interest.unsettled = 0;
    stretches_begin(0);
    contents_begin();
    loops_reset();
    learn_facts();
    if (graph_mode_relates)
        graph_mode_forget_steps();
    if (plain_steps_on)
        plain_steps_begin();
    graph_mode_interest.states =
        graph_mode_interest.shares_nothing && explore_graphs_fills_memo(engine.explorer);
    graph_mode_interest.clock_unknown = true;
}
