/* SPDX-License-Identifier: Apache-2.0 */
/* The explorer of graphs: which execution comes next, and what its owner asks. */
#include "explore/graphs/graphs_inside.h"

void graphs_start_over(struct graphs *x)
{
    graphs_forget_frames(x);
    x->counts = (struct graphs_counts){.replays = x->counts.replays,
                                       .restarts = x->counts.restarts + x->search.restart};
    hash_map_clear(&x->returns.tried); /* what came of it was counted */
    if (x->search.restart) {
        /* What is known from now on may have been part of a stretch, or be news in a round. */
        graphs_forget_stretches(x);
        graphs_forget_nowhere(x);
    }
    x->search.waiting_locks.len = 0;
    x->search.restart = x->search.again = x->search.has_taken = false;
    x->search.items_left = 0;
    x->search.started = true;
    x->g = graphs_new_graph(x);
    graph_cut(x->g, 0);
    graphs_push_frame(x, x->g, GRAPH_NONE, GRAPH_NONE);
}

static bool find_next(struct graphs *x)
{
    graphs_stop_continuing(x);
    x->returns.last_tried = 0;
    if (x->estimate.samples > 0)
        return graphs_next_descent(x);
    if (!x->search.started || x->search.restart || x->search.again) {
        graphs_start_over(x);
        return true;
    }
    graphs_revisit_by_waiting_locks(x);
    return graphs_take_items(x);
}

static bool graphs_begin(struct explorer *e)
{
    struct graphs *x = graphs_of(e);
    if (!find_next(x))
        return false;
    const struct graphs_counts *c = &x->counts;
    if (x->settings.executions_max &&
        c->complete + c->blocked + c->folded + c->stuck + c->held >= x->settings.executions_max) {
        x->search.bounded = true;
        return false;
    }
    x->counts.replays++;
    graphs_start_replay(x);
    return true;
}

void explore_graphs_again(struct explorer *e)
{
    struct graphs *x = graphs_of(e);
    x->search.waiting_locks.len = 0;
    graphs_stop_continuing(x);
    if (x->returns.last_tried)
        hash_map_remove(&x->returns.tried, x->returns.last_tried);
    graphs_start_replay(x);
}

static bool is_blocked(const struct graphs *x, enum port_outcome outcome)
{
    if (!x->run.stopped) /* the runner does not count it: an assumption failed */
        return outcome == PORT_BLOCKED;
    return !x->run.abandoned && x->run.why == PORT_STOP_BLOCKED;
}

/* Also one that was continued beyond its end, however that came out. */
static bool is_held(const struct graphs *x)
{
    bool folded = x->run.stopped && x->run.why == PORT_STOP_FOLDED;
    return !x->run.abandoned && (x->returns.finished || (folded && x->run.held_thread != GRAPH_NONE));
}

static void graphs_end(struct explorer *e, enum port_outcome outcome)
{
    struct graphs *x = graphs_of(e);
    if ((x->has_marks || x->g->has_parts) && !x->counts.edges)
        x->counts.edges = graphs_has_edges(x->g);
    if (x->settings.returns)
        graphs_note_knowing(x);
    if (x->settings.counts_published && !graphs_stopped(x))
        graphs_count_published(x);
    if (x->run.stopped && x->run.why == PORT_STOP_STUCK)
        x->counts.stuck++;
    else if (is_held(x))
        x->counts.held++;
    else if (outcome == PORT_COMPLETE || (x->run.stopped && x->run.why == PORT_STOP_OTHERS_ENDED))
        x->counts.complete++;
    else if (is_blocked(x, outcome))
        x->counts.blocked++;
    else if (x->run.stopped && !x->run.abandoned && x->run.why == PORT_STOP_FOLDED)
        x->counts.folded++;
}

static void graphs_destroy(struct explorer *e)
{
    struct graphs *x = graphs_of(e);
    graphs_stop_continuing(x);
    graphs_forget_frames(x);
    for (size_t i = 0; i < x->search.pool.len; i++)
        graph_free(x->search.pool.data[i]);
    vec_free(&x->search.pool);
    vec_free(&x->search.frames);
    vec_free(&x->search.items);
    vec_free(&x->sites.list);
    vec_free(&x->search.waiting_locks);
    vec_free(&x->run.happened);
    vec_free(&x->run.counted);
    vec_free(&x->bytes);
    vec_free(&x->loops.found);
    hash_map_free(&x->sites.numbers);
    hash_map_free(&x->loops.nowhere);
    hash_map_free(&x->memo.numbers);
    vec_free(&x->memo.entries);
    graphs_free_stretches(x);
    vec_free(&x->returns.events);
    vec_free(&x->returns.been);
    hash_map_free(&x->returns.tried);
    hash_map_free(&x->passed.states);
    free(x);
}

static const struct explorer_class graphs_class = {
    "graphs", graphs_begin, NULL, graphs_branch, graphs_end, graphs_destroy, graphs_advance, graphs_expires,
};

struct explorer *explore_graphs(const struct graphs_settings *settings)
{
    struct graphs *x = NEW(struct graphs);
    x->base.class = &graphs_class;
    x->settings = *settings;
    x->model = settings->model;
    x->prng = prng_start(settings->scheduler_seed, 0);
    for (uint32_t i = 0; i < GRAPHS_CACHE; i++)
        x->sites.cache[i].site = HASH_NO_NUMBER;
    if (settings->symmetry) {
        uint32_t site = graphs_site_at(x, GRAPHS_TWINS_ADDRESS); /* may move the sites */
        x->sites.list.data[site].locked = true;
        x->sites.list.data[site].no_mutex =
            settings->returns != 0; /* twins are causes of each other: not with removal */
        x->sites.changes++;
    }
    return &x->base;
}

const struct graphs_counts *explore_graphs_counts(const struct explorer *e)
{
    return &graphs_of(e)->counts;
}

bool explore_graphs_repeats(const struct explorer *e)
{
    const struct graphs *x = graphs_of(e);
    return x->run.repeats || x->search.restart;
}

uint32_t explore_graphs_held_thread(const struct explorer *e)
{
    return graphs_of(e)->run.held_thread;
}

bool explore_graphs_is_beyond(const struct explorer *e)
{
    return graphs_of(e)->returns.finished;
}

const struct graph *explore_graphs_current(const struct explorer *e)
{
    return graphs_of(e)->g;
}

bool explore_graphs_was_bounded(const struct explorer *e)
{
    return graphs_of(e)->search.bounded;
}

const char *explore_graphs_limit(const struct explorer *e)
{
    return graphs_of(e)->run.limit;
}
