/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/ledger.h"

#include "engine/shared/worker_result.h"

#include <stdio.h>
#include <string.h>

/* Counted between executions only; and what an execution may add to. */
struct ledger {
    uint64_t executions, complete, blocked, cut, refuted, folded, revisits, not_run;
};
enum { ADDITIONS = 11 };

static struct ledger kept;
static uint64_t kept_additions[ADDITIONS];

static struct ledger read_ledger(const struct worker_shared *s)
{
    return (struct ledger){.executions = s->executions,
                           .complete = s->complete,
                           .blocked = s->blocked,
                           .cut = s->cut,
                           .refuted = s->refuted,
                           .folded = s->folded,
                           .revisits = s->revisits,
                           .not_run = s->not_run};
}

static void read_additions(const struct worker_shared *s, uint64_t *to)
{
    const uint64_t all[] = {s->failed,        s->finding_count, s->unseen_count,       s->unwritten_count,
                            s->answer_count,  s->undecided,     s->serial_complete,    s->counted.histories,
                            s->counted.wrong, s->serial_stuck,  s->compared.executions};
    _Static_assert(sizeof all / sizeof *all == ADDITIONS, "one for each");
    memcpy(to, all, sizeof all);
}

void ledger_keep(const struct worker_shared *s)
{
    kept = read_ledger(s);
    read_additions(s, kept_additions);
    worker_result_tally.limits |= s->limits;
}

void ledger_compare(struct worker_shared *s)
{
    const struct ledger now = read_ledger(s);
    uint64_t additions[ADDITIONS];
    read_additions(s, additions);
    if (memcmp(&now, &kept, sizeof now) != 0)
        ledger_refuse(s, "the counts of executions");
    if (worker_result_tally.limits & ~s->limits)
        ledger_refuse(s, "the limits that were met");
    for (size_t k = 0; k < ADDITIONS; k++)
        if (additions[k] < kept_additions[k])
            ledger_refuse(s, "what was found in executions before");
    worker_result_tally.limits |= s->limits;
}

void ledger_count(uint64_t executions, uint64_t complete, uint64_t blocked)
{
    struct worker_tally *t = &worker_result_tally;
    t->executions = executions;
    t->complete = complete;
    t->blocked = blocked;
    t->is_kept = true;
}

void ledger_forget(uint32_t limits)
{
    worker_result_tally.limits &= ~limits;
}

void ledger_refuse(struct worker_shared *s, const char *what)
{
    snprintf(s->error.message, sizeof s->error.message, "the program wrote over memory of the runtime: %s",
             what);
    const struct worker_tally *t = &worker_result_tally;
    s->executions = t->executions; /* what is signed */
    s->complete = t->complete;
    s->blocked = t->blocked;
    worker_result_end(s, WORKER_OVERWRITTEN);
}
