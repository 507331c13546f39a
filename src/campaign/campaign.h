/* SPDX-License-Identifier: Apache-2.0 */
/* From files to a decided program: what `plumb check` asks, and `plumb auto` of the test that it shows. */
#ifndef CAMPAIGN_CAMPAIGN_H
#define CAMPAIGN_CAMPAIGN_H

#include "base/json_writer.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/verdict.h"
#include "campaign/campaign_confirm.h"
#include "campaign/campaign_run.h"
#include "campaign/order_sites.h"
#include "campaign/other_rules/under_stronger.h"
#include "campaign/other_rules/under_weak.h"
#include "campaign/shrink/shrink_schedule.h"
#include "campaign/suppress.h"
#include "campaign/tables/history_count.h"
#include "campaign/verdict_scope.h"
#include "explain/program/explain_execution.h"

/* An error that was found, or several with the same cause. */
struct campaign_error {
    const struct target_worker *worker;   /* that found it */
    const struct worker_finding *finding; /* of its findings; null: the one it ended with */
    const struct worker_error *error;
    char *cause;         /* as text; only for findings */
    uint64_t number;     /* of the execution that is shown; 0: not known */
    uint64_t executions; /* with it */
    uint64_t choices;    /* of that one */
    uint64_t steps;
    struct shrunk_schedule shrunk; /* of a sample: `worker` is its worker, if it has one */
    struct confirmed confirmed;
    struct other_rules sc, c11;
    struct under_weak weak;
    char *trace;                           /* file that was written, or null */
    struct explained_execution *explained; /* null: only the verdict is asked for */
};

/* An order of the source that is to be another one. */
struct campaign_change {
    char *site;
    const char *from, *to; /* "relaxed" */
};

/* The tests that the one of this campaign was found among, by plumb auto. */
struct campaign_tests {
    const char *limits; /* what limits the verdict on all of them, or null */
    void (*add_json)(struct json_writer *w, const void *context); /* members of the document */
    const void *context;
    bool is_recorded; /* for `plumb merge` */
};

/* A test with fewer operations that fails, too: the first error is its. */
struct campaign_smaller {
    struct campaign *campaign; /* of it; null: there is none */
    const char *test;
    size_t from, to; /* operations */
};

struct campaign {
    /* What is asked. */
    struct campaign_options options;
    struct operand_list files;
    struct target_source source;
    const struct campaign_tests *tests; /* or null */

    /* The answer. */
    enum verdict verdict;
    VEC(char *) limits;                /* why it is inconclusive, and what was not tried */
    struct verdict_scope scope;        /* what the verdict is about; empty where that is not said */
    struct diagnostic why;             /* there is no verdict: why, and where */
    struct text failure;               /* the same in a clause, when the run was begun */
    bool is_partial;                   /* violated, and executions that were asked for are missing */
    VEC(struct campaign_error) errors; /* those that were confirmed come first */
    size_t errors_left_out;            /* causes beyond those */
    struct campaign_result result;
    struct history_count count;
    struct campaign_stops {
        bool was_asked;
        bool is_decided;                /* nothing is left out */
        uint64_t executions;            /* in which a thread may have stopped */
    } stops;                            /* --progress */
    VEC(struct campaign_change) repair; /* with these orders it holds; empty: none was found, or looked for */
    struct campaign_smaller smaller;
    char *interleaved; /* why interleavings were run instead of graphs, or null */

    /* How it was found. */
    struct target_program *program;
    bool borrows_program; /* it belongs to the caller */
    struct target_worker *workers[64];
    struct suppressions suppressions;
    struct order_table orders;  /* --order */
    struct text orders_changed; /* the same as text; empty: there are none */
    const char *observations;   /* the file for serial histories that was asked for, or null */
    char *assembly;             /* atomic instructions that are not announced: nothing was run; or null */
};

/* Builds, runs, confirms, concludes, saves and explains. False: there is nothing to report but c->why. */
bool campaign_decide(struct campaign *c);
/* The same in two steps: the first builds. */
bool campaign_prepare(struct campaign *c);
bool campaign_decide_prepared(struct campaign *c);
/* Of a program that is built, and that has no assembly of its own: runs, confirms and concludes. */
bool campaign_decide_again(struct campaign *c, struct target_program *program);
void campaign_free(struct campaign *c);

/* Was an error found and seen again? */
bool campaign_is_violated(const struct campaign *c);

/* How many errors were confirmed. */
size_t campaign_count_confirmed(const struct campaign *c);

/* The verdict, and the limits that belong to it. */
void campaign_conclude(struct campaign *c);

/* What one of the bits (enum worker_limit) means, which is taken away. Null: none of them has a text that says it all. */
const char *campaign_next_limit(uint32_t *bits);

/* "part 2 of 4: plumb merge joins the parts" */
char *campaign_describe_part(const struct campaign_shard *s);

/* Which answer depends on a clock or on addresses, and where it was asked for. */
char *campaign_describe_unpredictable(const struct worker_shared *s);

#endif
