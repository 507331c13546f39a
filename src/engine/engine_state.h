/* SPDX-License-Identifier: Apache-2.0 */
/* The engine's state, for the files it is written in. Sets of threads are words with a bit for each. */
#ifndef ENGINE_ENGINE_STATE_H
#define ENGINE_ENGINE_STATE_H

#include "engine/engine.h"
#include "engine/fiber/fiber.h"
#include "engine/loop/fold.h"
#include "engine/loop/live.h"
#include "engine/loop/spin.h"
#include "engine/loop/undo.h"
#include "engine/shared/protocol.h"

enum { THREADS_MAX = CLOCKS_THREADS_MAX };

/* Where something spurious has just happened to a thread: not again before the next occasion has passed. */
enum { SPURIOUS_PLACES = 16 };
struct spurious {
    uint32_t count;
    struct {
        uint64_t object, pc;
    } places[SPURIOUS_PLACES];
};

struct thread {
    struct spin spin;
    struct spurious spurious;
    struct fold_watch fold;
    struct undo undo;
    struct live live;
    /* where its last plain read was, if it was part of an update that makes no other use of it */
    uint64_t updated;
    struct fiber fiber;
    bool has_fiber;
    bool limited; /* it gives up when no other thread can go on */
    bool spins;
    bool wants_more_stack; /* than a fiber has */
    bool (*ready)(void *);
    void *ready_object;
    uint64_t pc;           /* of the step it is about to take */
    uint64_t found;        /* hash of what its plain reads found since its last step, 0: nothing */
    uint64_t read_address; /* of its last plain read */
    /* Plain accesses since its last step, a write counts for more; graphs only */
    uint64_t touched;
    uint64_t object_value; /* of the object of its next step, as the runtime sees it */
    void *(*entry)(void *);
    void *argument, *result;
    uint64_t program_sp;           /* its stack pointer where it was suspended, or a lower one: frames.h */
    uint64_t left_from, left_size; /* where the frame of main was, once it has returned */
    /* The stack pointer at its last call through a stub of imports.c: it points to the return address */
    uint64_t stub_sp;
    uint64_t stub_frame, stub_caller; /* of the same call: struct spin_watch */
    /* Above all variables whose block was left: memory/scopes.c; 0: there is none */
    uint64_t ended_top;
    uint64_t ended_bottom; /* and the lowest address of one */
    uint32_t creator;
    uint32_t within;   /* so many things that happen as a whole (engine_begin_whole) */
    uint64_t claimed;  /* hash of the threads that it has joined or detached, 0: none */
    uint32_t marked;   /* engine_position after its last mark (engine_note_mark); 0: none */
    bool has_visitors; /* other threads have accessed its stack */
    bool is_visited;   /* in some execution, as far as is known */
};

struct engine {
    struct thread *running; /* that of `current` */
    uint32_t current, count;
    uint64_t alive;
    uint64_t waiting;       /* can go on only while ready() */
    uint64_t joining;       /* wait for the end of another thread */
    uint64_t failed;        /* stopped by an error: they wait forever */
    uint32_t errors;        /* of this execution, so far */
    uint32_t section_owner; /* thread + 1; 0: no thread is in an atomic section */
    uint64_t section_lock;  /* of this execution; 0: it has no sections */
    bool refuted;           /* an assumption of the program failed in this execution */
    uint32_t steps_left;
    uint32_t answered_thread; /* see struct port_answer */
    uint64_t answered_value;
    bool answered_failure;
    const void *freeing_at; /* where free was called last: to the clocks it is a write */
    union {
        struct {
            bool keeps_plain;    /* accesses are part of the trace */
            bool switches_plain; /* and points at which another thread may go on, in a schedule */
        };
        uint32_t plain_is_special; /* any of these */
    };
    /* A plain read, too, has to find something written in the heap; else it is noted */
    bool refuses_unwritten;
    bool all_seq_cst; /* whatever orders the program asks for */
    bool is_shown;    /* a replay: each event is shown */
    struct worker_shared *shared;
    struct explorer *explorer;
    struct clocks *clocks;
    struct port_action next[THREADS_MAX];
    struct thread threads[THREADS_MAX];

    struct worker_stack *wanted_stack; /* a thread switched to fills this in and switches back to `asker` */
    uint32_t asker;
    struct fiber controller;
    enum port_outcome outcome;
    void (*body)(void *);
    void *body_argument;
};

extern struct engine engine ENGINE_HIDDEN;

static inline uint64_t thread_bit(uint32_t thread)
{
    return UINT64_C(1) << thread;
}

/* In a schedule the running thread, which has made marks, is in a loop that only waits. */
void engine_check_spin_for_marks(void);

/* Runs another thread until it is switched back to. */
void engine_switch(uint32_t chosen);

_Noreturn void engine_end(enum port_outcome outcome);

/* The running thread goes no further, the others do. `flags`: enum port_flag. */
_Noreturn void engine_halt_thread(unsigned flags);

void failure_begin(void); /* of an execution */

/* No thread can go on. */
_Noreturn void failure_report_deadlock(void);
/* No thread can go on, and some were stopped by an error: returns unless others wait for each other. */
void failure_report_cycle(void);
/* Returns when it is not one of the program, or the program goes on all the same. */
void failure_report_race(const struct race *r);
/* The access at that place is volatile, and a race says so. */
void failure_note_volatile(uint64_t pc);
/* An access races with *r, and perhaps with others. */
void failure_report_races(struct race *r);
/* The end of an execution, or of the thread, with that error. */
_Noreturn void failure_end(enum worker_error_kind kind, uint64_t address);
/* Fills in shared->error. */
void failure_describe(enum worker_error_kind kind, uint64_t address, const void *pc, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The call stack of the current thread, without the runtime's own frames. */

/* Return addresses, innermost first, starting with `pc` when it is not null. */
void call_stack_capture(struct worker_stack *stack, const void *pc);

#endif
