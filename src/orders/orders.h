/* SPDX-License-Identifier: Apache-2.0 */
/* Which memory orders a program needs: for each atomic access and fence the weakest that all tests accept, an assignment in which
 * all of them are as weak as they can be together, and for a program that is violated under a weak memory model a smallest set of
 * sites to strengthen. What `plumb orders` asks, and the line "repair" of `plumb check`. docs/internals/campaign/orders.md. */
#ifndef ORDERS_ORDERS_H
#define ORDERS_ORDERS_H

#include "campaign/campaign.h"

enum order_answer { ORDERS_UNTRIED, ORDERS_ACCEPTED, ORDERS_VIOLATED, ORDERS_UNDECIDED };

/* What became of one assignment of orders to sites. */
struct order_outcome {
    enum order_answer answer;
    uint32_t error; /* violated: enum worker_error_kind */
    size_t test;    /* which of the tests was violated, or not decided */
    char *text;     /* "data race at queue.c:12", or why it is not decided; owned */
};

enum { ORDERS_LEVELS = ORDER_SEQ_CST + 1 };

/* The answer about one site; what is untried is so because a weaker order was accepted. */
struct order_result {
    bool is_asked; /* it is executed, and its order is a constant */
    struct order_outcome tried[ORDERS_LEVELS];
    /* Accepted, and nothing weaker is; two when neither is weaker than the other */
    uint8_t weakest[2];
    unsigned weakest_count;
    bool is_decided;  /* everything weaker is violated */
    uint8_t together; /* in the assignment for all sites; ORDER_PLAIN: as written */
};

/* What one order is to become. */
struct order_change {
    size_t site;
    uint8_t from, to;
};

struct order_repair {
    enum order_answer answer;  /* accepted: it is verified; violated: strengthening does not help */
    struct order_change *list; /* by site */
    size_t count;
    /* accepted: every weaker order of a site in it was decided, and is violated */
    bool is_minimal;
    const char *why; /* undecided */
};

struct orders {
    /* What is asked. */
    struct campaign_options options; /* of each run; time: of all of them together, 0: any */
    double per_variant;              /* seconds; 0: any */
    uint64_t variants_most;          /* 0: any number */
    const char *name;                /* of the program, for messages */
    struct target_program *program;  /* borrowed */
    const char *const *tests;        /* null entries: main, or the harness' own test */
    size_t test_count;
    void (*site_done)(void *context, const struct orders *o, size_t site);
    void (*tick)(void *context, const struct orders *o);
    void *context;

    /* The answer. */
    struct order_sites sites;
    struct order_outcome base;    /* as written */
    struct order_result *results; /* of each site */
    struct order_outcome joint;   /* of all `together`; untried: the program is violated */
    bool is_minimal;              /* with any order weaker than `together`, a test is violated */
    struct order_repair repair;   /* untried: the program holds */
    uint64_t variants, executions;
    struct diagnostic why; /* there is no answer */

    /* While it runs. */
    double started;
    /* base_now(); 0: none. `started` may be set before: what came earlier counts for the time */
    double deadline;
    size_t at_site;
    size_t *turns;  /* numbers of tests: those that found something last come first */
    bool *involved; /* sites of the execution that was violated last; null: not wanted */
};

/* Finds the sites and runs the tests as written. False: o->why. */
bool orders_begin(struct orders *o);

/* After orders_begin, of a program that holds: `results`, then `joint`. */
void orders_weaken(struct orders *o);
/* After orders_begin, of one that is violated: `repair`. */
void orders_find_repair(struct orders *o);

void orders_free(struct orders *o);

/* The strongest order below the answer that is violated; ORDER_PLAIN: there is none. */
unsigned orders_next_weaker(const struct order_result *r);

/* All decided, and verified? */
bool orders_are_decided(const struct orders *o);

/* ------------------------------------------------------------------ parts of it */

/* Orders for all sites, ORDER_PLAIN as written: all tests, until one is violated. */
struct order_outcome orders_try(struct orders *o, const uint8_t *assignment);
void order_outcome_free(struct order_outcome *outcome);

/* Is a weaker than b, and not the same? */
bool order_is_weaker(unsigned a, unsigned b);
/* How much stronger than relaxed: equal ones cannot be compared, unless they are the same. */
unsigned order_strength(unsigned order);
enum { ORDER_STRENGTHS = 4 };

#endif
