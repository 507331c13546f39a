/* SPDX-License-Identifier: Apache-2.0 */
/* The memory that the tool shares with a process in which a harness is proved: a question in, an answer out. The program under test
 * may write anything anywhere: the tool copies what it reads and believes nothing of it before it was confirmed. */
#ifndef PROVE_PROVE_SHARED_H
#define PROVE_PROVE_SHARED_H

#include "seal/sign_off.h"
#include "spec/serial/serial_table.h"

#include <stdbool.h>
#include <stdint.h>

/* In the environment of the program: the descriptor of this memory. */
#define PROVE_VARIABLE "PLUMB_PROVE_FD"
#define PROVE_MAGIC 0x3165766f7270ULL

enum {
    PROVE_MOST_THREADS = 4,
    PROVE_OPERATIONS_MAX = 32,
    PROVE_BUFFER_MAX = 6, /* stores of a thread that others do not see yet */
    PROVE_NAME = 64,
    PROVE_PATH = 512,
    PROVE_MESSAGE = 400,
    PROVE_EVENTS_MAX = 1 << 16,
    PROVE_PLACES_MAX = 1 << 13,
    PROVE_FRAME_PARTS = 128, /* as FOLD_PARTS: of a frame, from its top down, */
    PROVE_FRAME_PART = 4,    /* bytes each */
    PROVE_FRAME_SAVED = 6,   /* registers that calls preserve */
    PROVE_FRAME_KEPT = 1,
    PROVE_ALLOCATIONS_MAX = 1 << 10, /* that have names */
    PROVE_NEW_BLOCK = -1,
    PROVE_DRAIN = -2, /* no step of the thread: the first store of its buffer reaches memory */
    PROVE_WAKES = -3, /* a signal that wakes the thread prove_event.woken */
    PROVE_ANY_DISTANCE = 1 << 20,
    PROVE_WORDS_MAX = 1 << 17, /* of the program's variables */
    PROVE_COUNTERS_MAX = 64,
    PROVE_CONSTANTS_MAX = 96,
    PROVE_TAKEN_MAX = 4,
    PROVE_WRITERS = 0x0f, /* of prove_shared.uses: a bit for each thread */
    PROVE_READERS = 0xf0,
    PROVE_LIVENESS_DROPPED = 2, /* prove_question.no_liveness: by the search, because twins differed */
};
_Static_assert(PROVE_MOST_THREADS <= 4, "as many as there are bits");

/* What matters of a frame whose function has called a hook, or another function, that returns to `pc` (from the start of the program):
 * target/code/liveness.h, which see for the members. */
struct prove_place {
    uint64_t pc;
    uint32_t depth;
    uint32_t registers;
    uint64_t parts[PROVE_FRAME_PARTS / 64];
    int32_t saved[PROVE_FRAME_SAVED];
    bool reads_above;
};

/* A variable, or a part of one, from the start of the program. */
struct prove_word {
    uint64_t address;
    uint32_t size; /* 4 or 8; that is forgotten: up to 8 */
};

enum prove_mode { PROVE_SEARCH, PROVE_REPLAY, PROVE_SERIAL };

struct prove_question {
    uint32_t mode;            /* enum prove_mode */
    uint32_t threads, inside; /* inside: 0 becomes what is usual */
    uint32_t free_values;     /* 0: every addition has an item of its own */
    uint32_t capacity, full;
    /* PROVE_ANY_DISTANCE, or how far from threads blocks are kept; 0: found out */
    uint32_t distance;
    bool tso; /* or sc */
    uint32_t no_twins, no_symmetry, no_liveness, no_merging, plain;
    bool debugger; /* REPLAY: one watches; nothing may depend on time */
    struct prove_word shifts[PROVE_COUNTERS_MAX], forgets[PROVE_COUNTERS_MAX];
    uint32_t shift_count, forget_count;
    /* Counters may be shifted by multiples of this; 0: found out. Copies older than `stale` are the same; 0: none are */
    uint32_t shift_by, stale;
    /* Numbers in the program's code, with which counters and items may be compared */
    uint64_t constants[PROVE_CONSTANTS_MAX];
    uint32_t constant_count;
    uint64_t memory_limit, most_pairs;
    double seconds; /* 0: no limit */
    /* The same, as base_now() of every process will have it; set when one starts */
    double deadline;
    /* "": that of the harness, or of the library, unless the harness names another one */
    char spec[PROVE_NAME];
    char library[PROVE_PATH]; /* of a specification in C (spec/spec_user.h); "": none */
    char quasi[PROVE_NAME];   /* "": none */
};

enum prove_event_kind { PROVE_CALL_EVENT, PROVE_STEP_EVENT, PROVE_RETURN_EVENT, PROVE_FAULT_EVENT };

/* A step of the counterexample, in the names of the run: threads from 0, items from 1. */
struct prove_event {
    uint8_t kind, thread, op;
    uint8_t woken;  /* STEP: the thread that a signal wakes */
    bool is_item;   /* RETURN: the answer is an item */
    int64_t number; /* RETURN: the answer */
    int64_t value;  /* the same as a value (plumb/value.h), of small numbers, truth values, nothing and ok */
    int64_t numbers[3]; /* CALL: arguments */
    /* STEP: the block that malloc returns again, by the order of allocation; or PROVE_NEW_BLOCK, PROVE_DRAIN, PROVE_WAKES */
    int32_t reuse;
    uint64_t pc; /* of what was done, from the start of the program; 0: none */
    uint64_t address;
    uint16_t hook;
};

/* A block of a run, for its name. */
struct prove_allocation {
    uint64_t address, size;
    uint64_t pc; /* of the call, from the start of the program */
};

enum prove_phase { PROVE_STARTING, PROVE_REFUSED, PROVE_RUNNING, PROVE_DONE };
enum prove_answer { PROVE_NO_ANSWER, PROVE_HOLDS, PROVE_VIOLATED, PROVE_INCONCLUSIVE };
enum prove_reason {
    PROVE_NO_EXPLANATION, /* the history is not linearizable */
    PROVE_A_FAULT,        /* the program itself is wrong: `message` */
    PROVE_BAD_ANSWER,     /* the last answer is none of its operation */
    PROVE_STUCK,          /* the operation of the last event never returns, although it may: `message` */
};

struct prove_shared {
    uint64_t magic;
    struct sign_off sign_off; /* of prove_signed_parts */
    struct prove_question question;
    volatile uint32_t stop; /* by the tool: time is up, or interrupted */

    volatile uint32_t phase;
    char message[PROVE_MESSAGE]; /* REFUSED, INCONCLUSIVE, a fault: why */
    char file[256];              /* REFUSED: where in the harness; "": nowhere */
    uint32_t line;
    /* What was asked, as the harness completes it. */
    char spec[PROVE_NAME];
    char operations[PROVE_OPERATIONS_MAX][PROVE_NAME];
    uint32_t operation_count;
    uint32_t free_values;
    bool takes_arguments;
    bool has_invariants; /* which are not examined */
    uint32_t distance;   /* that was in force at the end */
    uint32_t shift_by;   /* the same */
    bool asked_time;     /* clocks stood still */
    /* Runs with other items and addresses; numbers that are treated otherwise, and whether negative ones are; are items compared with each other? */
    uint32_t other_runs, taken_count;
    int64_t taken[PROVE_TAKEN_MAX];
    bool wants_positive, compares_items;
    uint32_t capacity; /* of the specification; 0: none */
    bool counts_items; /* `inside` bounds the search */
    bool has_cut;      /* and was met */
    /* An operation that may take items out, but does not count as a removal; "": none. Then less than it says is allowed by `inside` */
    char uncounted[PROVE_NAME];

    volatile uint64_t pairs, frontier; /* progress */
    uint64_t states, images, transitions, twins, attempts, peak_bytes;
    double seconds;
    /* INCONCLUSIVE: a word of the program's variables that seems to grow without end; 0: none */
    uint64_t growing;
    uint32_t growing_values; /* so far */
    uint32_t answer, reason; /* enum prove_answer, enum prove_reason */
    bool full_was_free;
    bool buffers_were_full; /* tso: a store had to wait for room */
    uint32_t event_count;
    struct prove_event events[PROVE_EVENTS_MAX];

    uint32_t allocation_count;
    struct prove_allocation allocations[PROVE_ALLOCATIONS_MAX];

    /* PROVE_REFUSED: the harness names no specification, and there is no table yet */
    bool wants_table;
    /* From serial runs, of this program or another one; then it is the specification */
    struct serial_table table;

    /* Of each word of the program's variables: which threads use it after the set-up (prove_program.uses). */
    uint8_t uses[PROVE_WORDS_MAX];

    /* What matters at hooks and at calls, by pc. */
    uint32_t place_count, call_count;
    struct prove_place places[PROVE_PLACES_MAX], calls[PROVE_PLACES_MAX];
};

enum { PROVE_SIGNED_PARTS = 2 };

/* What the process signs when it has an answer: `answer` is what it found out, or, for the tool, what it has left. */
static inline void prove_signed_parts(const struct prove_shared *s, const uint32_t *answer,
                                      struct sign_off_part parts[PROVE_SIGNED_PARTS])
{
    const char *from = (const char *)&s->phase;
    parts[0] = (struct sign_off_part){from, (size_t)((const char *)(s + 1) - from)};
    parts[1] = (struct sign_off_part){answer, sizeof *answer};
}

#endif
