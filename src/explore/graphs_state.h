/* SPDX-License-Identifier: Apache-2.0 */
/* The explorer of graphs, shared by the files graphs*.c only. */
#ifndef EXPLORE_GRAPHS_STATE_H
#define EXPLORE_GRAPHS_STATE_H

#include "base/hash.h"
#include "base/vec.h"
#include "explore/graphs.h"
#include "explore/prng.h"

enum graphs_item_kind {
    ITEM_RF,      /* read `event` reads from write `other` */
    ITEM_CO,      /* write `event` comes right after write `other` */
    ITEM_REVISIT, /* write `event` is read by the older read `other` */
    ITEM_BRANCH,  /* the branch takes way `other` */
    ITEM_PICK,    /* read `other` picks `way` of several; the event is the last one of the graph */
    ITEM_FAIL,    /* read `other`, a weak CAS, fails for no reason; the event is the last one */
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

/* What a thread did next: graphs_foresee.c. */
struct graphs_habit {
    struct port_action step;
    uint64_t plain; /* hash of what it found with plain reads before */
};

/* A step as it happened: its first event; GRAPH_NONE: a yield. */
struct graphs_happened {
    uint32_t event, thread;
};

/* A thread that runs for so long alone may be waiting for another one in a way that is not seen through. */
enum { GRAPHS_CACHE = 64, GRAPHS_IN_A_ROW = 200 };

struct graphs {
    struct explorer base;
    struct graphs_settings settings;
    const struct memory_model *model;
    struct graphs_counts counts;
    struct prng prng;

    VEC(struct graphs_frame) frames;
    VEC(struct graphs_item) items;
    VEC(struct graph *) pool;
    struct graph *g; /* of the running execution */

    struct hash_map site_numbers;
    VEC(struct graphs_site) sites;
    uint64_t object_changes;
    struct {
        uint64_t address;
        uint32_t site;
    } cache[GRAPHS_CACHE];

    /* The running execution */
    uint32_t cursor[GRAPH_THREADS_MAX]; /* the thread's next recorded event */
    uint32_t at[GRAPH_THREADS_MAX];     /* its last event */
    uint32_t done[GRAPH_THREADS_MAX];   /* how many of its events have happened */
    uint32_t
        foretold[GRAPH_THREADS_MAX]; /* so many of its recorded events, the last of them changes something */
    uint64_t plain[GRAPH_THREADS_MAX]; /* hash of what it found with plain reads since then */
    uint32_t replay_left;              /* recorded steps not yet repeated */
    uint32_t last_thread;
    uint32_t in_a_row; /* steps it added without another thread's between them */
    enum port_stop why;
    bool stopped, abandoned, repeats, diverged;
    const uint64_t *client; /* for telling: bit b of row a: operation a returns before b is called; or null */
    const char *limit;
    const char *refused; /* a limit met between two steps */

    struct hash_map nowhere; /* histories that end with a read after which the thread only comes back to it */
    VEC(uint64_t) learnt;    /* those of them that were found out here, in this order */
    struct graphs_item taken; /* the alternative that the running execution began with, if `has_taken` */
    size_t items_left;        /* of all frames, when it was taken */
    bool has_taken;
    bool again;                    /* the first execution has to be begun again: something was learnt in it */
    struct hash_map habit_numbers; /* by what the thread has done and found */
    VEC(struct graphs_habit) habits;
    bool remembers;                        /* habits are kept */
    bool learns;                           /* those of the running execution, too */
    uint32_t missed;                       /* how often, lately, what a thread does next was not known */
    uint32_t pause;                        /* so many executions are not tried to be foreseen */
    bool has_remembered;                   /* where threads were when the recorded steps were over */
    VEC(struct port_action) waiting_locks; /* of an execution that ended with them */
    VEC(struct graphs_happened) happened;  /* in this order, in the running execution */
    bool started, restart, bounded;

    const struct schedule_step *script; /* a recorded execution to follow */
    uint32_t script_count, script_next;
    uint32_t created; /* the number that the next new thread gets; 0: any */

    VEC(uint8_t) bytes; /* given away or saved */

    /* Estimates */
    uint64_t samples, samples_done; /* 0: not an estimate */
    double weight, estimate;        /* of this descent */
    double estimate_sum, estimate_squares;
    bool descending;
};

static inline struct graphs *graphs_of(const struct explorer *e)
{
    return (struct graphs *)(uintptr_t)e;
}

static inline void graphs_push_item(struct graphs *x, enum graphs_item_kind kind, uint32_t event,
                                    uint32_t other)
{
    vec_push(&x->items, ((struct graphs_item){event, other, (uint16_t)kind, 0}));
}

static inline uint64_t graphs_address(const struct port_action *a)
{
    return a->flags & PORT_OBJECT ? a->address | GRAPHS_OBJECT : a->address;
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

/* A plain write that is a step: told once it had happened, right before its thread's next step. */
static inline bool graphs_is_told(const struct graph_event *ev)
{
    return ev->type == GRAPH_WRITE && ev->label.operation == OPERATION_STORE &&
           ev->label.failure_order == ORDER_PLAIN;
}

/* graphs_frames.c: the search */
void graphs_push_frame(struct graphs *x, struct graph *g, uint32_t revisiter, uint32_t revisited);
struct graph *graphs_new_graph(struct graphs *x);
void graphs_forget_frames(struct graphs *x);
/* Takes alternatives until one leads to a graph that can be continued. False: none is left. */
bool graphs_take_items(struct graphs *x);
/* True: the graph on top of the stack can be continued. */
bool graphs_take_item(struct graphs *x, struct graphs_item it);
void graphs_push_revisits(struct graphs *x, uint32_t a);
/* The alternatives of a read that picks one of several. */
void graphs_push_picks(struct graphs *x, uint32_t r);
/* The other way of a weak CAS. */
void graphs_push_failure(struct graphs *x, uint32_t r);
/* The write of an update, in its only place. False: that is not consistent. */
bool graphs_add_update(struct graphs *x, uint32_t r);
/* Alternatives of write w that is last in co (and not a part of an update). */
void graphs_push_places(struct graphs *x, uint32_t w);
/* Makes the frames for locks that wait for ever in the last execution, but would not if they came earlier. */
void graphs_revisit_by_waiting_locks(struct graphs *x);

/* graphs_steps.c: adding the events of steps */
uint32_t graphs_site_at(struct graphs *x, uint64_t address);
void graphs_give_up_mutex(struct graphs *x, uint32_t site);
uint32_t graphs_append_read(struct graphs *x, const struct port_action *a, uint32_t location, uint32_t rf);
/* False: a limit was met. */
bool graphs_add_step(struct graphs *x, const struct port_action *a, struct port_answer *answer);

/* graphs_blocking.c: which threads can go on */
enum graphs_readiness {
    GRAPHS_WAITS,
    GRAPHS_LAST,  /* the end of the process: only if nothing else is left */
    GRAPHS_LATER, /* only if nobody else can: it would find nothing new */
    GRAPHS_READY,
};
enum graphs_readiness graphs_readiness(struct graphs *x, const struct port_action *a);
/* Should the read be given this write, which is not the last one in co? */
bool graphs_is_option(struct graphs *x, const struct graph_event *read, const struct graph_event *w);
/* Nobody can go on, or the process ends: locks that still wait might have come earlier. */
void graphs_note_waiting_locks(struct graphs *x, const struct port_action *next, uint64_t waiting);
/* An update that writes what it found and then only comes back waits instead, and writes nothing. */
void graphs_forget_useless_update(struct graphs *x, uint32_t r);
enum port_stop graphs_why_stopped(struct graphs *x, const struct port_action *next, uint64_t waiting);
/* The running execution ends without having been, and is begun once more. */
void graphs_take_again(struct graphs *x);
/* The thread is back where it was before its last reads. False: this execution is not worth going on with. */
bool graphs_note_spin(struct graphs *x, const struct port_action *a);
/* Its last reads were a round that is folded. False: nothing but folded executions can come of this one. */
bool graphs_note_fold(struct graphs *x, const struct port_action *a);

/* graphs_symmetry.c. Whether there are twins is known, shared and given up as if it were a mutex at this address. */
#define GRAPHS_TWINS_ADDRESS UINT64_MAX
bool graphs_has_twins(struct graphs *x);
/* Its elder twin did the same so far and has to go first. */
bool graphs_waits_for_twin(const struct graphs *x, const struct port_action *next, uint32_t thread);
/* The same for a recorded event: what its thread adds after it must not come before what the elder one adds. */
bool graphs_repeats_before_twin(const struct graphs *x, uint32_t e);
/* A read has been added with the last write in co. If it must not come after its twin like this, it gets another one. */
void graphs_follow_twin(struct graphs *x, uint32_t r);
bool graphs_twin_waits(const struct graph *g, uint32_t r);
/* Before a step is added: do joins tell twins apart? */
void graphs_watch_joins(struct graphs *x, const struct port_action *a);
void graphs_watch_assumptions(struct graphs *x, const struct port_action *next, uint64_t waiting);

/* graphs.c: begins with the first execution again */
void graphs_start_over(struct graphs *x);

/* graphs_advance.c: one execution, repeated as far as it is recorded, then made */
void graphs_start_replay(struct graphs *x);
uint32_t graphs_advance(struct explorer *e, const struct port_action *next, uint64_t waiting,
                        uint32_t running, struct port_answer *answer);
uint32_t graphs_branch(struct explorer *e, uint32_t ways);
/* The recorded event has happened again. */
void graphs_pass(struct graphs *x, uint32_t e);
/* A step, or a choice of the program, was added to the graph; nothing was. */
void graphs_note_added(struct graphs *x, uint32_t thread);
uint32_t graphs_add_branch(struct graphs *x, uint32_t way);
void graphs_note_yield(struct graphs *x, uint32_t thread);

/* Nothing is recorded of the next step. Decides as `advance` does. */
uint32_t graphs_advance_live(struct graphs *x, const struct port_action *next, uint64_t waiting,
                             uint32_t running, struct port_answer *answer);

/* graphs_follow.c: the recorded execution goes on with this write. False: it does not. */
bool graphs_follow_store(struct graphs *x, const struct port_action *a);

/* graphs_foresee.c: threads have arrived at their next steps, `running` last */
void graphs_remember_steps(struct graphs *x, const struct port_action *next, uint64_t waiting,
                           uint32_t running);

/* graphs_order.c: the running execution so far, or only its last event and the causes of that, in the order in which
 * it is best told. The number of entries, with room for all; 0: it is too long for this. */
uint32_t graphs_best_order(const struct graphs *x, bool causes_only, struct graphs_happened *out);

/* graphs_estimate.c: takes alternatives at random. True: another graph than the one that runs */
bool graphs_descend(struct graphs *x);
bool graphs_next_descent(struct graphs *x);

static inline uint32_t graphs_stop(struct graphs *x, struct port_answer *answer, enum port_stop why)
{
    answer->why = x->why = why;
    x->stopped = true;
    return PORT_STOP;
}

#endif
