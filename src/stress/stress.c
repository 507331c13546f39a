/* SPDX-License-Identifier: Apache-2.0 */
#include "stress/stress.h"

#include "base/budget.h"
#include "record/stamps.h"
#include "spec/roles.h"
#include "stress/stress_state.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

enum { CALLS_MOST = 4096, AREA_SMALL = 1 << 16, AREA_USUAL = 1 << 18, MANY_SLOTS = 32 };
static const double HISTORY_SECONDS = 5, STREAM_SECONDS = 10; /* STREAM_SECONDS: beyond the time there is */

static uint32_t count_processors(void)
{
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count > 0 ? (uint32_t)count : 1;
}

/* Without a wish there are rounds with more threads than processors, too. */
static void choose_threads(struct stress_state *s)
{
    uint32_t wished = s->run->options.wishes.threads, processors = count_processors();
    s->schedule.processors = processors;
    s->schedule.threads = wished ? wished : processors < 2 ? 2 : processors;
    if (s->schedule.threads > STRESS_THREADS_MAX)
        s->schedule.threads = STRESS_THREADS_MAX;
    s->schedule.threads_most = wished ? s->schedule.threads : 2 * s->schedule.threads;
    if (s->schedule.threads_most > STRESS_THREADS_MAX)
        s->schedule.threads_most = STRESS_THREADS_MAX;
    if (s->schedule.threads_most < ROLES_MAX + 1 && !wished)
        s->layout.slots = ROLES_MAX + 2;
    else
        s->layout.slots = s->schedule.threads_most + 1;
}

static void prepare(struct stress_state *s)
{
    struct stress_run *run = s->run;
    const struct stress_options *o = &run->options;
    choose_threads(s);
    s->schedule.seed = o->seed;
    s->schedule.ops = o->ops;
    s->schedule.by_number = o->time <= 0 && o->rounds;
    s->schedule.is_whole = o->ask.quasi != NULL;
    s->schedule.calls_most = CALLS_MOST;
    s->layout.capacity = CALLS_MOST + STRESS_SPARE;
    s->layout.area_size = s->layout.slots > MANY_SLOTS ? AREA_SMALL : AREA_USUAL;
    s->question = (struct stress_question){.harness = &run->harness, .ask = o->ask};
    if (s->question.ask.time <= 0)
        s->question.ask.time = HISTORY_SECONDS;
    enum stamps stamps = stamps_choose(o->raw, run->result.stamps, sizeof run->result.stamps);
    run->options.wishes.stamps = stamps;
    run->options.wishes.final_most = UINT32_MAX / 2;
    run->result.by_clock_only = stamps == STAMPS_RAW;
    s->stamps_per_second = stamps_per_second(stamps);
}

/* ------------------------------------------------------------------ rounds */

static bool is_enough(const struct stress_state *s, uint64_t number)
{
    const struct stress_options *o = &s->run->options;
    if (stress_is_stopped(s) || (o->rounds && number > o->rounds))
        return true;
    return number > 1 && s->deadline > 0 && base_now() >= s->deadline;
}

/* What has ended is judged while the next one goes on. */
static void keep_for_later(struct stress_state *s)
{
    struct stress_log spare = s->log_before;
    s->log_before = s->log;
    s->log = spare;
    s->before = s->round;
    s->has_before = true;
}

/* Of a round that came to its end. False: the run is over. */
static bool end_round(struct stress_state *s)
{
    struct stress_result *r = &s->run->result;
    if (s->account.abandoned) {
        stress_drop_follower(s);
        r->abandoned++;
        return true;
    }
    if (s->account.invariant_bad) {
        stress_conclude_invariant(s);
        return false;
    }
    if (s->follower)
        return stress_judge_long(s, STRESS_ENDED);
    if (stress_harness_is_judged(&s->run->harness))
        keep_for_later(s);
    else
        r->rounds++;
    return true;
}

/* The process is in the middle of the round: another one has to go on. */
static bool end_otherwise(struct stress_state *s, enum stress_ending ending)
{
    bool goes_on = ending == STRESS_STOPPED || ending == STRESS_DECIDED ? stress_judge_long(s, ending)
                                                                        : stress_conclude_ending(s, ending);
    return goes_on && ending != STRESS_STOPPED && stress_start_program(s);
}

static bool run_round(struct stress_state *s, uint64_t number)
{
    stress_begin_round(s, number);
    if (!stress_judge_before(s))
        return false;
    enum stress_ending ending = stress_follow_round(s);
    return ending == STRESS_ENDED ? end_round(s) : end_otherwise(s, ending);
}

static void run_rounds(struct stress_state *s)
{
    uint64_t number = 1;
    s->started = base_now();
    s->deadline = s->run->options.time > 0 ? s->started + s->run->options.time : 0;
    s->question.deadline = s->deadline ? s->deadline + STREAM_SECONDS : 0;
    s->question.stop = s->run->options.listener.stop;
    while (!is_enough(s, number) && run_round(s, number))
        number++;
    if (!s->run->result.finding && !s->run->error.code)
        stress_judge_before(s);
    s->run->result.seconds = base_now() - s->started;
    s->run->result.found_at = s->run->result.finding ? s->run->result.seconds : 0;
    s->run->result.interrupted |= stress_is_stopped(s);
}

/* ------------------------------------------------------------------ the whole */

/* A run in which nothing was judged says nothing. */
static void explain_nothing(struct stress_result *r)
{
    if (*r->limit || (r->rounds && r->recorded))
        return;
    if (r->rounds)
        snprintf(r->limit, sizeof r->limit, "no round had a call");
    else
        snprintf(r->limit, sizeof r->limit, "no round %s",
                 r->given_up    ? "came to its end: in every one all calls waited, and may"
                 : r->abandoned ? "was judged: every one failed an assumption"
                                : "was judged");
}

static void conclude(struct stress_state *s)
{
    struct stress_result *r = &s->run->result;
    if (!r->finding && !s->run->error.code)
        explain_nothing(r);
    r->threads = s->schedule.threads;
    r->threads_most = s->schedule.threads_most;
    if (r->finding)
        r->verdict = VERDICT_VIOLATED;
    else if (*r->limit)
        r->verdict = VERDICT_INCONCLUSIVE;
    else if (!s->run->error.code)
        r->verdict = VERDICT_SURVIVED;
}

static void free_state(struct stress_state *s)
{
    stress_drop_follower(s);
    stress_program_free(&s->program);
    stress_log_free(&s->log);
    stress_log_free(&s->log_before);
    free(s->plan);
    target_program_free(s->built);
    free(s);
}

static bool open_recorder(struct stress_state *s)
{
    const char *path = s->run->options.record;
    s->recorder = path ? stress_recorder_open(path, &s->run->harness) : NULL;
    if (!path || s->recorder)
        return true;
    snprintf(s->run->error.file, sizeof s->run->error.file, "%s", path);
    return diagnostic_set(&s->run->error, PL_CANNOT_OPEN, 0, 0, "cannot write: %s", strerror(errno));
}

static void close_recorder(struct stress_state *s)
{
    struct stress_run *run = s->run;
    errno = 0;
    run->result.record_is_cut = !stress_recorder_close(s->recorder);
    run->result.record_error = errno;
    s->recorder = NULL;
}

void stress_run(struct stress_run *run)
{
    struct stress_state *s = NEW(struct stress_state);
    s->run = run;
    s->program.pid = s->program.output.descriptor = -1;
    s->built = target_build_native(&run->options.source, run->options.wishes.noise > 0, &run->error);
    if (s->built) {
        prepare(s);
        if (stress_start_program(s) && open_recorder(s))
            run_rounds(s);
        close_recorder(s);
        conclude(s);
    }
    free_state(s);
}

void stress_run_free(struct stress_run *run)
{
    stress_finding_free(run->result.finding);
    vec_free(&run->result.samples.list);
    stress_notes_free(&run->notes);
    stress_harness_free(&run->harness);
}
