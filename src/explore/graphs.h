/* SPDX-License-Identifier: Apache-2.0 */
/* Every execution graph of a program exactly once: TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis,
 * POPL 2022), with rules for locks and awaits. docs/internals/explore/graphs.md has the algorithm and its invariants.
 *
 * Beside the port (port.h) and this header, which starts a search and reads its counts, an explorer of graphs has five more
 * interfaces, each for one purpose: graphs_memory.h (what a step of the program finds and what happens before it),
 * graphs_memo.h (executions that need not be run), graphs_replay.h (recorded executions), graphs_display.h (the order to
 * show them in) and graphs_sharing.h (several processes, checkpoints). */
#ifndef EXPLORE_GRAPHS_H
#define EXPLORE_GRAPHS_H

#include "explore/port.h"
#include "graph/graph.h"
#include "graph/model.h"

struct graphs_settings {
    const struct memory_model *model;
    uint64_t executions_max; /* 0: any number; then the exploration ends with `was_bounded` */
    bool symmetry;           /* of executions that differ only in the names of equal threads, one */
    bool base_rule_only;     /* blocked reads are ordinary reads: for tests */
    bool weak_cas;           /* what has PORT_WEAK may fail for no reason */
    /* Every plain read of what another thread wrote is reported by explore_graphs_plain_found (or there are none).
     * Otherwise a loop that waits is known to wait in vain only for one past of the value it finds: more blocked executions. */
    bool plain_reads_noted;
    /* PORT_FOLDS counts only where the thread did not learn in the round that operations of others had ended */
    bool fold_unknowing;
    /* A load is given only the oldest of the writes from which it learns the same: fewer executions, see graphs_sources.c */
    bool oldest_sources;
    /* A thread that is in a state (port_action.live) for more than the so many-th time is held there; 0: none is */
    uint32_t returns;
    const uint64_t *used_places; /* known_places of explorations before this one; may be null */
    /* no execution but the first is wanted: what could be revisited is not looked for */
    bool first_only;
    bool counts_published;   /* graphs_counts.published is wanted */
    uint64_t scheduler_seed; /* 0: lowest thread first; else a random order of insertion, for tests */
};

enum { GRAPHS_PLACES = 96 };

struct graphs_counts {
    uint64_t complete;  /* graphs in which every thread ended */
    uint64_t blocked;   /* graphs that went nowhere */
    uint64_t folded;    /* graphs that others cover: PORT_FOLDS */
    uint64_t stuck;     /* what is left waits forever */
    uint64_t revisits;  /* frames made by backward revisits */
    uint64_t dead_ends; /* alternatives that no consistent graph continues; never run */
    uint64_t replays;   /* executions begun */
    uint64_t restarts;  /* everything begun again, or dropped: an address turned out not to be a mutex only */
    uint64_t held;      /* graphs in which a thread was held because it came back too often */
    bool uncertified;   /* one of them may have hidden executions: `returns` was too small */
    bool endless;       /* in one of them threads seemed to go round forever */
    /* Sets of (thread, location), hashed, for the certificate under rc11: written by rounds that need not have happened; accessed
     * by others that know more of the thread than happens before. Of several processes: all together, see below */
    uint64_t held_places[GRAPHS_PLACES], known_places[GRAPHS_PLACES];
    bool folded_news; /* in a folded round a thread learnt that operations of others had ended */
    /* There were weaker accesses, and seq_cst ones at the beginning or end of operations with none elsewhere between */
    bool edges;
    /* With `counts_published`: the most events that others can observe which a thread has in an execution in which none stopped */
    uint16_t published[GRAPH_THREADS_MAX];
};

/* Then no certificate counts: `uncertified`. */
static inline bool graphs_places_conflict(const struct graphs_counts *c)
{
    uint64_t both = 0;
    for (unsigned i = 0; i < GRAPHS_PLACES; i++)
        both |= c->held_places[i] & c->known_places[i];
    return both != 0;
}

struct explorer *explore_graphs(const struct graphs_settings *settings);

const struct graphs_counts *explore_graphs_counts(const struct explorer *e);
bool explore_graphs_was_bounded(const struct explorer *e); /* executions_max was met */

/* The last execution was broken off, because something was learnt in it (about loops that wait, or that a mutex is
 * more than that), and is begun again with that: it does not count. */
bool explore_graphs_repeats(const struct explorer *e);

/* With `returns`: a plain read, whether or not the graph knows the location. Other executions may. */
void explore_graphs_plain_use(struct explorer *e, uint64_t address, size_t size);
/* The thread that was held in the last execution (`returns`), of several one that made it `uncertified` or `endless`; UINT32_MAX:
 * none was. */
uint32_t explore_graphs_held_thread(const struct explorer *e);

/* In the running execution the thread stops forever right after so many of its events that others can observe (writes and
 * creates): docs/internals/explore/progress.md. To be said before its first step. */
void explore_graphs_stop_thread(struct explorer *e, uint32_t thread, uint32_t after);
/* The thread that has stopped so; UINT32_MAX: none has. */
uint32_t explore_graphs_stopped_thread(const struct explorer *e);

/* The execution is over but for threads that are held, and goes on only to see whether they get out. */
bool explore_graphs_is_beyond(const struct explorer *e);

/* The graph of the running, or last, execution. */
const struct graph *explore_graphs_current(const struct explorer *e);

/* What made `advance` answer PORT_STOP_LIMIT or PORT_STOP_DIVERGED, as a phrase; null: nothing. */
#define GRAPHS_MIXED_SIZES "unaligned mixed-size atomics"
#define GRAPHS_TOO_LONG "more than 32,000 steps of one thread"
const char *explore_graphs_limit(const struct explorer *e);

/* The program asked for something that differs between threads that do the same (`thread` is one of them), its number
 * for instance. Symmetry is of no use then. */
void explore_graphs_distinguish_twins(struct explorer *e, uint32_t thread);
bool explore_graphs_gave_up_symmetry(const struct explorer *e); /* it was asked for, and was of no use */

/* Estimate of the number of executions from random descents: mean and standard error of `samples` so far; the
 * explorer must have been made for this (scheduler_seed != 0 plays no role). */
struct explorer *explore_graphs_estimate(const struct graphs_settings *settings, uint64_t seed,
                                         uint64_t samples);
void explore_graphs_estimated(const struct explorer *e, double *mean, double *error);

#endif
