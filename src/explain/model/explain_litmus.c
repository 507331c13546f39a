/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/model/explain_litmus.h"

#include "explain/program/explain_sources.h"

#include <inttypes.h>

struct explained_litmus {
    const struct litmus_answer *answer;
    struct arena arena;
    struct report_execution execution;
    struct report_counterexample counterexample;
    struct text output, condition, one_line, why, place, size;
};

static void explain_race(struct explained_litmus *t, const struct outcomes *o)
{
    text_printf(&t->one_line, "data race on %s under %s", litmus_place_name(o->test, o->race),
                t->answer->memory);
    text_printf(&t->why, "%" PRIu64 " execution%s a data race: the test has no meaning.", o->races,
                o->races == 1 ? " has" : "s have");
    t->counterexample.kind = "race";
}

static void explain_outcome(struct explained_litmus *t, const struct outcomes *o)
{
    bool never = o->test->quantifier == LITMUS_NOT_EXISTS;
    uint64_t wrong = never ? o->positive : o->negative, all = o->positive + o->negative;
    text_printf(&t->one_line, "%s does not hold under %s", t->condition.data, t->answer->memory);
    text_printf(&t->why, "%" PRIu64 " of %" PRIu64 " execution%s %s %s.", wrong, all, all == 1 ? "" : "s",
                wrong == 1 ? "ends" : "end", never ? "as none should" : "otherwise");
    t->counterexample.kind = "outcome";
}

static void explain_violated(struct explained_litmus *t, const struct outcomes *o)
{
    const char *file = t->answer->file;
    if (outcomes_are_undefined(o))
        explain_race(t, o);
    else
        explain_outcome(t, o);
    text_printf(&t->place, "%s:%" PRIu64, file, o->test->condition_line);
    t->execution = (struct report_execution){.place = t->place.data,
                                             .file = file,
                                             .line = (uint32_t)o->test->condition_line,
                                             .memory = t->answer->memory};
    explain_sources(&t->execution, &t->arena);
    t->counterexample.file = file;
    t->counterexample.one_line = t->one_line.data;
    t->counterexample.why = t->why.data;
    t->counterexample.confirmed_by = "all executions";
    t->counterexample.execution = &t->execution;
}

static void add_case(struct report_documents *d, struct explained_litmus *t)
{
    const struct litmus_answer *a = t->answer;
    const struct outcomes *o = a->outcomes;
    const struct report_counterexample *found = &t->counterexample;
    const char *facts[] = {t->condition.data, t->size.data};
    struct report_case one = {.name = a->file,
                              .verdict = a->verdict,
                              .message = o ? o->limit : a->why,
                              .seconds = a->seconds,
                              .text = t->output.data,
                              .output = t->output.data,
                              .facts = facts,
                              .fact_count = o ? 2 : 0,
                              .found = &found,
                              .found_count = a->verdict == VERDICT_VIOLATED};
    report_documents_add(d, &one);
}

void litmus_document(struct report_documents *d, const struct litmus_answer *a)
{
    struct explained_litmus t = {.answer = a};
    if (a->outcomes) {
        outcomes_print(&t.output, a->outcomes);
        litmus_print_condition(&t.condition, a->outcomes->test);
        text_printf(&t.size, "%s %" PRIu64 " %" PRIu64, outcomes_observation(a->outcomes),
                    a->outcomes->positive, a->outcomes->negative);
        if (a->verdict == VERDICT_VIOLATED)
            explain_violated(&t, a->outcomes);
    }
    add_case(d, &t);
    struct text *texts[] = {&t.output, &t.condition, &t.one_line, &t.why, &t.place, &t.size};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        text_free(texts[k]);
    arena_free(&t.arena);
}
