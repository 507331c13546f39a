/* SPDX-License-Identifier: Apache-2.0 */
/* The process under test: started, given rounds, watched. */
#include "base/budget.h"
#include "record/stamps.h"
#include "stress/stress_state.h"

#include <stdio.h>
#include <string.h>

enum { CALLS_KEPT = 2000000 }; /* of a long round */
static const double WAIT_SECONDS = 0.05, BEAT_SECONDS = 0.1, LAST_SECONDS = 0.5;
static const int STARVED_FACTOR = 3;

bool stress_is_stopped(const struct stress_state *s)
{
    const volatile sig_atomic_t *stop = s->run->options.listener.stop;
    return stop && *stop;
}

/* ------------------------------------------------------------------ the watchdog */

static uint64_t progress_of(const struct stress_state *s)
{
    const struct stress_shared *shared = s->program.shared;
    uint64_t sum = atomic_load(&shared->beats) + ((uint64_t)atomic_load(&shared->phase) << 32);
    for (uint32_t slot = 0; slot < s->layout.slots; slot++)
        sum += atomic_load_explicit(&shared->slot[slot].returned, memory_order_relaxed);
    return sum;
}

static void restart_watchdog(struct stress_state *s)
{
    s->progress = progress_of(s);
    s->progress_time = s->looked = base_now();
    s->quiet = 0;
    s->progress_processor = launch_processor_seconds(stress_program_runner(&s->program));
}

/* On a machine with too much to do this process gets its processor late, as the program does, whose output waits for it, too:
 * of the time between two looks, what this process did not ask for does not count. */
static void note_look(struct stress_state *s)
{
    double now = base_now(), passed = now - s->looked;
    s->quiet += passed < 2 * WAIT_SECONDS ? passed : 2 * WAIT_SECONDS;
    s->looked = now;
}

/* Threads that want to run and do not get a processor do not hang. */
static bool makes_no_progress(struct stress_state *s)
{
    double most = s->run->options.hang;
    if (progress_of(s) != s->progress) {
        restart_watchdog(s);
        return false;
    }
    note_look(s);
    if (s->quiet < most)
        return false;
    double used = launch_processor_seconds(stress_program_runner(&s->program)) - s->progress_processor;
    bool is_starved = used > most / 100 && used < most;
    return !is_starved || s->quiet > STARVED_FACTOR * most;
}

/* ------------------------------------------------------------------ starting */

/* Before each round: the program may have written over it in the one before. */
static void send_plan(struct stress_state *s)
{
    memcpy(&s->program.shared->plan, s->plan, sizeof *s->plan);
}

static bool wait_for_list(struct stress_state *s)
{
    struct stress_program *p = &s->program;
    restart_watchdog(s);
    for (;;) {
        uint32_t seen = atomic_load(&p->shared->beats), phase = atomic_load(&p->shared->phase);
        if (phase == STRESS_LISTED || phase == STRESS_REFUSED)
            return true;
        if (stress_is_stopped(s) || p->has_ended || makes_no_progress(s))
            return false;
        stress_program_wait(p, seen, WAIT_SECONDS);
    }
}

/* Why it did not come to its list. */
static void explain_no_start(struct stress_state *s)
{
    struct stress_run *run = s->run;
    struct stress_program *p = &s->program;
    if (stress_is_stopped(s))
        run->result.interrupted = true;
    else if (p->has_ended)
        stress_conclude_ending(s, STRESS_DIED);
    else
        diagnostic_set(&run->error, PL_CANNOT_RUN, 0, 0,
                       "the program does not come to its operations: nothing happened for %.0f seconds "
                       "before that",
                       run->options.hang);
}

/* What keeps rounds short. */
static void limit_rounds(struct stress_state *s)
{
    struct stress_run *run = s->run;
    s->schedule.values = stress_plan_values(&run->harness);
    for (size_t i = 0; i < run->harness.objects.len; i++) {
        const struct plumb_spec *spec = run->harness.objects.data[i].spec;
        s->schedule.is_hard |= spec && spec->kind == PLUMB_KIND_DEQUE;
    }
    if (s->schedule.ops >= 0)
        return;
    if (s->schedule.values)
        stress_note(&run->notes, "no long rounds: the type of elements has so few values that they repeat");
    else if (s->schedule.is_hard)
        stress_note(&run->notes, "no long rounds: histories of a deque are decided by search");
}

static bool make_plan(struct stress_state *s)
{
    struct stress_run *run = s->run;
    struct stress_shared *shared = s->program.shared;
    OWNED char *list = base_strndup(shared->list, strnlen(shared->list, STRESS_LIST_BYTES));
    if (!stress_program_has_signed(&s->program, list, strlen(list) + 1))
        return diagnostic_set(
            &run->error, PL_CANNOT_RUN, 0, 0,
            "the program wrote over memory of the runtime: the list of its operations has no "
            "valid signature");
    uint32_t threads = s->schedule.threads_most, least = s->schedule.threads;
    struct stress_plan *plan = NEW(struct stress_plan);
    if (!stress_harness_read(&run->harness, list, strlen(list), run->options.spec, &run->error) ||
        !stress_plan_make(plan, &run->harness, &run->options.wishes, &threads, &run->notes, &run->error)) {
        free(plan);
        return false;
    }
    s->plan = plan;
    limit_rounds(s);
    s->schedule.threads_most = threads;
    uint32_t roles = stress_count_roles(&run->harness);
    least = least < roles ? roles : least;
    s->schedule.threads = threads < least ? threads : least;
    return true;
}

bool stress_start_program(struct stress_state *s)
{
    struct stress_run *run = s->run;
    if (!stress_program_start(&s->program, s->built->path, &s->layout, &run->error))
        return false;
    if (!wait_for_list(s)) {
        explain_no_start(s);
        return false;
    }
    if (atomic_load(&s->program.shared->phase) == STRESS_REFUSED)
        return diagnostic_set(&run->error, PL_HARNESS, 0, 0, "%.*s", STRESS_MESSAGE - 1,
                              s->program.shared->message);
    if (!s->plan && !make_plan(s))
        return false;
    s->rounds_of_process = 0;
    return true;
}

/* ------------------------------------------------------------------ a round */

/* No more can be taken out than was put in: an object that is broken may answer forever. A round without end is followed by the
 * monitor, which notices. */
static void limit_finals(struct stress_state *s)
{
    const struct stress_round *r = &s->round;
    uint64_t most = s->run->options.wishes.final_most, calls = (uint64_t)r->threads * r->calls;
    if (r->segments && r->segments <= most / (calls + 1))
        most = calls * r->segments + 1;
    for (uint32_t k = 0; k < s->plan->final_count; k++)
        if (s->plan->finals[k].until_null)
            s->program.shared->plan.finals[k].until_null = (uint32_t)most;
}

/* Priorities are all different, which is easy to decide; in some short rounds there are few, so that equal ones meet. */
static void choose_priorities(struct stress_state *s)
{
    enum { EQUAL_EACH = 4, CALLS_FEW = 2000 };
    const struct stress_round *r = &s->round;
    bool are_equal = r->number % EQUAL_EACH == 0 && r->segments == 1 && !s->schedule.is_whole &&
                     (uint64_t)r->calls * r->threads <= CALLS_FEW;
    for (size_t k = 0; k < s->run->harness.operations.len; k++)
        for (size_t i = 0; i < STRESS_ARGUMENTS; i++)
            if (s->plan->operations[k].arguments[i] == STRESS_PRIORITY)
                s->program.shared->plan.operations[k].arguments[i] =
                    (char)(are_equal ? STRESS_KEY : STRESS_PRIORITY);
}

void stress_begin_round(struct stress_state *s, uint64_t number)
{
    struct stress_shared *shared = s->program.shared;
    s->round = stress_schedule_next(&s->schedule, number, base_now());
    stress_log_begin(&s->log);
    s->round_calls = 0;
    if (stress_round_is_long(&s->schedule, &s->round) && stress_harness_is_judged(&s->run->harness))
        s->follower = stress_follow(&s->question);
    atomic_store(&shared->finished, 0);
    atomic_store(&shared->consumed, 0);
    atomic_store(&shared->stop, 0);
    atomic_store(&shared->abandoned, 0);
    atomic_store(&shared->invariant_bad, 0);
    for (uint32_t slot = 0; slot < s->layout.slots; slot++)
        memset(shared->slot[slot].counts, 0, sizeof shared->slot[slot].counts);
    shared->round = s->round;
    send_plan(s);
    limit_finals(s);
    choose_priorities(s);
    restart_watchdog(s);
    stress_program_set(&s->program, &shared->go, ++s->rounds_of_process);
}

/* Counts, and the time between the first call and the last return of a segment. */
static void note_recording(struct stress_state *s, size_t from)
{
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (size_t i = from; i < s->log.calls.len; i++) {
        const struct stress_call *c = &s->log.calls.data[i];
        first = c->call < first ? c->call : first;
        last = c->ret > last ? c->ret : last;
        s->run->result.unknown += !c->pending && c->result == PLUMB_ANY;
    }
    if (last > first && s->stamps_per_second > 0)
        s->run->result.recording += (double)(last - first) / s->stamps_per_second;
    s->run->result.recorded += s->log.calls.len - from;
    s->round_calls += s->log.calls.len - from;
}

/* False: the follower has seen enough. */
static bool follow_segment(struct stress_state *s, size_t from)
{
    double start = base_now();
    bool goes_on = stress_follower_take(s->follower, &s->log, from);
    s->run->result.judging += base_now() - start;
    s->run->result.judged += s->log.calls.len - from;
    return goes_on;
}

/* Reads one segment and lets the program use its bank again, before anything is judged. */
static bool take_segment(struct stress_state *s, uint32_t number, enum stress_ending *ending)
{
    size_t from = s->log.calls.len;
    *ending = STRESS_SENSELESS;
    if (!stress_log_read(&s->log, &s->program, number % STRESS_BANKS, s->round.threads + 1,
                         (uint32_t)s->run->harness.operations.len, true))
        return false;
    stress_program_set(&s->program, &s->program.shared->consumed, number + 1);
    note_recording(s, from);
    if (s->recorder)
        stress_recorder_add(s->recorder, &s->log, from, s->round.number);
    *ending = STRESS_DECIDED;
    if (s->follower && !follow_segment(s, from))
        return false;
    if (s->log.calls.len > CALLS_KEPT)
        stress_log_drop(&s->log);
    return true;
}

/* All segments that are there. False: *ending says why not. */
static bool take_segments(struct stress_state *s, uint32_t *taken, enum stress_ending *ending)
{
    uint32_t finished = atomic_load(&s->program.shared->finished);
    if (finished - *taken > STRESS_BANKS) {
        snprintf(s->log.problem, sizeof s->log.problem, "the number of segments is none");
        *ending = STRESS_SENSELESS;
        return false;
    }
    for (; *taken != finished; ++*taken)
        if (!take_segment(s, *taken, ending))
            return false;
    return true;
}

/* When there are too many, every other one is left out. */
static void note_sample(struct stress_result *r)
{
    struct stress_samples *all = &r->samples;
    static const double first_distance = 0.05;
    if (r->seconds < all->next)
        return;
    if (all->list.len == STRESS_SAMPLES_MOST) {
        for (size_t i = 0; i < STRESS_SAMPLES_MOST / 2; i++)
            all->list.data[i] = all->list.data[2 * i + 1];
        all->list.len /= 2;
        all->distance *= 2;
    }
    all->distance = all->distance > 0 ? all->distance : first_distance;
    all->next = r->seconds + all->distance;
    vec_push(&all->list, ((struct report_sample){r->seconds, r->recorded, r->judged}));
}

static void beat(struct stress_state *s)
{
    const struct stress_listener *l = &s->run->options.listener;
    double now = base_now();
    s->run->result.seconds = now - s->started;
    note_sample(&s->run->result);
    if (!l->beats || now < s->next_beat)
        return;
    s->next_beat = now + BEAT_SECONDS;
    l->beats(l->context, &s->run->result);
}

static bool is_to_end(const struct stress_state *s)
{
    double now = base_now();
    return (s->deadline > 0 && now >= s->deadline) || stress_is_stopped(s) ||
           stress_schedule_is_over(&s->schedule, &s->round, now) ||
           (s->follower && stress_follower_is_full(s->follower));
}

/* What the runtime says of the round that has ended. False: it does not say so, or says what was not recorded. */
static bool take_account(struct stress_state *s, uint32_t segments)
{
    struct stress_account *a = &s->account;
    *a = s->program.shared->account;
    bool is_signed = stress_program_has_signed(&s->program, a, sizeof *a);
    bool is_round = a->number == s->round.number && a->seed == s->round.seed &&
                    a->rounds == s->rounds_of_process && a->segments == segments;
    if (is_signed && is_round && (a->abandoned || a->calls == s->round_calls))
        return true;
    snprintf(s->log.problem, sizeof s->log.problem, "%s",
             is_signed ? "calls are missing" : "its end has no valid signature");
    return false;
}

enum stress_ending stress_follow_round(struct stress_state *s)
{
    struct stress_shared *shared = s->program.shared;
    enum stress_ending ending;
    uint32_t taken = 0;
    double stopped = 0; /* since when somebody waits */
    for (;;) {
        uint32_t seen = atomic_load(&shared->beats), ended = atomic_load(&shared->ended), before = taken;
        bool is_dead = stress_program_look(&s->program) || atomic_load(&shared->crash.signal);
        if (!take_segments(s, &taken, &ending))
            return ending;
        if (taken != before)
            restart_watchdog(s);
        if (ended == s->rounds_of_process)
            return take_account(s, taken) ? STRESS_ENDED : STRESS_SENSELESS;
        if (is_dead)
            return STRESS_DIED;
        if (atomic_load(&shared->phase) == STRESS_REFUSED)
            return STRESS_UNABLE;
        if (!atomic_load(&shared->stop) && is_to_end(s))
            stress_program_set(&s->program, &shared->stop, 1);
        if (stress_is_stopped(s) && !stopped)
            stopped = base_now();
        if (stopped && base_now() - stopped > LAST_SECONDS)
            return STRESS_STOPPED;
        if (makes_no_progress(s))
            return STRESS_NO_PROGRESS;
        beat(s);
        stress_program_wait(&s->program, seen, WAIT_SECONDS);
    }
}
