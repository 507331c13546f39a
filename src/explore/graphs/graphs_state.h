/* SPDX-License-Identifier: Apache-2.0 */
/* The explorer of graphs and its parts, for the files of this folder only. */
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
    uint64_t cells; /* a bit for each cell that it touches or allocates, perhaps shared by several */
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

/* graphs_search.c: the search */
void graphs_push_frame(struct graphs *x, struct graph *g, uint32_t revisiter, uint32_t revisited);
struct graph *graphs_new_graph(struct graphs *x);
void graphs_forget_frames(struct graphs *x);
/* Takes alternatives until one leads to a graph that can be continued. False: none is left. */
bool graphs_take_items(struct graphs *x);
/* True: the graph on top of the stack can be continued. */
bool graphs_take_item(struct graphs *x, struct graphs_item it);
/* Places before the last write `last`, nearest first, as long as coherence allows. */
void graphs_push_places_before(struct graphs *x, uint32_t w, uint32_t last);
/* The alternatives of a read that picks one of several. */
void graphs_push_picks(struct graphs *x, uint32_t r);
/* The other way of a weak CAS. */
void graphs_push_failure(struct graphs *x, uint32_t r);
/* The write of an update, in its only place. False: that is not consistent. */
bool graphs_add_update(struct graphs *x, uint32_t r);
/* Alternatives of write w that is last in mo (and not a part of an update). */
void graphs_push_places(struct graphs *x, uint32_t w);
/* Makes the frames for locks that wait forever in the last execution, but would not if they came earlier. */
void graphs_revisit_by_waiting_locks(struct graphs *x);

/* graphs_revisits.c */
void graphs_push_revisits(struct graphs *x, uint32_t a);
bool graphs_is_before(const struct graph *g, const int16_t *causes, uint32_t e, uint32_t stamp);
bool graphs_is_overwritten(const struct graph *g, const int16_t *causes, uint32_t w, uint32_t stamp);
/* The last event, a read, would be an update if it read from w, but another one that does is in the way, and no revisit of its write
 * takes that away. */
bool graphs_is_vain(struct graphs *x, uint32_t r, uint32_t w);

/* graphs_steps.c: adding the events of steps */
uint32_t graphs_site_at(struct graphs *x, uint64_t address);
void graphs_give_up_mutex(struct graphs *x, uint32_t site);
/* Does a patient read find what the one before it found, whatever others wrote since? */
bool graphs_is_patient(const struct graphs *x, const struct port_action *a);
void graphs_describe(const struct graphs *x, struct graph_event *ev, const struct port_action *a);
uint32_t graphs_append_read(struct graphs *x, const struct port_action *a, uint32_t location, uint32_t rf);
/* False: a limit was met. */
bool graphs_add_step(struct graphs *x, const struct port_action *a, struct port_answer *answer);

/* graphs_parts.c: accesses of different sizes */
struct graphs_granule {
    uint64_t address;
    unsigned size;
};
struct graphs_parts {
    uint32_t count;
    struct graphs_granule granules[GRAPHS_GRANULES];
};
enum graphs_split {
    GRAPHS_SPLIT_NOT,      /* all accesses there have the same size */
    GRAPHS_SPLIT_DONE,     /* into parts, perhaps one */
    GRAPHS_SPLIT_RESTARTS, /* everything begins again, with smaller granules */
    GRAPHS_SPLIT_REFUSED,  /* the access is not atomic */
};
enum graphs_split graphs_split(struct graphs *x, const struct port_action *a, struct graphs_parts *parts);
/* The access overlaps locations of other sizes: that is known from now on, and everything begins again. False: it is not aligned,
 * or one of those is not. */
bool graphs_learn_mixed(struct graphs *x, const struct port_action *a);
bool graphs_is_mixed(struct graphs *x, const struct port_action *a);
void graphs_note_cut(struct graphs *x); /* something new is known of that kind */
/* The granules of some bytes in memory with accesses of different sizes. */
uint32_t graphs_granules(struct graphs *x, uint64_t address, unsigned size, struct graphs_granule *granules);
/* The location of the step; GRAPH_NONE: it has several. */
uint32_t graphs_only_location(struct graphs *x, const struct port_action *a);
uint32_t graphs_append_next_part(struct graphs *x, uint32_t before);
/* Adds the parts of the read that come after r, and the write of an update. False: that is not consistent. */
bool graphs_add_parts(struct graphs *x, uint32_t r);
/* Does the read, with all its parts, read the last write in mo? */
bool graphs_parts_read_newest(const struct graph *g, uint32_t r);
static inline bool graphs_reads_newest(const struct graph *g, uint32_t r)
{
    if (graph_is_part(&g->events[r]))
        return graphs_parts_read_newest(g, r);
    return g->events[g->events[r].rf].mo_after == GRAPH_NONE;
}
/* Writes with several parts are known by the last one. */
uint32_t graphs_append_part(struct graph *g, uint32_t thread, const struct graphs_parts *parts, uint32_t k);
void graphs_place_parts(struct graphs *x, uint32_t w); /* from part w on */
void graphs_unplace_parts(struct graph *g, uint32_t last);
void graphs_place_update(struct graph *g, uint32_t last);
void graphs_take_place(struct graphs *x, struct graphs_item it);
/* Of a part of a read that is not the first one, see is_maximal; `a` is the write that revisits. */
bool graphs_part_is_maximal(struct graphs *x, const int16_t *causes, uint32_t a, uint32_t r);

/* graphs_blocking.c: which threads can go on */
enum graphs_readiness {
    GRAPHS_WAITS,
    GRAPHS_LAST,  /* the end of the process: only if nothing else is left */
    GRAPHS_LATER, /* only if no other can: it would find nothing new */
    GRAPHS_READY,
};
enum graphs_readiness graphs_readiness(struct graphs *x, const struct port_action *a);
/* Should the read be given this write, which is not the last one in mo? */
bool graphs_is_option(struct graphs *x, const struct graph_event *read, const struct graph_event *w);
/* No thread can go on, or the process ends: locks that still wait might have come earlier. */
void graphs_note_waiting_locks(struct graphs *x, const struct port_action *next, uint64_t waiting);
/* An update that writes what it found and then only comes back waits instead, and writes nothing. */
void graphs_forget_useless_update(struct graphs *x, uint32_t r);
enum port_stop graphs_why_stopped(struct graphs *x, const struct port_action *next, uint64_t waiting);
/* The running execution ends without having been, and is begun once more. */
void graphs_take_again(struct graphs *x);
/* The thread is back where it was before its last reads. False: this execution is not worth going on with. */
bool graphs_note_spin(struct graphs *x, const struct port_action *a);

/* What led nowhere need not any more, when something is news that was not. */
void graphs_forget_nowhere(struct graphs *x);
/* Did the thread learn in its last round that operations of others had ended? */
bool graphs_round_was_news(const struct graph *g, const struct port_action *a);
/* Are there weaker accesses, and seq_cst ones that orders of a client reach, but not happens-before in the thread? */
bool graphs_has_edges(const struct graph *g);

/* Its last reads were a round that is folded. False: nothing but folded executions can come of this one. */
bool graphs_note_fold(struct graphs *x, const struct port_action *a);

/* Did the thread see the newest values in the round of its loop that led nowhere? */
bool graphs_spins_for_ever(const struct graphs *x, const struct port_action *a);
/* A thread that cannot go on: will it never? */
bool graphs_waits_for_ever(const struct graphs *x, const struct port_action *a);
bool graphs_has_ended(const struct graph *g, uint64_t thread);

/* graphs_passed.c: false if the thread was never in that state in this execution */
bool graphs_may_have_passed(struct graphs *x, uint32_t thread, uint64_t state);
void graphs_forget_passed(struct graphs *x);

/* Is the thread's last event a read that waits? */
static inline bool graphs_is_blocked(const struct graph *g, uint32_t thread)
{
    uint32_t last = g->threads[thread].last;
    return last != GRAPH_NONE && g->events[last].flags & GRAPH_BLOCKED;
}

/* graphs_returns.c: threads that come back to a live state in which they were */
enum graphs_hold graphs_hold_of(struct graphs *x, const struct port_action *a);
/* Would a lock that the thread takes after its event `last`, in that live state, only take back what unlock w gave? Then it waits. */
bool graphs_takes_back(const struct graphs *x, uint32_t last, uint64_t live, unsigned operation, uint32_t w);
/* The execution is over but for threads that are held: is it covered, does it matter? */
void graphs_certify(struct graphs *x, const struct port_action *next, uint64_t waiting);
/* Is any thread held like this? */
bool graphs_any_returned(struct graphs *x, const struct port_action *next, uint64_t waiting);
/* No thread can go on, and some are held: is what is left stuck all the same? */
bool graphs_goes_round_for_ever(struct graphs *x, const struct port_action *next, uint64_t waiting);
/* Where the thread's last round began; GRAPH_NONE: it was not there before. */
uint32_t graphs_round_of(const struct graph *g, const struct port_action *a);
/* Does a thread read plain memory in the round that began there? */
bool graphs_reads_plainly(const struct graphs *x, uint32_t first);

/* graphs_continue.c. Begins to continue an execution in which threads are held, with newest values only: can they get out? False: that has
 * been tried. */
bool graphs_start_continuing(struct graphs *x, const struct port_action *next, uint64_t waiting);
uint32_t graphs_continue(struct graphs *x, const struct port_action *next, uint64_t waiting,
                         struct port_answer *answer);
/* The thread's last read, which waited, reads the newest write. */
void graphs_read_newest(struct graphs *x, uint32_t thread, struct port_answer *answer);
/* Back to the graph as it was finished. */
void graphs_stop_continuing(struct graphs *x);

/* graphs_progress.c: a thread that stops forever. Is it time for it? Its bit, once it has stopped */
void graphs_look_for_stop(struct graphs *x, const struct port_action *next);
uint64_t graphs_stopped(const struct graphs *x);
/* Of the threads that cannot go on, those that do not wait for the end of the stopped one, nor for the end of such a thread. */
uint64_t graphs_left_waiting(const struct graphs *x, const struct port_action *next, uint64_t waiting);
void graphs_count_published(struct graphs *x);
/* A recorded execution ends because all threads that are left are stuck: are they, if they run on? Decides as `advance` does. */
uint32_t graphs_try_beyond(struct graphs *x, const struct port_action *next, uint64_t waiting,
                           struct port_answer *answer);

/* graphs_removal.c: has the execution rounds among the causes of the thread's arrival without which it would be the same? */
bool graphs_find_removal(struct graphs *x, const struct port_action *next, uint64_t waiting, uint32_t thread);
/* A thread is held in the finished graph; because of the round that begins at event `from`. */
void graphs_note_held(struct graphs *x);
void graphs_note_removed_plain(struct graphs *x, uint32_t from);
/* graphs_knowing.c: in the finished graph the thread has accessed memory plainly since its last event. */
void graphs_note_last_accesses(struct graphs *x, uint32_t thread);
/* The thread was in another state when it took a step again: it must not be held. */
void graphs_note_strayed(struct graphs *x, uint32_t thread);
/* Some thread makes use of what it finds there. */
void graphs_note_use(struct graphs *x, uint64_t address, uint64_t size);
/* The same, in explorations before this one? */
bool graphs_is_used(const struct graphs *x, uint64_t address, uint64_t size);
/* A thread accesses this plainly (nothing: has an effect) that knows more of these threads than happens before. */
void graphs_note_exposed(struct graphs *x, uint64_t exposed, uint64_t address, uint64_t size);
/* The execution is over: who knew more than happens before? */
void graphs_note_knowing(struct graphs *x);
/* Locations of which some thread wants to know what they hold. */
void graphs_note_readers(struct graphs *x, const struct graph *g);

/* graphs_wakes.c: is a sleeper that was woken given the step that woke it, and nothing else? */
bool graphs_has_wakers(const struct graphs *x);
static inline bool graphs_has_waker(const struct graph *g, const struct graph_event *read)
{
    return g->has_wakers && read->label.operation == OPERATION_WOKEN && read->label.order == ORDER_RELAXED;
}
bool graphs_is_waker(const struct graph *g, const struct graph_event *read, uint32_t w);
uint32_t graphs_find_waker(const struct graph *g, const struct graph_event *read, uint32_t newest);

/* graphs_sources.c: is a load given only the oldest write of those from which it learns the same? */
bool graphs_reads_oldest(const struct graphs *x);
bool graphs_wants_oldest(const struct graphs *x, const struct graph_event *read);
/* It waits in a loop: where that is so it is given any source, and everything begins again. */
void graphs_note_waiting_load(struct graphs *x, const struct graph_event *read);
static inline bool graphs_has_oldest(const struct graph *g, const struct graph_event *read)
{
    return !g->has_twins && read->flags & GRAPH_OLDEST;
}
/* Are there writes that the read could read from and is never given? Is this one not one of those? */
static inline bool graphs_has_own_source(const struct graph *g, const struct graph_event *read)
{
    return graphs_has_waker(g, read) || graphs_has_oldest(g, read);
}
bool graphs_is_own_source(const struct graph *g, const struct graph_event *read, uint32_t w);
/* What a read is first given when `newest` is last in mo. */
uint32_t graphs_first_source(const struct graph *g, const struct graph_event *read, uint32_t newest);
/* Does the read find what the last write in mo tells it? */
bool graphs_found_newest(const struct graph *g, uint32_t r);

/* graphs_symmetry.c. Whether there are twins is known, shared and given up as if it were a mutex at this address. */
#define GRAPHS_TWINS_ADDRESS UINT64_MAX
bool graphs_has_twins(struct graphs *x);
/* Its elder twin did the same so far and has to go first. */
bool graphs_waits_for_twin(const struct graphs *x, const struct port_action *next, uint32_t thread);
/* The same for a recorded event: what its thread adds after it must not come before what the elder one adds. */
bool graphs_repeats_before_twin(const struct graphs *x, uint32_t e);
/* A read has been added with the last write in mo. If it must not come after its twin like this, it gets another one. */
void graphs_follow_twin(struct graphs *x, uint32_t r);
bool graphs_twin_waits(const struct graph *g, uint32_t r);
/* Before a step is added: do joins distinguish twins? */
void graphs_watch_joins(struct graphs *x, const struct port_action *a);
void graphs_watch_assumptions(struct graphs *x, const struct port_action *next, uint64_t waiting);

/* graphs.c: begins with the first execution again */
void graphs_start_over(struct graphs *x);

/* graphs_advance.c: one execution, repeated as far as it is recorded, then made */
void graphs_start_replay(struct graphs *x);
uint32_t graphs_advance(struct explorer *e, const struct port_action *next, uint64_t waiting,
                        uint32_t running, struct port_answer *answer);
uint32_t graphs_branch(struct explorer *e, uint32_t ways);
bool graphs_expires(struct explorer *e);
/* The recorded event has happened again. */
void graphs_pass(struct graphs *x, uint32_t e);
/* A step, or a choice of the program, was added to the graph; nothing was. */
void graphs_note_added(struct graphs *x, uint32_t thread);
uint32_t graphs_add_branch(struct graphs *x, uint32_t way);
void graphs_note_yield(struct graphs *x, uint32_t thread);

/* Nothing is recorded of the next step. Decides as `advance` does. */
uint32_t graphs_advance_live(struct graphs *x, const struct port_action *next, uint64_t waiting,
                             uint32_t running, struct port_answer *answer);

/* graphs_replay.c: the recorded execution goes on with this write. False: it does not. */
bool graphs_replay_store(struct graphs *x, const struct port_action *a);

/* graphs_memo.c: threads have arrived at their next steps, `running` last */
void graphs_fill_memo(struct graphs *x, const struct port_action *next, uint64_t waiting, uint32_t running);

uint32_t graphs_event_before(const struct graph *g, uint32_t thread);
bool graphs_is_determined_by_event(const struct port_action *a);

/* graphs_stretches.c: the same where threads share plain memory. Nothing is recorded of what came before an execution in which that
 * is found out, so it is not complete. */
void graphs_start_stretches(struct graphs *x);
void graphs_remember_stretch(struct graphs *x, const struct port_action *a);
/* The entry of what the thread does next; null: it is not known, or not known to be right. */
const struct graphs_memo_entry *graphs_recall_stretch(struct graphs *x, uint32_t thread);
/* What thread 0 does after that join, if it touches nothing before; or null. */
const struct graphs_memo_entry *graphs_stretch_after_join(const struct graphs *x,
                                                          const struct graphs_memo_entry *join);
/* The thread has taken its step: is it in order with what threads did plainly? */
bool graphs_is_step_safe(struct graphs *x, const struct port_action *a);
/* What the location of the step holds before its first event; if that cannot be said, the execution is not safe. */
event_word graphs_find_initial(struct graphs *x, const struct port_action *a);
void graphs_forget_stretches(struct graphs *x);
void graphs_free_stretches(struct graphs *x);

/* graphs_cells.c: plain memory in all executions */
struct graphs_cell *graphs_cell_at(struct graphs *x, uint64_t address);
const struct graphs_cell *graphs_find_cell(const struct graphs *x, uint64_t address); /* or null */
void graphs_note_atomic(struct graphs *x, uint32_t site, unsigned size);
/* False: nothing is to be remembered of programs like this. */
bool graphs_note_plain(struct graphs *x, const struct graphs_touch *t);
bool graphs_note_block(struct graphs *x, const struct graphs_touch *t);
/* Are the bytes those of an atomic variable that has been accessed in this graph? */
bool graphs_is_location(const struct graphs *x, const struct graphs_cell *cell, const struct graphs_touch *t);

/* The bytes of the cell at the address, as bits. */
static inline uint8_t graphs_bytes_of(uint64_t address, uint64_t size)
{
    return (uint8_t)(((1u << size) - 1) << (address & 7));
}

/* All bits of the bytes. */
static inline uint64_t graphs_bits_of(uint8_t bytes)
{
    uint64_t spread = bytes * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201);
    uint64_t high = ((spread & UINT64_C(0x7f7f7f7f7f7f7f7f)) + UINT64_C(0x7f7f7f7f7f7f7f7f)) | spread;
    return (high >> 7 & UINT64_C(0x0101010101010101)) * 0xff;
}

/* graphs_display.c: the running execution so far, or only its last event and the causes of that, in the order in which
 * it is best shown. The number of entries, with room for all; 0: it is too long for this. */
uint32_t graphs_display_order(const struct graphs *x, bool causes_only, struct graphs_happened *out);

/* graphs_estimate.c: takes alternatives at random. True: another graph than the one that runs */
bool graphs_descend(struct graphs *x);
bool graphs_next_descent(struct graphs *x);

static inline uint32_t graphs_stop(struct graphs *x, struct port_answer *answer, enum port_stop why)
{
    answer->why = x->run.why = why;
    x->run.stopped = true;
    return PORT_STOP;
}

#endif
