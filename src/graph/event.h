/* SPDX-License-Identifier: Apache-2.0 */
/* One step of a thread under test: the unit of traces, schedules and graphs. */
#ifndef GRAPH_EVENT_H
#define GRAPH_EVENT_H

#include <stdint.h>

/* name, text in reports, is it a choice point (another thread may go first) */
#define EVENT_KINDS(X)                                           \
    X(NONE, "", 0)                                               \
    X(READ, "R", 1)     /* atomic load */                        \
    X(WRITE, "W", 1)    /* atomic store */                       \
    X(UPDATE, "RMW", 1) /* exchange, fetch_op, successful CAS */ \
    X(CAS_FAILED, "CAS failed", 1)                               \
    X(FENCE, "fence", 1)                                         \
    X(PLAIN_READ, "r", 0)                                        \
    X(PLAIN_WRITE, "w", 0)                                       \
    X(LOCK, "lock", 1)                                           \
    X(TRYLOCK, "trylock", 1) /* value: 1 got it, 0 did not */    \
    X(UNLOCK, "unlock", 1)                                       \
    X(READ_LOCK, "read lock", 1)                                 \
    X(READ_UNLOCK, "read unlock", 1)                             \
    X(COND_WAIT, "wait", 1) /* gives the mutex up and sleeps */  \
    X(COND_WAKE, "woken", 1)                                     \
    X(COND_SIGNAL, "signal", 1)                                  \
    X(COND_BROADCAST, "broadcast", 1)                            \
    X(BARRIER, "barrier", 1)                                     \
    X(SEM_WAIT, "sem wait", 1)                                   \
    X(SEM_POST, "sem post", 1)                                   \
    X(FUTEX_WAIT, "futex wait", 1)                               \
    X(FUTEX_WAKE, "futex wake", 1)                               \
    X(ONCE, "once", 1)                                           \
    X(CREATE, "create", 1) /* value: the new thread */           \
    X(BEGIN, "begin", 0)                                         \
    X(END, "end", 1)                                             \
    X(JOIN, "join", 1)    /* value: the thread waited for */     \
    X(ALLOC, "malloc", 0) /* address, value: bytes */            \
    X(FREE, "free", 0)                                           \
    X(YIELD, "yield", 1)                                         \
    X(TIMEOUT, "timed out", 0)                                   \
    X(SPURIOUS_WAKE, "woken spuriously", 0)                      \
    X(SPURIOUS_FAILURE, "fails spuriously", 0)                   \
    X(REUSE, "malloc reuses", 0)                                 \
    X(FILE, "file access", 1)                                    \
    X(OP_CALL, "call", 1) /* value: operation of the harness */  \
    X(OP_RETURN, "return", 1)

enum event_kind {
#define X(name, text, choice) EVENT_##name,
    EVENT_KINDS(X)
#undef X
        EVENT_KIND_COUNT
};

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
_Bool event_is_choice(enum event_kind kind);

#endif
