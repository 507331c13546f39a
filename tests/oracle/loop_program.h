/* SPDX-License-Identifier: Apache-2.0 */
/* Small random programs with loops: threads of instructions over registers, private memory, shared locations and mutexes. What one
 * thread does by itself is here; who goes when, and what is found, is up to the two that run them: the explorer of graphs
 * (tests/campaigns/loop_programs.c) and a search through all states (loop_search.c). */
#ifndef TESTS_LOOP_PROGRAM_H
#define TESTS_LOOP_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LOOP_THREADS = 3,
    LOOP_CODE = 40,
    LOOP_REGISTERS = 6, /* the first two are results, the others are of no use in the end */
    LOOP_RESULTS = 2,
    LOOP_PRIVATE = 2,
    LOOP_LOCATIONS = 7,
    LOOP_MUTEX = 4,   /* two of them */
    LOOP_COUNTER = 6, /* what it holds in the end does not matter; it counts modulo 4 */
};

enum loop_operation {
    LOOP_LOAD,     /* target = location */
    LOOP_STORE,    /* location = a */
    LOOP_EXCHANGE, /* target = location, which becomes a */
    LOOP_ADD,      /* the same, a more */
    LOOP_CAS,      /* target = whether location was a and is b now */
    LOOP_LOCK,
    LOOP_TRY, /* target = whether it was free */
    LOOP_UNLOCK,
    LOOP_FENCE,
    /* From here on: steps that others do not see */
    LOOP_SET,    /* target = a + b */
    LOOP_MASK,   /* target = a & b */
    LOOP_EQUAL,  /* target = a == b */
    LOOP_PUT,    /* private memory number `location` = a */
    LOOP_GET,    /* target = that */
    LOOP_IF_NOT, /* if a == 0, goes to `to` */
    LOOP_IF,
    LOOP_GO,
    LOOP_ASSERT, /* a != 0 */
};

struct loop_operand {
    bool in_register;
    int8_t value;
};

struct loop_instruction {
    uint8_t operation, target, location, order, to;
    bool
        patient; /* a load, in a loop that gives up: if it comes right after itself, it may find what it found */
    struct loop_operand a, b;
};

struct loop_code {
    uint32_t count;
    struct loop_instruction code[LOOP_CODE];
    uint8_t live[LOOP_CODE + 1]; /* bits of registers whose values may still be used, at each instruction */
};

#define LOOP_KINDS(X)                \
    X(CACHE, "cache")                \
    X(COUNTER, "counter")            \
    X(BACK_OFF, "back-off")          \
    X(CAS, "CAS")                    \
    X(UNDER_LOCK, "wait under lock") \
    X(TOGGLE, "toggles")             \
    X(OBSERVED, "observed toggles")  \
    X(KNOWN, "known toggles")        \
    X(STATISTICS, "statistics")      \
    X(PATIENCE, "patience")          \
    X(MIXED, "mixed")

enum loop_kind {
#define X(name, text) LOOP_KIND_##name,
    LOOP_KINDS(X)
#undef X
        LOOP_KIND_COUNT
};
extern const char *const loop_kind_names[LOOP_KIND_COUNT];

struct loop_program {
    uint32_t thread_count;
    struct loop_code threads[LOOP_THREADS];
};

/* What a thread has by itself. */
struct loop_thread {
    uint8_t at;
    bool failed;
    int8_t registers[LOOP_REGISTERS];
    int8_t private[LOOP_PRIVATE];
};

void loop_random(struct loop_program *p, enum loop_kind kind, uint64_t seed, uint64_t number);

/* Adds code: statements are separated by ";", words by spaces; "0:" is a label, which this text alone knows, and e its end. Then
 * which registers matter where. */
void loop_assemble(struct loop_code *c, const char *text);
void loop_find_live(struct loop_code *c);

/* Programs that rules which look right get wrong. Null: there is none of that number. */
const char *loop_known(struct loop_program *p, uint32_t number);

void loop_print(const struct loop_program *p);

/* Goes on to the next step that others can see, or to the end. False: that is never reached. `puts` counts changes of private
 * memory. */
bool loop_settle(const struct loop_code *c, struct loop_thread *t, uint32_t *puts);

static inline bool loop_has_ended(const struct loop_code *c, const struct loop_thread *t)
{
    return t->at >= c->count;
}

int8_t loop_value(const struct loop_thread *t, struct loop_operand o);

/* What the step at which the thread is does when it finds a value; `me`: what it writes into mutexes. */
struct loop_effect {
    bool possible, writes;
    int8_t value;
};
struct loop_effect loop_apply(const struct loop_instruction *i, const struct loop_thread *t, int8_t found,
                              int8_t me);
/* The thread's step has happened. */
void loop_finish(const struct loop_instruction *i, struct loop_thread *t, int8_t found, bool wrote);

bool loop_reads(const struct loop_instruction *i);
/* The thread makes no use of what the step finds, which happens whatever that is. */
bool loop_finds_in_vain(const struct loop_code *c, uint32_t at);

/* --- the truth -------------------------------------------------------------------------------------- */

struct loop_outcomes {
    uint64_t *data; /* hashes of final states, ascending, each once */
    size_t len, cap;
    bool failed, stuck;
    /* Bits of threads: if one of them stops somewhere forever, others cannot end any more (loop_search alone) */
    unsigned blocked;
    bool incomplete; /* there may be more */
};

uint64_t loop_outcome(const struct loop_program *p, const struct loop_thread *threads, const int8_t *memory);

/* All states, with store buffers (`buffered`) or without. */
void loop_search(const struct loop_program *p, bool buffered, uint32_t states_max, struct loop_outcomes *out);
/* Each once. */
void loop_sort_outcomes(struct loop_outcomes *out);

#endif
