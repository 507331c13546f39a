/* SPDX-License-Identifier: Apache-2.0 */
/* Every sequence of calls of a harness, on the compiled code: what runs inside of the process under test (docs/internals/refine/prove.md).
 * The present native state is the program's memory itself and `struct prove_state`; images (prove/prove_image.h) are native states
 * in their one form. Private to this folder. */
#ifndef PROVE_PROVE_H
#define PROVE_PROVE_H

#include "base/text.h"
#include "prove/prove_hooks.h"
#include "prove/prove_shared.h"

#pragma GCC visibility push(default)
#include <plumb.h>
#pragma GCC visibility pop

enum {
    PROVE_THREADS_MAX = PROVE_MOST_THREADS,
    PROVE_BLOCKS_MAX = 1024,
    PROVE_ITEMS_MAX = 96, /* in a state */
    PROVE_ARENA_BYTES = 1 << 20,
    /* Of which the upper part is there: what a thread writes below is no other one's */
    PROVE_STACK_BYTES = 1 << 24,
    PROVE_STACK_MAPPED = 1 << 18,
    PROVE_GLOBALS_MAX = 1 << 20,
    PROVE_TLS_MAX = 1 << 12,
    PROVE_RED_ZONE = 32, /* between blocks: a pointer to the end of one is not one to the next */
    PROVE_LINE = 64,
    PROVE_SHIFT_MAX = 48,
    PROVE_MALLOC_ALIGNMENT = 16,
    PROVE_WORD = 8,
};

/* Instead of the address of a block that is too far from the threads to be kept. A thread that reads it ends the search: it is not known what is
 * there. */
#define PROVE_POISON 0x6f0d00000000ULL

/* How addresses and items look. The program must not be able to tell: steps are repeated in another dialect. */
struct prove_dialect {
    uint64_t arena, stacks;
    uint32_t shift; /* of blocks that need not begin at a line */
    uint32_t item_base, item_stride;
    bool is_reversed;  /* larger items have smaller numbers, and later blocks lower addresses */
    uint8_t unwritten; /* in memory that was never written */
    uint8_t garbage;   /* in words that are dead */
    uint8_t litter;    /* in registers and on stacks before they are written */
};
/* That of images, and two of twins, which differ in litter only: code may compare it with zero. */
extern const struct prove_dialect prove_dialects[3];

struct prove_block {
    uint64_t address;
    uint32_t size;
    bool freed;      /* and somebody still knows its address */
    bool is_aligned; /* it begins at a line */
    uint8_t owner;   /* 1 + the only thread that can reach it; 0: others may */
    uint32_t serial; /* in a run: allocations before it */
};

/* A store that only its thread sees. */
struct prove_store {
    uint64_t address, value;
    uint32_t size;
};

struct prove_buffer {
    uint32_t count;
    struct prove_store stores[PROVE_BUFFER_MAX]; /* the oldest first */
};

struct prove_thread {
    struct prove_registers registers;
    bool is_open; /* in an operation */
    uint8_t op;
    struct prove_buffer buffer;
};

/* The native state, besides memory. */
struct prove_state {
    const struct prove_dialect *dialect;
    struct prove_block blocks[PROVE_BLOCKS_MAX]; /* in the order of allocation, or of the image */
    uint32_t block_count;
    uint64_t next; /* free memory of the arena */
    uint32_t serials;
    struct prove_thread threads[PROVE_THREADS_MAX];
    uint8_t tls[PROVE_THREADS_MAX][PROVE_TLS_MAX];
};

/* What the process is, from its start on. */
struct prove_program {
    uint64_t base;
    uint8_t *globals; /* writable memory of the program's file */
    size_t globals_size;
    uint8_t *globals_start; /* a copy: as they were when the search began */
    uint8_t *tls;
    size_t tls_size;
    const uint8_t *tls_start; /* as threads begin */
    size_t tls_start_size;
    bool frees;         /* it can give memory back */
    bool locks;         /* it has mutexes */
    bool knows_threads; /* it can ask which thread it is in */
    /* Of each word of the globals: which threads have written it in the search, and which have read it (PROVE_WRITERS, PROVE_READERS; threads without names of
     * their own are all). Words without writers are read as if they were constants, and those of one thread are its own; where that turns out to be wrong, all
     * begins again. */
    uint8_t *uses; /* in the shared memory, for replays; the same through a whole search */
    uint8_t *new_uses;
    bool has_new_uses;
    bool tells_threads; /* threads keep their names, so that words can be those of one */
    /* What is read is taken for written by all: whether a thread goes round forever may depend on it */
    bool doubts_constants;
};

enum prove_outcome {
    PROVE_FINE,
    PROVE_BLOCKED, /* cannot go on now */
    PROVE_PARTLY,  /* done, but there is more to do before the thread goes on */
    PROVE_FAULT,   /* the program did something that no program may: `problem` */
    PROVE_UNSURE,  /* something that the search cannot do: `problem` */
};

struct prove {
    struct prove_shared *shared;
    uint32_t answer; /* the same as there, where the program may write over it */
    struct prove_program program;
    struct prove_state state;
    uint32_t threads;
    bool is_searching; /* operations run; else constructors and set-up, where nothing is a step */
    bool is_concrete;  /* items are 1, 2, ... as the report has them */
    bool merges;       /* accesses that no other thread disturbs are a part of the step behind them */
    uint32_t distance; /* of blocks from threads, at most */
    bool met_poison;
    unsigned acting; /* the thread that does something */
    unsigned wakes;  /* the thread that the next signal wakes, if it waits */
    bool has_doubt;  /* since it was last set to false something happened that has no one meaning: `doubt` */
    char doubt[PROVE_MESSAGE];
    char problem[PROVE_MESSAGE];
    struct {
        uint64_t address;
        unsigned size;
        bool is_buffered;    /* it goes to the thread's buffer instead */
    } stored;                /* a plain store that has just happened */
    volatile uint64_t steps; /* for the watchdog */
};
extern struct prove prove __attribute__((visibility("hidden")));

/* For the assembly. */
extern bool prove_active __attribute__((visibility("hidden")));
extern struct prove_registers *prove_self __attribute__((visibility("hidden")));
extern uint64_t prove_scheduler __attribute__((visibility("hidden")));
extern uint64_t prove_junk __attribute__((visibility("hidden")));
void prove_enter(void);
void prove_leave(void);
void prove_returned(void);
void prove_resume(struct prove_registers *r, uint64_t rax, uint64_t rdx);
uint64_t prove_at_once(unsigned hook, const uint64_t *arguments, uint64_t *rdx);

/* Notes what went wrong; returns the outcome. */
enum prove_outcome prove_note(enum prove_outcome outcome, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The run may be as it is, but need not: it goes on, and there is no *holds*. */
void prove_note_doubt(const char *what);

/* ---- prove_program.c: the executable ---- */

/* Finds its memory and takes over what it calls. */
void prove_program_open(void);
/* Globals are now as the search finds them. */
void prove_program_keep(void);
const char *prove_foreign_name(uint64_t hook);

/* ---- prove_memory.c: blocks and addresses ---- */

void prove_memory_open(void);

static inline uint64_t prove_stack_base(unsigned thread)
{
    return prove.state.dialect->stacks + (uint64_t)thread * PROVE_STACK_BYTES;
}
static inline uint64_t prove_stack_top(unsigned thread)
{
    return prove_stack_base(thread + 1);
}
static inline bool prove_is_on_stacks(const struct prove_dialect *d, uint64_t address)
{
    return address - d->stacks < PROVE_THREADS_MAX * (uint64_t)PROVE_STACK_BYTES;
}
/* What a block takes: it begins at a line or somewhat later, and ends before the next one. */
static inline uint64_t prove_room_of(uint64_t size)
{
    return (size + PROVE_SHIFT_MAX + PROVE_RED_ZONE + PROVE_LINE - 1) & ~(uint64_t)(PROVE_LINE - 1);
}
/* Was this byte of the arena ever written? */
uint8_t *prove_shadow(uint64_t address);

/* A new block, or null when there is no room. */
struct prove_block *prove_block_new(uint64_t size, uint64_t alignment, unsigned thread);
void prove_block_reuse(struct prove_block *b, unsigned thread);
/* The block that the address is in, or at whose end it is; null: none. */
struct prove_block *prove_block_at(uint64_t address);
/* The freed blocks that an allocation of that size may get again, in the order of the list; their number. */
unsigned prove_reusable(uint64_t size, uint64_t alignment, uint32_t *list);
/* What can be reached from it may be known to others from now on. */
void prove_publish(unsigned thread);

enum prove_where {
    PROVE_OWN,    /* no other thread can notice the access */
    PROVE_SHARED, /* they can */
    PROVE_BAD,    /* it is a fault; perhaps only now */
    PROVE_ODD,    /* unsure */
};
/* `write`: or a read. Explains PROVE_BAD and PROVE_ODD in prove.problem. */
enum prove_where prove_find(unsigned thread, uint64_t address, uint64_t size, bool write);
/* After prove_find of PROVE_OWN or PROVE_SHARED. False: it was never written. */
bool prove_is_initialised(uint64_t address, uint64_t size);
void prove_note_write(uint64_t address, uint64_t size);
void prove_note_read(uint64_t address, uint64_t size);
/* The only thread that uses this word of the globals, from 1; 0: there is none. */
unsigned prove_user_of(uint64_t address);
/* Is an address there that was not kept? Then it is unsure what is read. */
bool prove_meets_poison(uint64_t address, uint64_t size);

/* ---- prove_perform.c: what threads do ---- */

/* The memory that it accesses; size 0: none. */
struct prove_reach {
    uint64_t address, size;
    bool write;
};
struct prove_reach prove_reach_of(const struct prove_registers *r);
/* Can others notice what the thread is about to do? */
bool prove_is_step(unsigned thread);
/* The blocks that malloc may return again instead of a new one; their number. */
unsigned prove_choices(unsigned thread, uint32_t *list);
/* Does it: `reuse` is the block that malloc returns again, or null. */
enum prove_outcome prove_perform(unsigned thread, struct prove_block *reuse, uint64_t *rax, uint64_t *rdx);

/* Something was written there: may others know of the thread's blocks by that? */
void prove_look_at_written(unsigned thread, uint64_t address, unsigned size);

/* ---- prove_locks.c: mutexes and condition variables ---- */

enum prove_outcome prove_perform_mutex(unsigned thread, uint64_t *rax);
bool prove_is_about_condition(unsigned kind);
/* A signal wakes the thread prove.wakes; a thread that waits is woken for no reason, or its time is over. */
enum prove_outcome prove_perform_condition(unsigned thread, uint64_t *rax);
/* Clocks stand still: what waits with a limit of time may reach it at any time. */
enum prove_outcome prove_perform_clock(unsigned thread);
/* Does it wait for a mutex that is locked, or for a signal? */
bool prove_is_blocked(unsigned thread);
/* For a signal, without a limit of time? */
bool prove_is_waiting(unsigned thread);
/* The threads that the signal which the thread is about to give may wake; their number. Of a wait with a limit of time: none, and itself. */
unsigned prove_waiters(unsigned thread, uint32_t *list);

/* ---- prove_run.c: a thread goes on ---- */

struct prove_result {
    enum prove_outcome outcome;
    bool has_returned;
    plumb_value value;
};

/* Of the operation that begins; read before its first step. */
extern struct plumb_argument prove_arguments[PLUMB_ARGUMENTS_MAX] __attribute__((visibility("hidden")));

/* An operation begins, up to its first step. */
struct prove_result prove_begin(unsigned thread, unsigned op, const int64_t *numbers);
/* The step that the thread is about to do, and what follows up to the next one. */
struct prove_result prove_step(unsigned thread, struct prove_block *reuse);
/* It has returned what is in its first argument. */
struct prove_result prove_end_operation(unsigned thread);
/* A function of the harness as a whole, by itself. */
enum prove_outcome prove_run_whole(unsigned thread, plumb_value (*run)(const struct plumb_argument *));
void prove_watch_open(void);

/* What is in registers and words that have no value, in this dialect. */
uint64_t prove_litter(void);

/* ---- prove_merge.c: steps of several accesses (docs/internals/refine/prove.md, "Accesses that wait") ---- */

/* A search begins. */
void prove_merge_clear(void);
/* Was something disturbed? It is an access that ends steps from now on. */
bool prove_merge_has_new(void);
void prove_merge_take(void);

/* A step of a thread begins, with what it is about to do; it is over. */
void prove_merge_begin(unsigned thread);
void prove_merge_end(void);
void prove_merge_forget(void);
/* At the next access that others can notice: is it a part of the same step? */
bool prove_merge_goes_on(unsigned thread);

/* Steps of a state are compared with each other: a state is opened; what was noted is a step of it; the first steps of calls may come later. */
void prove_merge_open(uint32_t image);
void prove_merge_add(void);
void prove_merge_close(uint32_t image, bool has_calls);

/* ---- prove_harness.c: operations ---- */

struct prove_operation {
    const struct plumb_part *part;
    const struct plumb_operation *spec_op;
    unsigned argument_count;
    uint32_t roles; /* that may call it; 0: all */
    int holding;    /* +1: its thread holds something then; -1: and only then may call it */
    uint8_t held;   /* a bit for what */
    int counts;     /* +1: adds an item, -1: removes one; 0: neither, or it is not counted */
};
extern struct prove_operation prove_operations[PROVE_OPERATIONS_MAX] __attribute__((visibility("hidden")));
extern unsigned prove_operation_count __attribute__((visibility("hidden")));

/* With a signature: there is an answer, or none can be asked for. */
_Noreturn void prove_end(enum prove_phase phase);
_Noreturn void prove_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Reads the parts; ends the process when they cannot be used. */
void prove_harness_open(void);
/* The same without a specification, for serial runs. */
void prove_harness_open_serial(void);
/* Set-up of the object and of all threads. Unsure or a fault: the search does not begin. */
enum prove_outcome prove_harness_begin(void);

/* ---- items ---- */

static inline uint32_t prove_item_word(const struct prove_dialect *d, unsigned item)
{
    return d->item_base + (d->is_reversed ? PROVE_ITEMS_MAX + 1 - item : item) * d->item_stride;
}
/* As an argument of 64 bits: both halves, so that code which keeps only one is noticed. */
static inline uint64_t prove_item_twice(uint32_t word)
{
    return word | (uint64_t)word << 32;
}
/* 0: none. */
static inline unsigned prove_item_of(const struct prove_dialect *d, uint32_t word)
{
    uint32_t distance = word - d->item_base;
    if (distance > (PROVE_ITEMS_MAX + 1) * d->item_stride || distance % d->item_stride)
        return 0;
    uint32_t item = distance / d->item_stride;
    if (item == 0 || item > PROVE_ITEMS_MAX)
        return 0;
    return d->is_reversed ? PROVE_ITEMS_MAX + 1 - item : item;
}

#endif
