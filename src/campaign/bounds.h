/* SPDX-License-Identifier: Apache-2.0 */
/* What an exploration covers of a program with loops that seem to have no end: rounds, and places. */
#ifndef CAMPAIGN_BOUNDS_H
#define CAMPAIGN_BOUNDS_H

#include "base/json_writer.h"
#include "base/text.h"
#include "engine/shared/protocol.h"

/* One exploration with a bound. */
struct bounds_phase {
    uint32_t loops, returns;
    uint64_t executions, blocked;
    double seconds;
    bool whole; /* nothing else was left out */
};

enum { BOUNDS_PHASES = 32 };

struct campaign_bounds {
    /* More visits of a place by a thread than in the first execution, and returns to a state, that were explored; 0: any number */
    uint32_t loops, returns;
    uint32_t met_count; /* places at which threads were stopped, and after how many visits */
    bool met_lost;      /* there are more */
    struct worker_visits met[PROTOCOL_LOOPS];
    struct worker_visits held; /* pc 0: not known, or none */
    uint64_t held_places[GRAPHS_PLACES], known_places[GRAPHS_PLACES];
    uint32_t phase_count; /* of a bound that was not asked for; 0: it was, or there is none */
    struct bounds_phase phases[BOUNDS_PHASES];
};

/* What a worker with that bound has met; by place, each once. The answer: enum worker_limit bits that all of them together have met. */
uint32_t bounds_add_worker(struct campaign_bounds *b, const struct worker_shared *s);

/* "at most 8 rounds of ring.c:41, ring.c:60 and 3 more places"; the memory is that of any worker. */
void bounds_add_rounds(struct text *out, const struct campaign_bounds *b, const struct worker_shared *s);

/* As a limit of a verdict: "no error in every execution with ...". `whole`: nothing else limits it. */
char *bounds_describe(const struct campaign_bounds *b, const struct worker_shared *s, bool whole);

/* With LIMIT_RETURNS, or else LIMIT_ENDLESS: which thread was held, and what that means. */
char *bounds_describe_held(const struct campaign_bounds *b, const struct worker_shared *s, uint32_t limit);

/* How many rounds that were and how to go on from there, as a clause. False: nothing, for there is no bound that was not asked for, or it was
 * not explored in full. */
bool bounds_add_advice(struct text *out, const struct campaign_bounds *b, bool with_times);

/* The member "bounds". */
void bounds_json(struct json_writer *w, const struct campaign_bounds *b, const struct worker_shared *s);

#endif
