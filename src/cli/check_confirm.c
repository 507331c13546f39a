/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/check_confirm.h"

#include "base/text.h"
#include "cli/check_declared.h"
#include "cli/check_history.h"
#include "cli/check_report.h"
#include "cli/check_run.h"
#include "cli/check_serials.h"
#include "spec/serial/serial.h"

#include <stdio.h>
#include <string.h>

static void set(struct confirmation *out, enum confirm_answer answer, const char *message, const char *detail)
{
    out->answer = answer;
    snprintf(out->message, sizeof out->message, "%s%.200s", message, detail);
}

/* Does the monitor agree that the history is not linearizable? Fills in `out` when not. */
static void confirm_history(const struct worker_shared *shared, struct confirmation *out)
{
    struct pipeline_input in;
    if (shared->judged_partly) /* found again, and confirmed there by another search */
        return;
    if (!shared->history_length) {
        set(out, CONFIRM_NOT_POSSIBLE, "had a history too long to be kept", "");
        return;
    }
    check_history_judge(&in, "history", shared);
    if (in.error.code)
        set(out, CONFIRM_BROKEN, "left a history that cannot be read: ", in.error.message);
    else if (in.result.verdict == VERDICT_HOLDS)
        set(out, CONFIRM_BROKEN, "left a history in which the monitor finds nothing wrong", "");
    else if (in.result.verdict == VERDICT_INCONCLUSIVE)
        set(out, CONFIRM_NOT_POSSIBLE, "left a history that could not be decided again: ", in.result.limit);
    pipeline_free(&in);
}

/* What a history or the source has to say about an error that was seen again. */
static void confirm_further(const struct worker_error *error, struct confirmation *out)
{
    if (out->answer != CONFIRM_SAME)
        return;
    if (error->kind == WORKER_ERROR_NOT_LINEARIZABLE)
        confirm_history(target_shared(out->again), out);
    else if (error->kind == WORKER_ERROR_UNINITIALISED && error->filled &&
             !check_declared_only(target_shared(out->again)))
        set(out, CONFIRM_NOT_POSSIBLE,
            "read what the compiler fills variables with, which the program may have written", "");
}

void check_confirm(const struct target_program *program, const struct target_worker *found,
                   struct confirmation *out)
{
    /* One execution is short: --time does not end it half-way. */
    struct target_watch watch = {.stall_seconds = check_stall_seconds(&target_shared(found)->config)};
    if (strcmp(target_shared(found)->judged_by, SPEC_DERIVED_NAME) == 0)
        check_serials_ask(&target_shared(found)->config);
    confirm_error(program, found, &watch, out);
    confirm_further(&target_shared(found)->error, out);
}

void check_confirm_finding(const struct target_program *program, const struct target_worker *worker,
                           const struct worker_finding *finding, struct confirmation *out)
{
    struct target_watch watch = {.stall_seconds = check_stall_seconds(&target_shared(worker)->config)};
    confirm_finding(program, worker, finding, &watch, out);
    confirm_further(&finding->error, out);
}

void check_confirm_tell(const struct target_program *program, struct confirmation *c)
{
    struct target_watch watch = {.stall_seconds = CHECK_STALL_SECONDS};
    for (unsigned telling = 0; telling < DISPLAYS; telling++) {
        struct target_worker *told = confirm_telling(program, c->again, telling, &watch);
        if (!told)
            continue;
        target_free(c->again);
        c->again = told;
        c->told = true;
        return;
    }
}

char *check_confirm_limit(uint32_t kind, const struct confirmation *c)
{
    struct text t = {0};
    text_printf(&t, "%s: an execution was found to be wrong (%s), but, run again, it %s",
                c->answer == CONFIRM_DIFFERS ? "nondeterministic program" : "not confirmed",
                check_error_text(kind), c->message);
    return text_take(&t);
}
