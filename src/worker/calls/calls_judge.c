/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/calls/calls_judge.h"

#include "engine/engine.h"
#include "engine/error/findings.h"
#include "engine/graph_mode/graph_mode.h"
#include "engine/shared/worker_result.h"
#include "worker/calls/calls_state.h"

#include <stdio.h>
#include <string.h>

/* What one execution may cost: less than what the tool takes for a worker that is stuck. */
enum { JUDGE_SECONDS = 5, JUDGE_BYTES = 1 << 28 };

static struct calls_question question;

/* ------------------------------------------------------------------ counting */

static bool has_line(const char *lines, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = lines; (at = strstr(at, name)); at++)
        if ((at == lines || at[-1] == '\n') && at[length] == '\n')
            return true;
    return false;
}

static void note_interface(struct worker_annotated *a, const char *name)
{
    size_t used = strlen(a->interfaces);
    if (!has_line(a->interfaces, name) && used + strlen(name) + 2 < sizeof a->interfaces)
        snprintf(a->interfaces + used, sizeof a->interfaces - used, "%s\n", name);
}

/* The first execution comes twice. */
static void count(struct worker_annotated *a)
{
    if (findings_ignored)
        return;
    a->executions++;
    a->calls += calls.count;
    a->structures = calls_structures();
    for (uint32_t k = 0; k < calls.count; k++)
        note_interface(a, calls.list[k].interface->name);
}

static void count_undetermined(struct worker_annotated *a, const struct ordering_answer *answer)
{
    uint32_t pair[2];
    a->undetermined += !findings_ignored;
    if (*a->pair[0] || !ordering_unordered_pair(&question.question, answer, pair))
        return;
    for (uint32_t k = 0; k < 2; k++)
        snprintf(a->pair[k], sizeof a->pair[k], "%s", calls.list[pair[k]].interface->name);
}

void calls_recount(struct worker_shared *shared)
{
    shared->annotated.executions = shared->annotated.calls = shared->annotated.undetermined = 0;
}

/* ------------------------------------------------------------------ judging */

static void end_wrong(struct worker_shared *shared)
{
    if (engine_keep_error())
        return;
    graph_mode_record();
    shared->state = WORKER_FOUND;
    plumb_debug_error();
    worker_result_end(shared, WORKER_FOUND);
}

static void give_up(struct worker_shared *shared)
{
    shared->undecided++;
    shared->limits |= LIMIT_UNDECIDED;
}

/* A call that had its effect, which depends on a result that it does not have. */
static bool has_unknown_effect(void)
{
    for (uint32_t k = 0; k < calls.count; k++) {
        const struct call *c = &calls.list[k];
        if (!c->completed && c->point_count && c->interface->side_uses_result)
            return true;
    }
    return false;
}

/* Of calls that were left before their values were stored nothing is known. */
static bool has_all_values(void)
{
    for (uint32_t k = 0; k < calls.count; k++)
        if (!calls.list[k].kept)
            return false;
    return true;
}

/* A state that is not in @DeclareVar is not put back, so that an answer depends on what was tried before. Looked at where it
 * matters most, and now and then. */
static void check_repetition(const struct worker_shared *shared, const struct ordering_answer *answer)
{
    uint64_t executions = shared->annotated.executions;
    bool often = answer->histories_tried > 1 || answer->verdict == VERDICT_VIOLATED;
    if ((often || (executions & (executions - 1)) == 0) && !ordering_repeats(&question.question, answer))
        calls_refuse_code("answers differently when it runs again; what it changes has to be in @DeclareVar");
}

static void judge(struct worker_shared *shared)
{
    struct budget budget =
        budget_start(JUDGE_SECONDS, shared->config.judge_bytes ? shared->config.judge_bytes : JUDGE_BYTES);
    question.question.mode = (enum ordering_mode)shared->config.histories;
    question.question.budget = &budget;
    calls_find_points(&question, shared);
    calls_find_before(&question);
    calls_machine_begin(&question);
    struct ordering_answer answer = ordering_check(&question.question);
    check_repetition(shared, &answer);
    if (answer.verdict == VERDICT_INCONCLUSIVE)
        give_up(shared);
    else if (answer.fault != ORDERING_FINE)
        calls_report(shared, &question, &answer);
    else if (answer.undetermined)
        count_undetermined(&shared->annotated, &answer);
    calls_machine_end(&question);
    if (answer.verdict == VERDICT_VIOLATED)
        end_wrong(shared);
}

void calls_judge(struct worker_shared *shared, const struct graph *g)
{
    if (!calls.count || calls.lost)
        return;
    if (!calls_build(&question, g)) {
        shared->limits |= LIMIT_CALLS;
        return;
    }
    count(&shared->annotated);
    if (has_unknown_effect())
        shared->limits |= LIMIT_PENDING;
    else if (!has_all_values())
        give_up(shared);
    else
        judge(shared);
}
