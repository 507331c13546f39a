/* SPDX-License-Identifier: Apache-2.0 */
/* The state of the explorer of graphs, for the files of this folder only. */
#ifndef EXPLORE_GRAPHS_STATE_H
#define EXPLORE_GRAPHS_STATE_H

#include "base/hash.h"
#include "base/vec.h"
#include "explore/graphs.h"
#include "explore/graphs_display.h"
#include "explore/graphs_memo.h"
#include "explore/graphs_memory.h"
#include "explore/graphs_replay.h"
#include "explore/graphs_sharing.h"
#include "explore/schedules/prng.h"

enum graphs_item_kind {
    ITEM_RF,      /* read `event` reads from write `other`; GRAPH_NONE: the part is left open */
    ITEM_CO,      /* write `event`, or part `way` of it, comes right after write `other` */
    ITEM_REVISIT, /* write `event` is read by the older read `other` */
    ITEM_BRANCH,  /* the branch takes way `other` */
    /* Read `other` picks `way` of several; the event is the last one of the graph */
    ITEM_PICK,
    /* Read `other`, a weak CAS, fails for no reason; the event is the last one */
    ITEM_FAIL,
};

/* An alternative not yet taken. Its event is the last one of the graph it belongs to, once later ones are cut. */
struct graphs_item {
    uint32_t event, other;
    uint16_t kind, way;
};

/* ITEM_RF, `way`: the other way of this weak CAS came first. */
enum { GRAPHS_HAS_FAILED = 1 };

/* A graph and the alternatives at its events. Frames are a stack, and so are the items of all frames together: those of
 * a frame begin at `items`. */
struct graphs_frame {
    struct graph *g;
    size_t items;
    uint32_t revisiter, revisited; /* the write and the read whose revisit made the frame, or GRAPH_NONE */
};

/* What is known about an address in all executions; the number of a site is that of its location in graphs. */
struct graphs_site {
    uint64_t address;
    uint8_t size_most;
    bool locked;   /* was under the rule for mutexes */
    bool no_mutex; /* must not be */
    bool locks;    /* there are locks, whatever the rule */
    bool overlaps; /* perhaps: another site is near */
    bool has_initial;
    event_word initial; /* found by the last one that was the first to touch it */
};

/* What a thread did next: graphs_memo.c. */
struct graphs_memo_entry {
    struct port_action step;
    uint64_t plain; /* hash of what it found with plain reads before */
    /* Of stretches: its part of `touches`, the next entry with the same key */
    uint32_t touches, touch_count, other;
    /* A bit for each cell that it touches or allocates, perhaps shared by several */
    uint64_t cells;
};

/* A step as it happened: its first event; GRAPH_NONE: a yield. */
struct graphs_happened {
    uint32_t event, thread;
};

/* A thread that runs for so long alone may be waiting for another one in a way that is not seen through. */
enum { GRAPHS_CACHE = 64, GRAPHS_IN_A_ROW = 200 };

/* The alternatives that are left, and which of them the running execution began with. */
struct graphs_search {
    VEC(struct graphs_frame) frames;
    VEC(struct graphs_item) items;
    VEC(struct graph *) pool;
    VEC(struct port_action) waiting_locks; /* of an execution that ended with them */
    struct graphs_item taken;              /* what the running execution began with, if `has_taken` */
    size_t items_left;                     /* of all frames, when it was taken */
    bool has_taken;
    bool again; /* the first execution has to be begun again: something was learnt in it */
    bool started, restart, bounded;
};

/* Sixteen bytes of memory, and where they are cut into granules: graphs_parts.c. */
struct graphs_block {
    uint64_t address;
    uint16_t cuts;
    bool is_known;
};
enum { GRAPHS_BLOCKS = 16, GRAPHS_GRANULES = 16 };

struct graphs_sites {
    struct hash_map numbers; /* by address */
    VEC(struct graphs_site) list;
    uint64_t changes; /* of what others have to know */
    struct {
        uint64_t address;
        uint32_t site;
    } cache[GRAPHS_CACHE];
    struct graphs_block blocks[GRAPHS_BLOCKS]; /* cache */
    bool has_mixed;                            /* there are accesses of different sizes to the same memory */
};

/* Why a thread that has been in its live state before goes no further. */
enum graphs_hold {
    GRAPHS_GOES_ON,
    GRAPHS_HELD_UNSEEN,  /* whatever comes, the execution without its last round covers this one */
    GRAPHS_HELD_GUESSED, /* it came back too often */
};

struct graphs_arrival {
    uint64_t live; /* 0: the rest means nothing */
    uint32_t last; /* event of the thread */
    enum graphs_hold hold;
};

/* Threads that come back: graphs_returns.c. */
struct graphs_returns {
    /* the graph of the execution, while that is continued beyond its end; or null */
    struct graph *finished;
    struct hash_map tried; /* states of all that were continued from */
    uint64_t last_tried;   /* in the running execution; 0: none */
    uint32_t steps_left;
    struct prng prng;
    /* While it is continued: the only thread that could go on, lately, and where all have been since; or GRAPH_NONE */
    uint32_t alone;
    VEC(uint64_t) been;
    bool by_chance;       /* something happened there that need not */
    VEC(uint32_t) events; /* of a graph, by thread and index */
};

/* States that long threads were in, in the running execution: perhaps more than those. */
struct graphs_passed {
    struct hash_map states;            /* with the thread */
    uint32_t until[GRAPH_THREADS_MAX]; /* the thread's event up to which they are kept */
};

/* The thread that stops forever: graphs_progress.c. */
struct graphs_victim {
    uint32_t thread, after; /* GRAPH_NONE: none does; so many events that others can observe */
    uint32_t last, count;   /* how many it has up to its event `last` */
    bool has_stopped;
};

/* A plain write to memory that no thread seems to make use of, before this event of the thread, by its index. */
struct graphs_counted {
    uint32_t thread, before;
    uint64_t address, size;
};

/* The running execution. */
struct graphs_run {
    uint32_t cursor[GRAPH_THREADS_MAX]; /* the thread's next recorded event */
    uint32_t at[GRAPH_THREADS_MAX];     /* its last event */
    uint32_t done[GRAPH_THREADS_MAX];   /* how many of its events have happened */
    /* So many of its recorded events, the last of them changes something. */
    uint32_t effects_end[GRAPH_THREADS_MAX];
    uint64_t plain[GRAPH_THREADS_MAX]; /* hash of what it found with plain reads since its last event */
    VEC(struct graphs_counted) counted;
    VEC(struct graphs_happened) happened; /* in this order */
    uint32_t replay_left;                 /* recorded steps not yet repeated */
    uint32_t last_thread;
    uint32_t in_a_row; /* steps it added without another thread's between them */
    enum port_stop why;
    bool stopped, abandoned, repeats, diverged;
    uint32_t left_out;     /* steps in the end that need not be added: graphs_memo.c */
    uint32_t thread_count; /* what is beyond is as in the beginning of an execution */
    /* Threads that came back to where they were: the answer of graphs_hold_of for their last event */
    struct graphs_arrival arrivals[GRAPH_THREADS_MAX];
    uint32_t held_thread; /* GRAPH_NONE: none was */
    struct graphs_victim victim;
    const char *limit;
    const char *refused; /* a limit met between two steps */
};

/* Loops that only wait: histories that end with a read after which the thread only comes back to it. */
struct graphs_loops {
    struct hash_map nowhere;
    VEC(uint64_t) found; /* those of them that were found out here, in this order */
};

struct graphs_memo {
    struct hash_map numbers; /* of entries, by what the thread has done and found */
    VEC(struct graphs_memo_entry) entries;
    bool is_on;
    bool is_filled;  /* with the steps of the running execution, too */
    bool has_begun;  /* where threads were when the recorded steps were over is in it */
    uint32_t misses; /* how often, lately, what a thread does next was not known */
    uint32_t pause;  /* so many executions are run without looking */
};

/* Eight bytes of plain memory, in all executions. The masks have a bit for each byte. */
struct graphs_cell {
    uint64_t initial;
    uint32_t block; /* from 1; 0: it is in none */
    uint32_t site;  /* from 1; 0: none begins there */
    bool has_sites; /* more than that one, or one that is partly elsewhere */
    uint8_t known;  /* what `initial` is known of */
    uint8_t plain, written, atomic;
};

struct graphs_heap_block {
    uint64_t address;
    uint32_t size;
};

/* graphs_stretches.c */
struct graphs_stretches {
    const struct graphs_stretch *of_threads; /* the runner's; null: threads share no plain memory */
    /* what threads did after the recorded events is known, in the running execution */
    bool is_complete;
    bool repeats;           /* it is found out again while they are repeated */
    uint32_t first;         /* number of the first entry of the memo that is not forgotten */
    uint32_t root;          /* what main does first, as in graph_event.stretch */
    bool is_unsafe;         /* memory of the running execution may hold something else than what was said */
    VEC(uint32_t) touching; /* events of the running execution whose stretches touch something */
    VEC(struct graphs_touch) touches;
    struct hash_map numbers; /* of cells */
    VEC(struct graphs_cell) cells;
    VEC(struct graphs_heap_block) blocks;
};

/* A recorded execution that is replayed. */
struct graphs_script {
    const struct schedule_step *steps;
    uint32_t count, next;
    uint32_t created; /* the number that the next new thread gets; 0: any */
    /* So many steps are tried beyond its end, if that says that threads are stuck; 0: none */
    uint32_t beyond;
    bool is_beyond;
};

struct graphs_estimate {
    uint64_t samples, done; /* 0: not an estimate */
    double weight, value;   /* of this descent */
    double sum, squares;
    bool descending;
};

struct graphs {
    struct explorer base;
    struct graphs_settings settings;
    const struct memory_model *model;
    struct graphs_counts counts;
    struct prng prng;
    struct graph *g; /* of the running execution */
    struct graphs_search search;
    struct graphs_sites sites;
    struct graphs_run run;
    struct graphs_loops loops;
    struct graphs_returns returns;
    struct graphs_passed passed;
    struct graphs_memo memo;
    struct graphs_stretches stretches;
    struct graphs_script script;
    struct graphs_estimate estimate;
    /* For display: bit b of row a: operation a returns before b is called. Null: any order will do. */
    const uint64_t *client;
    VEC(uint8_t) bytes; /* given away or saved */
    struct graphs_divergence divergence;
    bool has_diverged; /* once: the divergence is known */
    bool has_marks;    /* some graph has, or had */
};

static inline struct graphs *graphs_of(const struct explorer *e)
{
    return (struct graphs *)(uintptr_t)e;
}

static inline void graphs_push_item(struct graphs *x, enum graphs_item_kind kind, uint32_t event,
                                    uint32_t other)
{
    vec_push(&x->search.items, ((struct graphs_item){event, other, (uint16_t)kind, 0}));
}

/* The running execution says something of the thread. */
static inline void graphs_note_thread(struct graphs *x, uint32_t thread)
{
    if (thread >= x->run.thread_count)
        x->run.thread_count = thread + 1;
}

static inline uint64_t graphs_address(const struct port_action *a)
{
    return a->flags & PORT_OBJECT ? a->address | GRAPHS_OBJECT : a->address;
}

static inline bool graphs_ends_process(const struct port_action *a)
{
    return a->kind == EVENT_END && a->operand;
}

static inline bool graphs_is_object(const struct graphs_site *s)
{
    return s->address >> 63;
}

/* Facts are kept, shared and saved as if they were objects that are no mutexes. */
#define GRAPHS_FACT (UINT64_C(1) << 62)
static inline bool graphs_is_fact(const struct graphs_site *s)
{
    return (s->address & GRAPHS_OBJECT) && (s->address & GRAPHS_FACT) && s->address != UINT64_MAX;
}

static inline bool graphs_is_cut(const struct graphs_site *s)
{
    return graphs_is_fact(s) && (s->address >> 56 & 63) == GRAPHS_CUT;
}

/* A plain write that is a step: reported once it has happened, right before its thread's next step. */
static inline bool graphs_is_deferred(const struct graph_event *ev)
{
    return ev->type == GRAPH_WRITE && ev->label.operation == OPERATION_STORE &&
           ev->label.failure_order == ORDER_PLAIN;
}

#endif
