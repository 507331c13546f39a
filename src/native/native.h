/* SPDX-License-Identifier: Apache-2.0 */
/* A harness (plumb.h) on real threads: what runs inside of the program under test, under the direction of the tool
 * (native/stress_shared.h). Nothing here allocates, makes a system call or writes to memory of another thread in a segment. */
#ifndef NATIVE_NATIVE_H
#define NATIVE_NATIVE_H

#include "native/native_generator.h"
#include "native/stress_shared.h"
#include "record/stamps.h"

/* What the harness calls is all that is visible outside of the library. */
#pragma GCC visibility push(default)
#include <plumb.h>
#pragma GCC visibility pop

#include <sched.h>
#include <setjmp.h>

#define NATIVE_LINE 128 /* two cache lines: neighbours are fetched together */

enum {
    NATIVE_PARTS_MAX = 1024,
    NATIVE_SEEN = 4,
    NATIVE_TEXT = 24,         /* a number as text */
    NATIVE_FOLLOWERS = 16,    /* one behind the other */
    NATIVE_KNOWN_TEXTS = 512, /* numbers whose texts are there from the start */
    NATIVE_TEXTS_BYTES = 1 << 25,
};

/* An operation with what the plan says about it. */
struct native_operation {
    plumb_value (*run)(const struct plumb_argument *);
    uint32_t count; /* of arguments */
    char types[STRESS_ARGUMENTS + 1];
    char sources[STRESS_ARGUMENTS + 1];
    int64_t least[STRESS_ARGUMENTS], most[STRESS_ARGUMENTS]; /* numbers of the type */
    const struct stress_choice *choices;
    uint32_t choice_count;
    uint32_t followed_by;
};

struct native_thread {
    uint32_t number; /* of its slot; 0: the main thread */
    struct stress_slot *slot;
    struct native_generator calls, others; /* what is called; all other chances */
    uint64_t fresh;                        /* values so far */
    uint64_t last;                         /* stamp */
    uint64_t returned;                     /* calls of this round */
    int64_t seen[NATIVE_SEEN];
    uint32_t seen_count;

    /* The bank of this segment. */
    uint32_t bank, count, limit;
    struct stress_record *records;
    char *area;
    uint64_t area_used, area_limit;

    /* Texts of arguments, which the object may keep until the round has ended. */
    char *texts;
    uint64_t texts_used;

    struct native_alias alias;
    jmp_buf leave; /* for plumb_assume; valid while `can_leave` */
    bool can_leave;
    uint32_t processor; /* it is bound to, from 1; 0: any */
    char *signal_stack;
    _Alignas(NATIVE_LINE) _Atomic uint32_t wake; /* futex: rounds it was woken for */
};

/* Threads that begin a segment together, one on each processor. */
struct native_group {
    _Alignas(NATIVE_LINE) _Atomic uint32_t awake, ready;
};

struct native {
    struct stress_shared *shared;
    const struct plumb_part *parts[NATIVE_PARTS_MAX];
    uint32_t part_count;
    struct native_operation operations[STRESS_OPERATIONS_MAX];
    uint32_t operation_count;
    struct native_thread *threads; /* one for each slot */
    struct stress_round round;
    /* Bytes of the area that arguments of one call and its followers may take */
    uint32_t reserve;
    bool has_texts;
    cpu_set_t allowed;
    uint32_t processors;

    /* Written between segments only, but for `over`, which is written once in a segment, at most. */
    _Alignas(NATIVE_LINE) _Atomic uint32_t over; /* the segment has to end */
    _Atomic uint32_t out_of_texts;               /* the round has to end with the segment */
    _Atomic uint32_t going;                      /* 0: the round ends */
    /* The same as in the shared memory, where others may write over them. */
    _Atomic uint32_t abandoned, invariant_bad;
    _Alignas(NATIVE_LINE) _Atomic uint32_t arrived;
    _Alignas(NATIVE_LINE) _Atomic uint32_t gate;     /* futex */
    _Alignas(NATIVE_LINE) _Atomic uint32_t sleepers; /* before the gate */
    _Alignas(NATIVE_LINE) _Atomic uint32_t left;     /* futex: threads that have ended the round */
    struct native_group groups[STRESS_THREADS_MAX];
};

extern struct native native __attribute__((visibility("hidden")));
/* Null in threads of the user. */
extern _Thread_local struct native_thread *native_self __attribute__((visibility("hidden")));

/* ---- native_parts.c ---- */

/* Writes the list. False: the harness cannot be run, and `message` says why. */
bool native_list_parts(void);
/* Those that begin something in order, those that end it in reverse. */
void native_run_parts(enum plumb_part_kind kind);
bool native_check_invariants(void);

/* ---- native_plan.c ---- */

/* Before each round. */
void native_read_plan(void);
void native_begin_thread(struct native_thread *t);

/* ---- native_arguments.c ---- */

/* Draws arguments of a call; returns them as the record has them. */
plumb_value native_draw_arguments(struct native_thread *t, const struct native_operation *o,
                                  struct plumb_argument *arguments);
/* The same, with one of the keys or choices: number `key`, from 0. */
plumb_value native_key_arguments(struct native_thread *t, const struct native_operation *o, uint32_t key,
                                 struct plumb_argument *arguments);
void native_make_known_texts(void);

/* ---- native_calls.c ---- */

/* The bank of segment `number`, empty. */
void native_take_bank(struct native_thread *t, uint32_t number);
void native_run_segment(struct native_thread *t);
/* Calls of the main thread, in as many segments as they need. */
void native_run_finals(struct native_thread *t);

/* ---- native_threads.c ---- */

/* False: `message` says what there is not enough of. */
bool native_make_threads(void);
void native_run_threads(void);
/* The segment is complete. */
void native_finish_segment(void);
/* Waits until the bank of segment `number` may be written. */
void native_await_bank(uint32_t number);

/* ---- native_disturb.c ---- */

/* Waits until all have ended the round, and interrupts them meanwhile. */
void native_await_threads(void);

/* ---- native_guard.c ---- */

/* False: plumb_assume was false inside. */
bool native_guard(struct native_thread *t, void (*run)(struct native_thread *));

/* ---- native_signals.c ---- */

void native_catch_signals(void);
/* For the thread that calls it. */
void native_make_signal_stack(struct native_thread *t);

/* ---- native_wait.c ---- */

/* Shared futexes are those of the shared memory. */
void native_futex_wait(_Atomic uint32_t *word, uint32_t value, bool shared);
void native_futex_wake(_Atomic uint32_t *word, bool shared);
int64_t native_microseconds(void); /* monotonic */
/* Changes what the tool waits for. */
void native_beat(void);
void native_enter(enum stress_phase phase);
/* Waits a little, then lets others run, then sleeps, until *word is not `value`. Counts itself in `sleepers` when it sleeps. */
void native_await_change(_Atomic uint32_t *word, uint32_t value, uint32_t threads);
/* The same for *word below `value`, without sleep, and not forever: lets others run meanwhile, or not. */
void native_await_soon(_Atomic uint32_t *word, uint32_t value, bool yields);
/* ThreadSanitizer, if the program has it, does not see the atomic accesses of this library: what was done before native_publish happens
 * before what follows a native_observe of the same address. */
void native_publish(void *address);
void native_observe(void *address);
static inline void native_pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#endif
}

#endif
