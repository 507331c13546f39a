/* SPDX-License-Identifier: Apache-2.0 */
/* One step of a thread under test: the unit of traces, schedules and graphs. */
#ifndef GRAPH_EVENT_H
#define GRAPH_EVENT_H

#include <stdbool.h>
#include <stdint.h>

/* name, text in reports */
#define EVENT_KINDS(X)                                        \
    X(NONE, "")                                               \
    X(READ, "R")     /* atomic load */                        \
    X(WRITE, "W")    /* atomic store */                       \
    X(UPDATE, "RMW") /* exchange, fetch_op, successful CAS */ \
    X(CAS_FAILED, "CAS failed")                               \
    X(FENCE, "fence")                                         \
    X(PLAIN_READ, "r")                                        \
    X(PLAIN_WRITE, "w")                                       \
    X(LOCK, "lock")                                           \
    X(TRYLOCK, "trylock") /* value: 1 got it, 0 did not */    \
    X(UNLOCK, "unlock")                                       \
    X(READ_LOCK, "read lock")                                 \
    X(READ_UNLOCK, "read unlock")                             \
    X(COND_WAIT, "wait") /* gives the mutex up and sleeps */  \
    X(COND_WAKE, "woken")                                     \
    X(COND_SIGNAL, "signal")                                  \
    X(COND_BROADCAST, "broadcast")                            \
    X(BARRIER, "barrier")                                     \
    X(SEM_WAIT, "sem wait")                                   \
    X(SEM_POST, "sem post")                                   \
    X(FUTEX_WAIT, "futex wait")                               \
    X(FUTEX_WAKE, "futex wake")                               \
    X(ONCE, "once")                                           \
    X(CREATE, "create") /* value: the new thread */           \
    X(BEGIN, "begin")                                         \
    X(END, "end")                                             \
    X(JOIN, "join")    /* value: the thread waited for */     \
    X(ALLOC, "malloc") /* address, value: bytes */            \
    X(FREE, "free")                                           \
    X(YIELD, "yield")                                         \
    X(TIMEOUT, "timed out")                                   \
    X(SPURIOUS_WAKE, "woken spuriously")                      \
    X(SPURIOUS_FAILURE, "fails spuriously")                   \
    X(REUSE, "malloc reuses")                                 \
    X(FILE, "file access")                                    \
    X(OP_CALL, "call") /* value: operation of the harness */  \
    X(OP_RETURN, "return")

enum event_kind {
#define X(name, text) EVENT_##name,
    EVENT_KINDS(X)
#undef X
        EVENT_KIND_COUNT
};

/* May it be an ordering point? Atomic accesses, and steps at locks and semaphores, which change, or look for, one value. */
static inline bool event_is_access(unsigned kind)
{
#define KIND_BIT(kind) (UINT64_C(1) << EVENT_##kind)
    const uint64_t accesses = KIND_BIT(READ) | KIND_BIT(WRITE) | KIND_BIT(UPDATE) | KIND_BIT(CAS_FAILED) |
                              KIND_BIT(LOCK) | KIND_BIT(TRYLOCK) | KIND_BIT(UNLOCK) | KIND_BIT(READ_LOCK) |
                              KIND_BIT(READ_UNLOCK) | KIND_BIT(SEM_WAIT) | KIND_BIT(SEM_POST);
#undef KIND_BIT
    return accesses >> kind & 1;
}

/* At a lock, a condition variable, a barrier, a semaphore or a control variable of pthread_once. */
static inline bool event_is_at_object(unsigned kind)
{
    return (kind >= EVENT_LOCK && kind <= EVENT_SEM_POST) || kind == EVENT_ONCE;
}

/* Memory orders as C11 numbers them; plain accesses have ORDER_PLAIN. */
enum memory_order_tag {
    ORDER_RELAXED = 0,
    ORDER_CONSUME = 1,
    ORDER_ACQUIRE = 2,
    ORDER_RELEASE = 3,
    ORDER_ACQ_REL = 4,
    ORDER_SEQ_CST = 5,
    ORDER_PLAIN = 6,
};

struct event {
    uint64_t pc;      /* return address into the program; the source line is that of pc - 1 */
    uint64_t address; /* of the location, the mutex, ... */
    uint64_t before;  /* value found (low 64 bits) */
    uint64_t value;   /* value written, or see the kinds */
    uint16_t thread;
    uint8_t kind;
    uint8_t order; /* of a failed CAS: its failure order */
    uint8_t size;  /* bytes of the access */
    uint8_t flags;
    uint16_t spare;
};

const char *event_kind_text(enum event_kind kind);
const char *event_order_text(unsigned order); /* "rlx", "acq", "rel", "acq_rel", "sc", "" for plain */

#endif
