/* SPDX-License-Identifier: Apache-2.0 */
/* The memory that the tool shares with a harness that runs on real threads (docs/internals/native/stress.md).
 *
 * The program lists what its harness has, and waits. The tool answers with a plan, and then names one round after the other. A
 * round consists of segments: in a segment each thread makes a number of calls, and records them in memory of its own; between
 * two segments no call is open. There are two banks of records, so that the tool reads one segment while the next one runs.
 *
 * The plan may change between two rounds. Before it increments `go` the tool sets `finished`, `consumed`, `stop`, `abandoned`,
 * `invariant_bad` and the counts of all slots to 0. The calls of the main thread (`finals`) are further segments after the last
 * one of the threads, in which only slot 0 has records. The process ends with the thread of the tool that started it.
 *
 * The program under test may write anything anywhere: the tool copies what it reads and believes nothing of it. */
#ifndef NATIVE_STRESS_SHARED_H
#define NATIVE_STRESS_SHARED_H

#include "seal/sign_off.h"

#include <plumb/value.h>

#include <stdatomic.h>

/* In the environment of the program: the descriptor of this memory. */
#define STRESS_VARIABLE "PLUMB_STRESS_FD"
#define STRESS_MAGIC 0x31737372747362ULL

enum {
    STRESS_THREADS_MAX = 256, /* beside the main thread, which is number 0 */
    STRESS_SLOTS = STRESS_THREADS_MAX + 1,
    STRESS_OPERATIONS_MAX = 64,
    STRESS_ARGUMENTS = 3,
    STRESS_CHOICES_MAX = 1024, /* of all PLUMB_TRY together */
    STRESS_FINALS_MAX = 128,
    STRESS_BANKS = 2,
    STRESS_LIST_BYTES = 1 << 16,
    STRESS_TEXT_BYTES = 1 << 14,
    STRESS_MESSAGE = 512,
    STRESS_NOTHING = 0xffff, /* no operation */
    /* `capacity` has to be larger than `calls` by that: what follows a call, and long ones. A segment ends early otherwise. */
    STRESS_SPARE = 64,
    STRESS_NO_SLOT = STRESS_SLOTS, /* a thread that the user's program started */
};

/* One call. Values of up to 61 bits and pairs are in the word; of wide integers, strings and arrays the word has the tag and,
 * above it, where they are in the area of the thread's bank: a wide integer is 8 bytes, a string its length (8 bytes) and its bytes,
 * an array its length (8 bytes) and the words of its items, which are values of the same kind. What did not fit is PLUMB_ANY. */
struct stress_record {
    uint64_t call;      /* stamp */
    uint32_t duration;  /* until the return; or one of the two below */
    uint16_t operation; /* in the order of the list */
    uint16_t unused;
    plumb_value argument, result;
};
#define STRESS_OPEN UINT32_MAX /* has not returned */
#define STRESS_LONG \
    (UINT32_MAX - 1) /* the stamp of the return is `call` of the next record, which is no call */

/* What the program is doing. */
enum stress_phase {
    STRESS_STARTING, /* main has not been reached */
    STRESS_LISTED,   /* `list` is complete; waits for the plan and for rounds */
    STRESS_REFUSED,  /* the harness cannot be run; `message` says why */
    STRESS_SETUP,
    STRESS_RUNNING,
    STRESS_FINAL, /* calls of the main thread when the others have ended */
    STRESS_INVARIANT,
    STRESS_TEARDOWN,
    STRESS_WAITING, /* between rounds */
};

/* Where arguments of a call come from. */
enum stress_argument {
    STRESS_FRESH = 'v',    /* a value that no other call of the round has */
    STRESS_PRIORITY = 'p', /* the same, in no particular order */
    STRESS_KEY = 'k',      /* 1 .. keys */
    STRESS_INDEX = 'i',    /* 0 .. keys - 1 */
    STRESS_MIXED = 'x',    /* one or the other */
    STRESS_SEEN = 'o',     /* a value that this thread saw lately */
    STRESS_BOOL = 'b',
    STRESS_CHOICE = 't', /* of the choices of the operation */
};

struct stress_choice {
    int64_t number;
    uint32_t text; /* where it is in `texts`; UINT32_MAX: none */
    uint32_t unused;
};

/* What is done with one operation. */
struct stress_operation_plan {
    char arguments[STRESS_ARGUMENTS + 1]; /* enum stress_argument of each */
    /* The thread calls this one next, when the answer was neither false nor null; STRESS_NOTHING: any */
    uint16_t followed_by;
    uint16_t unused;
    /* First of `choices`; how many calls they make, one number for each argument */
    uint32_t choices, choice_count;
};

/* The main thread calls it after the threads have ended. */
struct stress_final {
    uint16_t operation;
    uint16_t per_key;    /* 1: once with each key */
    uint32_t until_null; /* that many times, or until it answers null or false; 0: once */
};

struct stress_plan {
    uint32_t stamps; /* enum stamps of record/stamps.h */
    uint32_t keys;
    uint32_t noise; /* percent of atomic accesses with a delay */
    uint32_t final_count;
    struct stress_operation_plan operations[STRESS_OPERATIONS_MAX];
    /* How often each thread calls what, compared with others; thread 0 calls only finals */
    uint16_t weights[STRESS_SLOTS][STRESS_OPERATIONS_MAX];
    struct stress_final finals[STRESS_FINALS_MAX];
    struct stress_choice choices[STRESS_CHOICES_MAX];
    char texts[STRESS_TEXT_BYTES];
};

struct stress_round {
    uint64_t number, seed;
    uint64_t segments; /* 0: until it is asked to stop */
    uint32_t threads;
    uint32_t calls;  /* of each thread in each segment; beyond that only what follows a call */
    uint32_t pinned; /* 1: thread i on processor i */
    /* 1: threads are interrupted from the beginning; 0: in long rounds, later */
    uint32_t disturbed;
    /* 1: in a process of its own, in which everything is as it was when main was reached */
    uint32_t fresh;
    uint32_t unused;
};

/* Of one thread. On cache lines of its own. */
struct stress_slot {
    _Atomic uint32_t tid;
    _Atomic uint32_t busy;            /* 1: in a round */
    _Atomic uint64_t returned;        /* calls of this round that have returned */
    uint32_t counts[STRESS_BANKS];    /* records in each bank, the open one included */
    uint64_t area_used[STRESS_BANKS]; /* bytes */
    _Atomic uint32_t is_full;         /* the area is: the segment was ended early */
    char unused[128 - 48];
};

/* What the program says of a round that has ended, apart from its records, and signs. */
struct stress_account {
    uint64_t number, seed; /* of the round */
    uint64_t calls;        /* that have returned, of all threads */
    uint32_t rounds;       /* of `go` */
    uint32_t segments;
    uint32_t abandoned, invariant_bad;
};

/* A signal that ended it. */
struct stress_crash {
    _Atomic uint32_t signal; /* 0: none. The process waits then, to be looked at, until it is killed */
    uint32_t slot;           /* or STRESS_NO_SLOT */
    int32_t tid, code;
    uint64_t address;
};

struct stress_shared {
    uint64_t magic;
    uint64_t size;

    /* What the program lists, a line each, with tabs between: what (enum plumb_part_kind as a number), object, name, text,
     * types, file, line. */
    char list[STRESS_LIST_BYTES];
    char message[STRESS_MESSAGE];
    struct stress_plan plan;
    struct stress_round round;

    /* Futexes of the tool. */
    _Atomic uint32_t go;       /* number of rounds that were named so far */
    _Atomic uint32_t consumed; /* segments of this round that were read */
    _Atomic uint32_t stop;     /* 1: end the round with this segment, which may be cut short */

    /* Futexes of the program. */
    _Atomic uint32_t phase;    /* enum stress_phase */
    _Atomic uint32_t finished; /* segments of this round that are complete */
    _Atomic uint32_t ended;    /* rounds */
    /* What the tool waits for. Changes with `finished`, `ended`, a crash, an abandoned round, STRESS_LISTED and STRESS_REFUSED;
     * other phases come and go without it. */
    _Atomic uint32_t beats;

    _Atomic uint32_t abandoned;     /* plumb_assume was false: this round does not count */
    _Atomic uint32_t invariant_bad; /* PLUMB_INVARIANT was false in this round */
    struct stress_account account;  /* of the last round that has ended */
    struct sign_off sign_off; /* of `account`; before the first round of the list, with its terminator */
    struct stress_crash crash;

    /* The records of slot s in bank b are `capacity` ones at records + (s * STRESS_BANKS + b) * capacity * 32, and the area at
     * areas + (s * STRESS_BANKS + b) * area_size. */
    uint32_t slots; /* threads of the largest round, and the main thread */
    uint32_t capacity;
    uint64_t area_size;
    uint64_t records, areas;
    _Alignas(128) struct stress_slot slot[STRESS_SLOTS];
};

_Static_assert(sizeof(struct stress_record) == 32, "an operation is 32 bytes");

#endif
