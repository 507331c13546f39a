/* SPDX-License-Identifier: Apache-2.0 */
/* What a step does to the value at its location, as a function of the value it finds: so that an execution
 * graph can be completed and its alternatives tried without running the program. Synchronization objects
 * are such values, too: a mutex is 0 or its owner, a semaphore its count, a sleeping place (condition
 * variable, futex) the threads that sleep there (upper half of the word) and those that were woken (lower). A
 * set of small numbers is a word of bits. */
#ifndef GRAPH_OPERATION_H
#define GRAPH_OPERATION_H

#include <stdbool.h>
#include <stdint.h>

typedef unsigned __int128 event_word; /* the widest atomic access */

/* name, reads, may write */
#define OPERATIONS(X)                                                                               \
    X(NONE, 0, 0) /* no location: fence, create, begin, end, join, marks */                         \
    X(LOAD, 1, 0)                                                                                   \
    X(STORE, 0, 1)                                                                                  \
    X(EXCHANGE, 1, 1)                                                                               \
    X(ADD, 1, 1)                                                                                    \
    X(SUB, 1, 1)                                                                                    \
    X(AND, 1, 1)                                                                                    \
    X(OR, 1, 1)                                                                                     \
    X(XOR, 1, 1)                                                                                    \
    X(NAND, 1, 1)                                                                                   \
    X(NEGATE, 1, 1)       /* the operand minus what it finds */                                     \
    X(CAS, 1, 1)          /* writes the operand when it finds `expected` */                         \
    X(LOCK, 1, 1)         /* waits for 0, writes the operand */                                     \
    X(TRYLOCK, 1, 1)      /* writes the operand when it finds 0 */                                  \
    X(LOCK_EXPIRES, 1, 0) /* finds something else than 0 */                                         \
    X(UNLOCK, 0, 1)       /* writes 0 */                                                            \
    X(SHARE, 1, 1)        /* waits until not exclusive, adds 1 */                                   \
    X(TRY_SHARE, 1, 1)                                                                              \
    X(SHARE_EXPIRES, 1, 0)                                                                          \
    X(TAKE, 1, 1) /* waits until positive, takes 1 away */                                          \
    X(TRY_TAKE, 1, 1)                                                                               \
    X(TAKE_EXPIRES, 1, 0)                                                                           \
    X(AWAIT_REACHED, 1, 0) /* waits until at least the operand */                                   \
    X(ENTER_ONCE, 1, 1)    /* 0 becomes 1; waits while 1; anything else stays */                    \
    X(SLEEP, 1, 1)         /* thread number `operand` sleeps here now */                            \
    X(WAKE_ONE, 1,                                                                                  \
      1) /* wakes thread `expected`, which the explorer picks among the sleepers; none: no write */ \
    X(WAKE_ALL, 1, 1) /* no write when none sleeps */                                               \
    X(WOKEN, 1, 0)    /* waits until thread `operand` is woken */                                   \
    X(LEAVE, 1, 1)    /* finds thread `operand` asleep, it leaves unwoken */                        \
    X(OFFER, 1, 1)    /* puts number `operand` into a set */                                        \
    X(PICK, 1, 1)     /* waits until the set has some, takes `expected`, which the explorer picks */

enum operation {
#define X(name, reads, writes) OPERATION_##name,
    OPERATIONS(X)
#undef X
        OPERATION_COUNT
};

#define OPERATION_EXCLUSIVE (UINT64_C(1) << 63) /* of a reader-writer lock's value: a writer has it */
enum { OPERATION_SLEEPERS_MAX = 32, OPERATION_SET_MAX = 128, OPERATION_NO_PICK = 0xffffffff };

struct operation_effect {
    bool possible; /* false: the step waits (or, if it must not wait, does not exist) */
    bool writes;
    event_word value; /* found afterwards */
};

struct operation_effect operation_apply(enum operation o, unsigned size, event_word operand,
                                        event_word expected, event_word found);

bool operation_reads(enum operation o);
bool operation_may_write(enum operation o);
bool operation_may_wait(enum operation o); /* for some values it is not possible */

/* A load, or an update that always writes: only what it returns depends on what it finds. */
static inline bool operation_takes_any(enum operation o)
{
    return o == OPERATION_LOAD || (o >= OPERATION_EXCHANGE && o <= OPERATION_NEGATE);
}

/* Operations for which the explorer picks one of several: WAKE_ONE a sleeper, PICK a number. */
static inline bool operation_picks(enum operation o)
{
    return o == OPERATION_WAKE_ONE || o == OPERATION_PICK;
}
/* The first that it may pick, not below `from`; OPERATION_NO_PICK: none. */
uint32_t operation_first_pick(enum operation o, event_word found, uint32_t from);

#endif
