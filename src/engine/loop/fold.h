/* SPDX-License-Identifier: Apache-2.0 */
/* Rounds of retry loops that need not have happened: a thread that comes back to an atomic read with all values that it
 * may still use unchanged, having written nothing, may as well not have left. Which values those are is worked out by
 * the tool, from the machine code (target/code/liveness.h). docs/internals/explore/folding.md has the argument. */
#ifndef ENGINE_FOLD_H
#define ENGINE_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FOLD_PLACES = 1 << 12, /* most places of a program */
    FOLD_CALLS = 1 << 12,
    FOLD_UPDATES = 1 << 12,
    FOLD_PARTS = 128,   /* of a frame that are looked at apart, from its top down */
    FOLD_PART = 4,      /* bytes of each */
    FOLD_REGISTERS = 6, /* that calls preserve */
    FOLD_READS = 64,    /* plain reads remembered */
    FOLD_WRITES = 16,   /* and writes */
    FOLD_THREADS = 32,
    FOLD_EXITS = 2,
    FOLD_ENTRIES = 1 << 14, /* most of a table */
};

/* Where a load, or a CAS when it fails, leads to, if it found zero, or if it did not: `merge` (0: not known). Of all that
 * matters there, some registers (by the processor's numbers) and parts hold what was found, some (bits as in fold_place) an
 * address in the program, and these hold what they did before. */
struct fold_exit {
    uint64_t merge;
    uint32_t found_registers, same_registers, fixed_registers;
    uint64_t fixed_values[FOLD_REGISTERS]; /* from the start of the program */
    uint64_t found_parts[FOLD_PARTS / 64], same_parts[FOLD_PARTS / 64];
};

enum { FOLD_KEPT = 1 }; /* in the register itself */

/* What matters of a function that has called another. */
struct fold_frame {
    /* The top of the frame (the function's own return address) above the stack pointer */
    uint32_t depth;
    uint32_t registers;              /* that matter, a bit for each: rbx rbp r12 r13 r14 r15 */
    uint64_t parts[FOLD_PARTS / 64]; /* that matter; part p is at top - FOLD_PART * (p + 1) */
    /* Where the values of these registers are that the caller had in them: from the top; FOLD_KEPT; 0: not known */
    int32_t saved[FOLD_REGISTERS];
    bool reads_above; /* the caller's frame */
};

/* A call of an atomic access. */
struct fold_place {
    uint64_t pc;      /* where it returns to, from the start of the program */
    bool unused;      /* what it returns in rax is overwritten before it is looked at */
    bool knows_frame; /* what matters there, below; else it is known only whether it is unused */
    struct fold_frame frame;
    struct fold_exit exits[FOLD_EXITS]; /* [1]: found something else than zero */
    /* A loop around the load gives up in the end; what matters but for the counter that says when */
    bool is_patient;
    struct fold_frame but_counters;
};

/* A call of a function that leads to one. */
struct fold_call {
    uint64_t pc;
    struct fold_frame frame;
};

/* A hook of a plain update that makes no use of what it finds, but to update it. */
struct fold_update {
    uint64_t pc;
    bool writes;
};

/* What a program has of them, by pc. */
struct fold_places {
    uint32_t count, call_count, update_count;
    struct fold_update updates[FOLD_UPDATES];
    struct fold_place list[FOLD_PLACES];
    struct fold_call calls[FOLD_CALLS];
};

/* By hash of an event of a thread and 8 bytes of memory; for each other thread a number. */
struct fold_entry {
    uint64_t key; /* 0: free */
    uint8_t numbers[FOLD_THREADS];
};

/* What the tool and a worker share about it. `reads`: what a folded round read that began at that event, with how many published events of each
 * other thread (explore_graphs_published) it knew of. `exposed`: what was written by threads that knew of that event without being
 * ordered after it, before which published event at the latest, from 1. Where a write was not known to the round, a race may have been folded away. */
struct fold_shared {
    bool found;     /* a round need not have happened: that is what workers look for that do not fold */
    bool patient;   /* a load found what the one before it found, in a loop that gives up */
    bool overflows; /* a table is full */
    bool news;      /* in a folded round the thread learnt that operations of others had ended */
    bool edges;     /* and a client that orders them is another one: graphs_counts */
    struct fold_places places;
    struct fold_entry reads[FOLD_ENTRIES], exposed[FOLD_ENTRIES];
};

/* The entry, or null. */
const struct fold_entry *fold_entry_find(const struct fold_entry *table, uint64_t key);
/* May a write of the second have raced with a read of the first? */
bool fold_entries_meet(const struct fold_entry *read, const struct fold_entry *exposed);

struct fold_access {
    uint64_t address, size;
};

struct fold_write {
    struct fold_access access;
    uint32_t reads; /* plain ones before it */
};

/* What a thread did between its atomic reads. */
struct fold_watch {
    bool found_something; /* the last atomic read: something else than zero */
    /* Since the last atomic read: it read, or wrote, memory plainly that other threads may know */
    bool looked, changed;
    uint32_t arrivals; /* at atomic reads, so far */
    uint32_t entries;  /* of functions, so far, for patience */
    uint32_t updates;  /* atomic writes so far, those that change nothing included */
    uint32_t reads;    /* plain reads so far; the last ones are in `log` */
    /* Plain writes so far, but for those to its own stack; the last ones are in `written` */
    uint32_t writes;
    uint64_t highest_end; /* of its plain writes to its own stack since its last atomic read */
    struct fold_access log[FOLD_READS];
    struct fold_write written[FOLD_WRITES];
};

/* Whether reads are kept. Nothing is done otherwise: not even dead registers may differ from round to round of a loop of
 * plain reads, or it would not be known to be endless (worker/endless.c). */
extern bool fold_keeps_reads __attribute__((visibility("hidden")));

static inline void fold_note_read(struct fold_watch *w, uint64_t address, size_t size)
{
    if (__builtin_expect(fold_keeps_reads, false))
        w->log[w->reads++ % FOLD_READS] = (struct fold_access){address, size};
}

static inline void fold_note_write(struct fold_watch *w, uint64_t address, size_t size)
{
    w->written[w->writes++ % FOLD_WRITES] = (struct fold_write){{address, size}, w->reads};
}

static inline void fold_note_own_write(struct fold_watch *w, uint64_t end)
{
    if (end > w->highest_end)
        w->highest_end = end;
}

/* Runs of the program with `shared` fold, or look for rounds that could be folded (`on`: not only that). With symmetry nothing is
 * made of the names of threads. */
void fold_prepare(struct fold_shared *shared, bool on, bool symmetry);
void fold_be_patient(void); /* in loops that give up, whether or not others are folded */
extern bool fold_is_patient __attribute__((visibility("hidden")));
extern bool fold_looks __attribute__((visibility("hidden")));
extern bool fold_is_on __attribute__((visibility("hidden"))); /* then it looks, too */
void fold_note_found(void);                                   /* one, and that is enough to look for */
void fold_note_patient(void);
bool fold_has_names(void); /* what a round knew of each thread is of use */

uint64_t fold_base(void); /* the start of the program */

/* The place of a call that returns to `pc`; null: nothing is known about its frame. */
const struct fold_place *fold_find(uint64_t pc);
/* Is what it returns, or finds on the clock, known not to be looked at? */
bool fold_is_unused(uint64_t pc);
const struct fold_call *fold_find_call(uint64_t pc);
/* A hook that announces an access, as part of a plain update that makes no other use of it? */
bool fold_updates(uint64_t pc, bool writes);

struct fold_position {
    uint32_t thread, event;
};

/* A folded round that began at this event read this; it knew of so many events of each thread. */
void fold_add_read(struct fold_position at, const uint8_t *known, uint64_t address, uint64_t size,
                   bool atomic);
/* A thread exposed to this event wrote this, as that event of its own. */
void fold_add_exposed(struct fold_position at, struct fold_position writer, uint64_t address, uint64_t size,
                      bool atomic);
/* A round in which the thread read this, with atomic accesses only, may be folded without having been run. */
void fold_add_unseen(uint32_t reader, uint64_t address, uint64_t size);
/* This was written plainly, or freed, where atomic accesses had been, and rounds of these threads (bits) may race with it. */
void fold_add_overwritten(uint32_t readers, uint64_t address, uint64_t size);
static inline uint8_t fold_cap(uint32_t event)
{
    return event < UINT8_MAX - 1 ? (uint8_t)event : UINT8_MAX - 1; /* later ones are all the same */
}

#endif
