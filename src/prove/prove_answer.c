/* SPDX-License-Identifier: Apache-2.0 */
#include "prove/prove_answer.h"

#include "prove/prove_again.h"
#include "prove/prove_counters.h"
#include "prove/prove_harness.h"
#include "prove/prove_system.h"

#include <stdio.h>
#include <stdlib.h>

void prove_say(enum prove_answer answer, const char *why)
{
    prove.answer = prove.shared->answer = answer;
    snprintf(prove.shared->message, sizeof prove.shared->message, "%.*s", PROVE_MESSAGE - 1, why);
}

static void add_event(const struct refine_event *from, struct prove_event *e)
{
    static const uint8_t kinds[] = {[REFINE_INTERNAL] = PROVE_STEP_EVENT,
                                    [REFINE_CALL] = PROVE_CALL_EVENT,
                                    [REFINE_RETURN] = PROVE_RETURN_EVENT,
                                    [REFINE_FAULT] = PROVE_FAULT_EVENT,
                                    [REFINE_STUCK] = PROVE_FAULT_EVENT};
    *e = (struct prove_event){.kind = kinds[from->step.kind],
                              .thread = from->step.thread,
                              .op = from->step.op,
                              .woken = from->step.other,
                              .reuse = PROVE_NEW_BLOCK};
    for (unsigned i = 0; i < from->step.arg_count; i++)
        e->numbers[i] = from->args[i];
}

/* The answers of the run have to be those of the search. */
static bool has_same_answers(const struct refine_result *r)
{
    for (size_t i = 0; i < r->run.len; i++) {
        const struct refine_step *step = &r->run.data[i].step;
        if (step->kind != REFINE_RETURN || step->value == prove.shared->events[i].number)
            continue;
        bool is_last = i + 1 == r->run.len;
        if (!(is_last && r->reason == REFINE_BAD_ANSWER)) {
            prove_note(
                PROVE_UNSURE,
                "an error was found, but the run that leads to it answers otherwise when items are small "
                "numbers");
            return false;
        }
    }
    return true;
}

void prove_answer_violated(const struct refine_result *r)
{
    struct prove_shared *s = prove.shared;
    int32_t *choices = NEW_ARRAY(int32_t, r->run.len + 1);
    if (r->run.len > PROVE_EVENTS_MAX) {
        prove_say(PROVE_INCONCLUSIVE,
                  "an error was found, but the run that leads to it is too long to be shown");
        return;
    }
    s->event_count = (uint32_t)r->run.len;
    bool is_stuck = r->run.len && vec_last(&r->run).step.kind == REFINE_STUCK;
    s->reason = is_stuck                          ? PROVE_STUCK
                : r->reason == REFINE_MODEL_FAULT ? PROVE_A_FAULT
                : r->reason == REFINE_BAD_ANSWER  ? PROVE_BAD_ANSWER
                                                  : PROVE_NO_EXPLANATION;
    for (size_t i = 0; i < r->run.len; i++) {
        add_event(&r->run.data[i], &s->events[i]);
        choices[i] = r->run.data[i].step.constants[0];
        if (s->events[i].kind == PROVE_CALL_EVENT || s->events[i].kind == PROVE_RETURN_EVENT)
            choices[i] = 0;
        else if (choices[i] == PROVE_DRAIN || choices[i] == PROVE_WAKES)
            s->events[i].reuse = choices[i];
    }
    prove_form_read(prove_system_first(), &prove_dialects[0]);
    prove_counters_restore();
    prove.state.serials = prove.state.block_count;
    for (uint32_t i = 0; i < prove.state.block_count; i++)
        prove.state.blocks[i].serial = i;
    bool fine = prove_run_events(choices) && has_same_answers(r);
    if (!fine && (s->question.shift_count || s->question.forget_count))
        prove_note(PROVE_UNSURE, "an error was found that the program does not have without the assumption "
                                 "of --shift, --stale or --forget");
    if (!fine && prove_search.is_unsure) /* which is why */
        prove_note(PROVE_UNSURE, "%.*s", PROVE_MESSAGE - 1, prove_search.why);
    prove_say(fine ? PROVE_VIOLATED : PROVE_INCONCLUSIVE,
              fine && s->reason != PROVE_A_FAULT && s->reason != PROVE_STUCK ? "" : prove.problem);
    free(choices);
}
