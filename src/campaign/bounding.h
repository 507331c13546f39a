/* SPDX-License-Identifier: Apache-2.0 */
/* Explorations of programs with loops that seem to have no end: again and again, with more rounds each time, for as long as that takes
 * little time. docs/internals/explore/loops.md. */
#ifndef CAMPAIGN_BOUNDING_H
#define CAMPAIGN_BOUNDING_H

#include "campaign/campaign_run.h"

/* When all of them together have to be done. */
enum bounding_end {
    BOUNDING_OPEN, /* one may take any time */
    BOUNDING_SOFT, /* going on behind loops may come on top */
    BOUNDING_HARD,
};

/* Which attempt comes next: bounds of 1, 2, 4, ... rounds; once, after the first few, one that goes on behind the loops. */
struct bounding {
    struct worker_loops first; /* how often the first execution came to each place */
    uint32_t loops, returns;   /* of the exploration that runs, or comes next */
    bool has_done;             /* one was done as a whole */
    bool sticky;             /* no bound: reads of a loop that goes on find what they found (config.sticky) */
    bool was_sticky;         /* one of that sort has ended */
    uint32_t met;            /* bounds that the last one with a bound has met, if it was done */
    double started, seconds; /* seconds: for all of them together */
    double last_seconds;     /* of the last one with a bound */
    enum bounding_end end;
};

/* What an exploration came to. */
struct bounding_facts {
    bool found;   /* an error */
    bool decided; /* that, or nothing can be said */
    bool stopped; /* before it was done */
    uint32_t limits;
    double seconds;
};

enum bounding_answer {
    BOUNDING_TAKE,   /* it is the answer */
    BOUNDING_DEEPER, /* it is, unless the next one is done */
    BOUNDING_BEFORE, /* the one before it is the answer */
    BOUNDING_PASS,   /* so it is, unless the next one is done */
};

void bounding_begin(struct bounding *b, const struct worker_shared *suspected, double seconds,
                    enum bounding_end end);
enum bounding_answer bounding_next(struct bounding *b, const struct bounding_facts *f);

/* Seconds that the next one may take; 0: any. */
double bounding_time(const struct bounding *b);

/* Into the configuration of a worker. */
void bounding_plan(const struct bounding *b, struct target_run *run);

/* May such loops be looked for, so that this begins? */
bool bounding_is_possible(const struct campaign_options *o);

/* After an exploration that ended with LIMIT_SUSPECTED: its workers are replaced by those of the answer. */
bool bounding_run(const struct target_program *program, const struct campaign_options *options,
                  double seconds_left, struct target_worker **workers, struct campaign_result *result,
                  struct diagnostic *why);

#endif
