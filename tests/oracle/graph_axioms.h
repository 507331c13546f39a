/* SPDX-License-Identifier: Apache-2.0 */
/* The axioms of the memory models, read off the page with matrices of bits. Slow on purpose: no clocks, no
 * increments, nothing shared with src/graph. Accesses of different sizes: each is one event with a range of granules, and every
 * granule has its own coherence order and its own reads-from (docs/internals/explore/mixed.md). */
#ifndef TESTS_ORACLE_GRAPH_AXIOMS_H
#define TESTS_ORACLE_GRAPH_AXIOMS_H

#include <stdbool.h>
#include <stdint.h>

enum { CANDIDATE_EVENTS = 64, CANDIDATE_GRANULES = 16, CANDIDATE_PARTS = 4, CANDIDATE_NONE = -1 };

/* The last: RC11 with the release sequences of C11. */
enum oracle_model { ORACLE_SC, ORACLE_TSO, ORACLE_RC11, ORACLE_C11, ORACLE_MODELS };

struct candidate_event {
    char
        kind; /* Initial write, R W F, Begin End Create Join (small letter of the word's first: i R W F B E C J) */
    bool waits;
    bool fails;      /* a weak CAS, although it found what it expected */
    bool locked;     /* half of an update, or a CAS that failed */
    uint8_t order;   /* enum memory_order_tag */
    int8_t thread;   /* -1: initial */
    int8_t number;   /* in its thread */
    int8_t location; /* or CANDIDATE_NONE */
    /* Of the accesses to a location: the first granule, and how many */
    int8_t granule, granules;
    /* R: the event that each granule is read from; B: its CREATE; J: the END; else CANDIDATE_NONE */
    int8_t from[CANDIDATE_PARTS];
    int8_t read; /* W of an update: its R */
    int64_t value;
};

struct candidate_graph {
    uint32_t count;
    struct candidate_event events[CANDIDATE_EVENTS];
    uint8_t order[CANDIDATE_GRANULES]
                 [CANDIDATE_EVENTS]; /* writes in coherence order, the initial one first */
    uint32_t order_length[CANDIDATE_GRANULES];
};

/* Bit m: consistent in model m. */
unsigned axioms_consistent(const struct candidate_graph *g);

/* Implied by every model: updates are atomic, program order agrees with what happens at this granule. */
bool axioms_coherent_at(const struct candidate_graph *g, uint32_t granule);

#endif
