/* SPDX-License-Identifier: Apache-2.0 */
#include "autotest/autotest.h"

#include "base/budget.h"
#include "campaign/campaign_run.h"
#include "campaign/serial_runs.h"
#include "target/code/foreign.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct deciding {
    struct autotest *a;
    struct diagnostic *why; /* there is no verdict */
};

/* ------------------------------------------------------------------ the tests, one after the other */

static void note_loop(struct autotest *a, const char *place)
{
    for (size_t k = 0; k < a->loop_places.len; k++)
        if (strcmp(a->loop_places.data[k], place) == 0)
            return;
    if (*place)
        vec_push(&a->loop_places, strdup(place));
}

static void note_unknown(struct autotest *a, const char *test, const struct auto_result *r)
{
    a->bounded += r->is_bounded;
    if (r->is_bounded)
        note_loop(a, r->loop);
    if (a->unknown++)
        return;
    a->unknown_test = strdup(test);
    a->unknown_why = strdup(r->why);
}

/* What is not asked about a test that passes, and what makes one wonder whether it could have failed. */
static void note_doubts(struct autotest *a, const char *test, const struct auto_result *r)
{
    a->could_meet += r->could_meet;
    a->met += r->met;
    if (r->serial_stuck && a->stuck++ == 0)
        a->stuck_test = strdup(test);
}

/* A larger test of which a part was run is as good as any sample; the small ones have to be run as a whole. */
static void note_larger(struct autotest *a, const struct auto_result *r)
{
    a->larger.tests++;
    a->larger.executions += r->executions;
    if (r->verdict != VERDICT_HOLDS && r->verdict != VERDICT_VIOLATED && a->larger.partly++ == 0)
        a->larger.why = strdup(r->why);
}

/* Of the tool, or of the system that does not start the program. */
static bool is_fault(const struct auto_result *r)
{
    return r->mistake.code == PL_INTERNAL || r->mistake.code == PL_CANNOT_RUN;
}

/* A mistake that is none of the test's. */
static bool ends_all(const struct auto_result *r)
{
    return is_fault(r) || r->mistake.code == PL_HARNESS;
}

static bool done_test(void *context, uint64_t number, const char *test, const struct auto_result *r)
{
    struct deciding *run = context;
    struct autotest *a = run->a;
    if (r->is_skipped) {
        free((char *)test);
        return true;
    }
    a->has_lost |= r->is_lost;
    if (a->test_done)
        a->test_done(a, number, test, r);
    if (!a->is_larger) {
        a->executions += r->executions;
        a->stopped += r->stopped;
    }
    a->limits |= r->limits & (a->is_larger ? (uint32_t)LIMITS_NAMED_ONLY : UINT32_MAX);
    auto_compare_note(&a->compared, test, r);
    note_doubts(a, test, r);
    bool goes_on = true;
    if (a->is_larger)
        note_larger(a, r);
    if (a->is_larger && r->verdict != VERDICT_VIOLATED && !ends_all(r)) {
        free((char *)test);
        return true;
    }
    switch (r->verdict) {
    case VERDICT_HOLDS: a->passed++; break;
    case VERDICT_VIOLATED:
        a->failed++;
        if (!a->failing) {
            a->failing = strdup(test);
            a->failing_number = number;
            a->failing_seconds = r->seconds;
        }
        goes_on = a->options.all;
        break;
    case VERDICT_INCONCLUSIVE: note_unknown(a, test, r); break;
    default:
        if (!is_fault(r) && a->options.all && (a->passed || a->failed)) {
            note_unknown(a, test, r); /* not the fault of every test */
            break;
        }
        *run->why = r->mistake;
        goes_on = false;
    }
    free((char *)test);
    return goes_on;
}

static const char *next_test(void *context, uint64_t *number)
{
    return auto_next_test(((struct deciding *)context)->a, number);
}

static void tick(void *context)
{
    struct autotest *a = ((struct deciding *)context)->a;
    if (a->tick)
        a->tick(a);
}

struct auto_runner auto_make_runner(const struct autotest *a)
{
    return (struct auto_runner){.name = a->files.data[0],
                                .program = a->program,
                                .golden = a->golden,
                                .options = &a->options.campaign,
                                .suppressions = (struct suppressions *)&a->suppressions,
                                .test_time = a->options.test_time,
                                .deadline =
                                    a->options.campaign.time > 0 ? a->started + a->options.campaign.time : 0};
}

/* ------------------------------------------------------------------ all of them */

static bool build(struct autotest *a, struct diagnostic *why)
{
    struct golden golden = {a->options.campaign.golden, a->options.campaign.golden_define};
    a->program = target_build(&a->source, why);
    if (!a->program)
        return false;
    struct foreign foreign = foreign_find(a->program->path);
    a->assembly = foreign.atomics;
    unseen_take_foreign(&a->scope.unseen, &foreign);
    unseen_set_record(&a->scope.unseen, &a->program->record);
    if (!golden.file && !golden.define)
        return true;
    a->golden = golden_build(&golden, &a->source, why);
    return a->golden;
}

static bool wants_larger(const struct autotest *a)
{
    const struct auto_options *o = &a->options;
    bool asked = o->samples != AUTO_NO_SAMPLES;
    bool usual =
        !o->size && !o->campaign.quasi && !o->campaign.compare && !o->campaign.report_weak && a->shards == 1;
    return !o->random && (asked ? o->samples > 0 : usual) && (a->passed || a->shards > 1) && !a->timed_out &&
           !a->failed;
}

/* Each of them may have a part of the time, so that none takes the time of all others. By executions, as far as possible: the
 * answer should not depend on the machine. */
static void run_larger(struct autotest *a, struct auto_runner *runner)
{
    enum { EXECUTIONS = 20000 };
    static const double usual_seconds = 20, slice = 2;
    struct campaign_options options = a->options.campaign;
    if (!options.executions)
        options.executions = EXECUTIONS;
    runner->options = &options;
    if (!runner->test_time || runner->test_time > slice)
        runner->test_time = slice;
    if (!runner->deadline && a->options.samples == AUTO_NO_SAMPLES)
        runner->deadline = a->started + usual_seconds;
    a->is_larger = true;
    a->larger_from = a->number;
    auto_run(runner);
}

static bool run_tests(struct autotest *a, struct diagnostic *why)
{
    enum { SLICE = 1000 }; /* nearly all small tests of small objects have fewer executions */
    struct deciding run = {a, why};
    struct auto_runner runner = auto_make_runner(a);
    runner.next = next_test;
    runner.done = done_test;
    runner.tick = tick;
    runner.context = &run;
    runner.scope = &a->scope;
    runner.slice = SLICE;
    auto_begin_sequence(a);
    a->timed_out = !auto_run(&runner);
    runner.slice = 0;
    if (!why->code && wants_larger(a))
        run_larger(a, &runner);
    return !why->code;
}

static void shrink(struct autotest *a)
{
    struct auto_words words;
    struct auto_test failing = auto_make_again(a, a->failing_number);
    struct campaign_options plain = a->options.campaign;
    plain.init = plain.final = NULL; /* they are part of the words */
    struct auto_runner runner = auto_make_runner(a);
    runner.options = &plain;
    if (runner.deadline > 0) /* the smallest test is run once more, and reported */
        runner.deadline -= fmin(2 * a->failing_seconds + 0.5, plain.time / 3);
    auto_words_of(&words, &failing, &a->calls, a->options.campaign.init, a->options.campaign.final);
    if (failing.unusual) {
        struct auto_words usual;
        failing.unusual = 0;
        auto_words_of(&usual, &failing, &a->calls, a->options.campaign.init, a->options.campaign.final);
        a->needs_unusual = auto_shrink_values(&words, &usual, &runner);
        auto_words_free(&usual);
    }
    a->shrinking = auto_shrink(&words, &a->holdings, &runner);
    a->smallest = auto_words_text(&words);
    auto_words_free(&words);
}

static void conclude(struct autotest *a)
{
    bool cut = a->timed_out || a->unknown || a->assembly || (!a->passed && a->shards == 1);
    bool sampled = a->options.random || a->options.campaign.mode == WORKER_RANDOM ||
                   a->options.campaign.mode == WORKER_PCT;
    a->answer = a->failing ? VERDICT_VIOLATED
                : cut      ? VERDICT_INCONCLUSIVE
                : sampled  ? VERDICT_SURVIVED
                           : VERDICT_HOLDS;
    a->verdict = a->answer == VERDICT_HOLDS && a->shards > 1 ? VERDICT_SURVIVED : a->answer;
}

bool autotest_prepare(struct autotest *a, struct diagnostic *why)
{
    if (!suppress_read(&a->suppressions, &a->options.campaign.suppress, why) || !build(a, why))
        return false;
    /* Assembly whose steps would be invisible: whatever came out, it would not be the program's doing. */
    return a->assembly || auto_find_calls(a, why);
}

bool autotest_decide_prepared(struct autotest *a, struct diagnostic *why)
{
    if (!a->assembly && !run_tests(a, why))
        return false;
    if (a->failing)
        shrink(a);
    conclude(a);
    return true;
}

bool autotest_decide(struct autotest *a, struct diagnostic *why)
{
    return autotest_prepare(a, why) && autotest_decide_prepared(a, why);
}

void autotest_free(struct autotest *a)
{
    target_program_free(a->program);
    target_program_free(a->golden);
    vec_free(&a->calls);
    auto_holdings_free(&a->holdings);
    vec_free(&a->files);
    free(a->call_text);
    free(a->values);
    free(a->assembly);
    free(a->failing);
    free(a->smallest);
    auto_compare_free(&a->compared);
    scope_free(&a->scope);
    suppress_free(&a->suppressions);
    vec_free(&a->options.campaign.suppress);
    free(a->unknown_test);
    free(a->unknown_why);
    for (size_t k = 0; k < a->loop_places.len; k++)
        free(a->loop_places.data[k]);
    vec_free(&a->loop_places);
    free(a->stuck_test);
    free(a->larger.why);
}
