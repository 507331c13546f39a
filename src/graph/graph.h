/* SPDX-License-Identifier: Apache-2.0 */
/* Execution graphs: events in the order of their insertion (the index of an event is its stamp), program order
 * as a list for each thread, modification order (mo) as a list for each location, reads-from with the readers
 * of each write. Everything is an index, so a graph is copied by copying memory.
 *
 * Initial values are writes without thread, inserted just before the first other event of their location. The
 * write of an update follows its read at once. Graphs are changed at their end: events are
 * taken away in the reverse order of insertion, except by graph_restrict, which builds another graph.
 *
 * Where accesses of different sizes overlap, locations are *granules*, and an access to several of them is a row of events in
 * program order, its *parts*, which memory models take for one (docs/internals/explore/mixed.md). */
#ifndef GRAPH_GRAPH_H
#define GRAPH_GRAPH_H

#include "graph/event.h"
#include "graph/graph_clocks.h"
#include "graph/operation.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    GRAPH_THREADS_MAX = 32,
    GRAPH_INIT_THREAD = 0xff,
    GRAPH_STEPS_MAX = INT16_MAX - 1,
    GRAPH_SCRATCH = 10
};
#define GRAPH_NONE UINT32_MAX

enum graph_type {
    GRAPH_INIT, /* counts as a write */
    GRAPH_WRITE,
    GRAPH_READ,
    GRAPH_FENCE,
    GRAPH_CREATE,
    GRAPH_BEGIN,
    GRAPH_END,
    GRAPH_JOIN,
    GRAPH_MARK,   /* operations of a harness begin and end */
    GRAPH_BRANCH, /* value: the way taken */
};

enum graph_flag {
    GRAPH_UPDATE = 1,        /* read: its write follows; write: its read precedes */
    GRAPH_BLOCKED = 2,       /* read: the step waits for another value, its thread goes no further */
    GRAPH_STABLE = 4,        /* read: no write revisits it */
    GRAPH_NEVER_MAXIMAL = 8, /* no revisit deletes it */
    GRAPH_LOCKED = 16,       /* belongs to a locked instruction, which reads and may write */
    GRAPH_LOCK_RULE = 32,    /* read of a lock under the rule for mutexes */
    GRAPH_WEAK = 64,         /* read of a CAS that may fail although it finds what it expects */
    GRAPH_FAILS = 128,       /* and does */
    GRAPH_TIED = 256,        /* with twins: the elder one did the same, up to and including this event */
    GRAPH_OLDEST = 256,      /* without: a load that is given the oldest source, see graphs_sources.c */
    GRAPH_LOOSE = 512,       /* with twins: perhaps not all of its causes happen before it */
    GRAPH_UNUSED = 1024,     /* read: its thread makes no use of what it finds */
    GRAPH_QUIET = 2048,      /* its thread did nothing that is no event right before it */
    GRAPH_PATIENT = 4096,    /* read: of what the read before it found, as if it were part of that */
    GRAPH_MORE = 8192,       /* a part, and not the last one of its access */
    GRAPH_PART = 16384,      /* a part, and not the first one */
    GRAPH_PIECE = 32768,     /* read: of some bytes of its granule only */
};

/* What the step of a thread was, compared when it is repeated. */
struct graph_label {
    uint8_t kind, operation, order, failure_order;
};

struct graph_event {
    event_word value; /* found, or written */
    event_word operand, expected;
    /* of the access, as `size`, whatever its granule; CREATE, JOIN: the other thread */
    uint64_t address;
    uint64_t history; /* of all that the thread can know */
    uint64_t plain;   /* hash of what it found with plain reads since its event before */
    uint64_t state;   /* of its thread, as the runner has it: port_action.state, or .live */
    /* read: the write it reads from; GRAPH_NONE: of a part that is left open, see mixed.md */
    uint32_t rf;
    uint32_t reader; /* write: first reader; read: next reader of the same write */
    uint32_t mo_before, mo_after;
    uint32_t location;
    uint32_t location_before; /* event of the location inserted before this one */
    uint32_t po_before, po_after;
    union {
        uint32_t depth; /* with twins: of its causes, see twins.h */
        /* without: what its thread did after it, see graphs_stretches.c; 0: not known */
        uint32_t stretch;
    };
    struct graph_label label;
    uint16_t index; /* in its thread */
    uint8_t thread;
    uint8_t type;
    /* The one that counts in the memory model; of a failed update: its failure order */
    uint8_t order;
    uint8_t size;
    uint16_t flags;
};

struct graph_location {
    uint64_t address;
    uint32_t init; /* GRAPH_NONE: not touched in this graph */
    uint32_t last; /* event inserted */
    uint32_t mo_last;
    uint8_t size;
    bool mutex; /* under the rule for mutexes */
    bool mixed; /* a granule, of memory with accesses of different sizes */
};

struct graph_thread {
    uint32_t first, last;
    uint32_t create;
};

enum graph_clock {
    /* Program order, reads-from, create and join: the causes of the event, and itself */
    CLOCK_PORF,
    CLOCK_HB,
    CLOCK_PENDING, /* messages read but not acquired */
    CLOCK_FENCE,   /* hb at the last release fence */
    CLOCK_MESSAGE, /* write: what its acquirers get */
    CLOCKS
};

struct graph {
    uint32_t count, capacity;
    /* Events of threads, without initial values, blocked reads and writes of updates */
    uint32_t steps;
    uint32_t location_count, location_capacity;
    uint32_t thread_count;
    uint32_t width;       /* lanes of a clock */
    uint32_t sc_accesses; /* seq_cst reads and writes */
    uint32_t sc_fences;
    uint32_t weak_accesses; /* other reads and writes, without those under the rule for mutexes */
    struct graph_event *events;
    int16_t *clocks;
    struct graph_location *locations;
    uint32_t *scratch; /* GRAPH_SCRATCH words for each event, for searches */
    const uint8_t *effective_order;
    /* Plain reads are not noted: who reads a write may know all that its writer knew */
    bool writers_publish;
    bool stores_continue; /* memory_model.stores_continue */
    /* Threads that do the same are distinguished by their order only: see twins.h */
    bool has_wakers; /* the explorer's: see graphs_wakes.c */
    bool has_parts;  /* there may be accesses with several parts */
    bool has_twins;
    bool has_depths; /* mo may go against causes, so twins are ordered by these first */
    struct graph_thread threads[GRAPH_THREADS_MAX];
};

struct graph *graph_new(const uint8_t *effective_order, bool writers_publish);
void graph_free(struct graph *g);
void graph_copy(struct graph *into, const struct graph *from);

/* Makes room for `more` events and for locations below `locations`. */
void graph_reserve(struct graph *g, uint32_t more, uint32_t locations);

/* Makes room for that many events with clocks of that width; the graph must be empty. */
void graph_set_size(struct graph *g, uint32_t events, uint32_t width);
/* Every clock gets more lanes. */
void graph_widen(struct graph *g, uint32_t width);

/* The location gets its initial value; its number must be below the reserved ones. */
void graph_touch(struct graph *g, uint32_t location, uint64_t address, unsigned size, event_word initial,
                 bool mutex);

/* A new last event of the thread. Type, label and values are filled in by the caller before the event is completed by
 * one of the functions below. Room must have been reserved. */
uint32_t graph_append(struct graph *g, uint32_t thread, enum graph_type type);
void graph_complete_step(struct graph *g, uint32_t e); /* neither reads nor writes */
void graph_set_branch(struct graph *g, uint32_t e, uint32_t way);
/* The event is at the location; a read needs graph_set_rf, a write graph_complete_write and graph_place. */
void graph_join_location(struct graph *g, uint32_t e, uint32_t location);

/* Sets what a read reads from, hence its value, order and clocks. Not yet read from anything: rf is GRAPH_NONE. It is the
 * last reader of the last write it had. */
void graph_set_rf(struct graph *g, uint32_t r, uint32_t w);
void graph_complete_write(struct graph *g, uint32_t w);
/* The same for a write of several parts, given the last one; all have been appended. */
void graph_complete_parts(struct graph *g, uint32_t last);
/* The read, which is the last event of its thread and not the first part, is left open: it reads nothing. */
void graph_leave_open(struct graph *g, uint32_t r);

/* A weak CAS that finds what it expects has two ways: with graph_set_rf it succeeds, until this makes it fail. */
bool graph_may_fail(const struct graph *g, uint32_t r);
void graph_set_failing(struct graph *g, uint32_t r);

/* A step that picks one of several: the read picks the first, until this picks another. */
void graph_set_pick(struct graph *g, uint32_t r, uint32_t pick);
/* Is it as it is when the read has just been added? */
bool graph_picks_first(const struct graph_event *read);

/* The last release store of the write's thread to its location before it, or GRAPH_NONE: of C11's release sequences. */
uint32_t graph_sequence_head(const struct graph *g, const struct graph_event *w);

void graph_place(struct graph *g, uint32_t w, uint32_t after); /* right after that write in mo */
void graph_unplace(struct graph *g, uint32_t w);

void graph_cut(struct graph *g, uint32_t count); /* removes all later events */

/* `into` becomes the part of `from` that is needed when write a (of several parts: given the last) revisits read r: everything up
 * to r, the causes of a, and a, which is not in mo and is the last. Where r is kept, it reads from a, if that writes its location.
 * Returns a's new stamp. In the scratch memory of `from` is the stamp of what was copied, or GRAPH_NONE. */
uint32_t graph_restrict(struct graph *into, const struct graph *from, uint32_t r, uint32_t a, bool keep_r);

/* Everything that can decide what the thread of read e does if e reads from w: what the thread knew, the value and, if
 * writers publish and the read acquires, what the writer knew: it may have left it in plain memory. */
uint64_t graph_history_finding(const struct graph *g, const struct graph_event *e,
                               const struct graph_event *w);

/* After one more step, of that kind. `address`: with what plain reads found before it (graph_event.plain), by exclusive or. */
uint64_t graph_history_after(uint64_t before, unsigned kind, uint64_t address, uint64_t found);

static inline int16_t *graph_clock(const struct graph *g, uint32_t e, enum graph_clock c)
{
    return g->clocks + ((size_t)e * CLOCKS + c) * g->width;
}

static inline bool graph_is_write(const struct graph_event *e)
{
    return e->type <= GRAPH_WRITE;
}

/* Is the event a note, without being a step of the program that memory models know? */
static inline bool graph_is_note(const struct graph_event *e)
{
    return e->type == GRAPH_MARK || e->type == GRAPH_BRANCH;
}

/* Is the event included in the clock? Initial values always are. */
static inline bool graph_includes(const int16_t *clock, const struct graph_event *e)
{
    return e->thread == GRAPH_INIT_THREAD || e->index < clock[e->thread];
}

/* Two reads of pieces of one granule may have no byte in common; all else at one location has. */
static inline bool graph_shares_bytes(const struct graph_event *a, const struct graph_event *b)
{
    return !(a->flags & b->flags & GRAPH_PIECE) ||
           (a->address < b->address + b->size && b->address < a->address + a->size);
}

/* Is write w, or a read of what `ev` reads or writes of it, among what happens before, as the clock has it? */
static inline bool graph_knows(const struct graph *g, const int16_t *hb, uint32_t w,
                               const struct graph_event *ev)
{
    if (graph_includes(hb, &g->events[w]))
        return true;
    for (uint32_t r = g->events[w].reader; r != GRAPH_NONE; r = g->events[r].reader)
        if (graph_includes(hb, &g->events[r]) && graph_shares_bytes(ev, &g->events[r]))
            return true;
    return false;
}

/* Does who acquires w learn no more than who acquires the other write? */
static inline bool graph_is_message_within(const struct graph *g, uint32_t w, uint32_t other)
{
    const int16_t *a = graph_clock(g, w, CLOCK_MESSAGE), *b = graph_clock(g, other, CLOCK_MESSAGE);
    for (uint32_t t = 0; t < g->thread_count; t++)
        if (a[t] > b[t])
            return false;
    return true;
}

static inline bool graph_is_acquire(unsigned order)
{
    return order == ORDER_ACQUIRE || order == ORDER_CONSUME || order == ORDER_ACQ_REL ||
           order == ORDER_SEQ_CST;
}

static inline bool graph_is_release(unsigned order)
{
    return order == ORDER_RELEASE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST;
}

/* The read of an update's write; of parts, the one at the same location. */
static inline const struct graph_event *graph_update_read(const struct graph *g, const struct graph_event *w)
{
    const struct graph_event *read = &g->events[w->po_before];
    while (read->type != GRAPH_READ || read->location != w->location)
        read = &g->events[read->po_before];
    return read;
}

/* The write an update's write must follow in mo, or GRAPH_NONE. */
static inline uint32_t graph_update_source(const struct graph *g, const struct graph_event *w)
{
    return w->flags & GRAPH_UPDATE ? graph_update_read(g, w)->rf : GRAPH_NONE;
}

/* --- parts ------------------------------------------------------------------------------------------ */

static inline bool graph_is_part(const struct graph_event *ev)
{
    return ev->flags & (GRAPH_MORE | GRAPH_PART);
}

static inline uint32_t graph_first_part(const struct graph *g, uint32_t e)
{
    while (g->events[e].flags & GRAPH_PART)
        e = g->events[e].po_before;
    return e;
}

/* The last part there is so far: it stands for the access in memory models. */
static inline uint32_t graph_last_part(const struct graph *g, uint32_t e)
{
    while (g->events[e].flags & GRAPH_MORE && g->events[e].po_after != GRAPH_NONE)
        e = g->events[e].po_after;
    return e;
}

/* The part before this one, or GRAPH_NONE. */
static inline uint32_t graph_part_before(const struct graph *g, uint32_t e)
{
    return g->events[e].flags & GRAPH_PART ? g->events[e].po_before : GRAPH_NONE;
}

/* Is it a read of which not all parts have been added, or one is left open? Its thread goes no further. */
static inline bool graph_is_open(const struct graph *g, uint32_t last)
{
    const struct graph_event *ev = &g->events[last];
    return ev->type == GRAPH_READ &&
           (ev->rf == GRAPH_NONE || (ev->flags & GRAPH_MORE && ev->po_after == GRAPH_NONE));
}

/* Is there such a read? Then the graph is no execution, but others may be made from it. */
static inline bool graph_has_open(const struct graph *g)
{
    for (uint32_t t = 0; g->has_parts && t < g->thread_count; t++)
        if (g->threads[t].last != GRAPH_NONE && graph_is_open(g, g->threads[t].last))
            return true;
    return false;
}

/* The first and last event of the step of a thread that e belongs to: an update reads and writes, each perhaps in parts. */
static inline uint32_t graph_first_of_step(const struct graph *g, uint32_t e)
{
    e = graph_first_part(g, e);
    if (g->events[e].type == GRAPH_WRITE && g->events[e].flags & GRAPH_UPDATE)
        e = graph_first_part(g, g->events[e].po_before);
    return e;
}

static inline uint32_t graph_last_of_step(const struct graph *g, uint32_t e)
{
    e = graph_last_part(g, e);
    if (g->events[e].type == GRAPH_READ && g->events[e].flags & GRAPH_UPDATE &&
        g->events[e].po_after != GRAPH_NONE)
        e = graph_last_part(g, g->events[e].po_after);
    return e;
}

/* What the access of which this is the last part found, or wrote. */
event_word graph_value(const struct graph *g, uint32_t last);
/* Of what is written to its granule, what a read finds. */
event_word graph_value_found(const struct graph *g, const struct graph_event *ev, event_word written);
/* Of what an access writes, what belongs to the event's granule. */
event_word graph_cut_value(const struct graph *g, const struct graph_event *ev, event_word value);

/* What building a graph and restricting one share. */

/* As graph_copy, but for all later events: there is room for them, and what leads to them, or counts them, is left as it is. */
void graph_copy_first(struct graph *into, const struct graph *from, uint32_t events);

/* The access is one more, or (UINT32_MAX) one less. */
static inline void graph_count_access(struct graph *g, const struct graph_event *ev, uint32_t by)
{
    if (ev->order == ORDER_SEQ_CST)
        g->sc_accesses += by;
    else if (!g->locations[ev->location].mutex)
        g->weak_accesses += by;
}

#endif
