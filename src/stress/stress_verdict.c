/* SPDX-License-Identifier: Apache-2.0 */
/* What rounds come to: holds, a finding, or a limit. */
#include "base/budget.h"
#include "base/shell_word.h"
#include "ownspec/guard.h"
#include "spec/registry.h"
#include "stress/stress_state.h"
#include "stress/stress_stuck.h"
#include "target/process.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const double CONFIRM_SECONDS = 60;

static void set_limit(struct stress_state *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The first one counts. */
static void set_limit(struct stress_state *s, const char *format, ...)
{
    struct stress_result *r = &s->run->result;
    va_list args;
    if (*r->limit)
        return;
    va_start(args, format);
    vsnprintf(r->limit, sizeof r->limit, format, args);
    va_end(args);
}

static struct stress_scene scene_of(const struct stress_round *round)
{
    return (struct stress_scene){
        .round = *round, .phase = STRESS_RUNNING, .exit_code = -1, .slot = STRESS_NO_SLOT};
}

/* ------------------------------------------------------------------ histories */

/* "plumb monitor --spec queue q.stress.jsonl" */
static char *replay_command(const struct stress_state *s, uint32_t object, const char *saved)
{
    const struct stress_options *o = &s->run->options;
    const struct stress_object *judged = &s->run->harness.objects.data[object];
    struct text t = {0};
    bool is_own = guard_is_file(o->spec) && judged->spec == spec_added();
    text_puts(&t, "plumb monitor --spec");
    shell_add_word(&t, is_own ? o->spec : judged->spec_text);
    if (o->ask.init)
        text_puts(&t, " --init"), shell_add_word(&t, o->ask.init);
    if (o->ask.quasi)
        text_puts(&t, " --quasi"), shell_add_word(&t, o->ask.quasi);
    shell_add_file(&t, saved);
    return text_take(&t);
}

/* Judges what was saved, from the file. */
static void judge_again(struct stress_state *s, const struct stress_log *log, uint32_t object,
                        const char *saved, struct pipeline_input *in)
{
    const struct plumb_spec *spec = s->run->harness.objects.data[object].spec;
    struct pipeline_question ask = s->question.ask;
    ask.time = CONFIRM_SECONDS;
    if (saved)
        pipeline_judge_file(in, saved, spec, &ask);
    else
        pipeline_judge_history(in, s->run->options.name,
                               stress_history(log, &s->run->harness, object, stress_log_base(log), 0), spec,
                               &ask);
}

static void find_violation(struct stress_state *s, const struct stress_log *log,
                           const struct stress_round *round, uint32_t object)
{
    struct pipeline_input in;
    struct stress_scene scene = scene_of(round);
    char *saved = stress_save_history(s, log, object);
    judge_again(s, log, object, saved, &in);
    if (in.error.code || in.result.verdict != VERDICT_VIOLATED) {
        set_limit(
            s, "not confirmed: the history of round %" PRIu64 " was found to be wrong, but, judged again: %s",
            round->number, in.error.code ? in.error.message : verdict_name(in.result.verdict));
        pipeline_free(&in);
        free(saved);
        return;
    }
    OWNED char *replay = saved ? replay_command(s, object, saved) : NULL;
    s->run->result.finding = stress_finding_of_history(&scene, &in, replay);
    s->run->result.finding->saved = saved;
}

/* False: there is nothing to go on with. */
static bool take_answer(struct stress_state *s, const struct stress_answer *a, const struct stress_log *log,
                        const struct stress_round *round)
{
    struct stress_run *run = s->run;
    if (a->error.code) {
        run->error = a->error;
        run->error.line = run->error.column = 0; /* of no file */
        run->error.code = a->error.code == PL_BAD_ARGUMENT ? PL_HARNESS : a->error.code;
        return false;
    }
    if (a->verdict == VERDICT_INCONCLUSIVE) {
        run->result.undecided++;
        set_limit(s, "the history of round %" PRIu64 " was not decided: %s", round->number, a->limit);
    }
    if (a->verdict == VERDICT_VIOLATED)
        find_violation(s, log, round, a->object);
    return a->verdict != VERDICT_VIOLATED;
}

static void judge_whole(struct stress_state *s, const struct stress_log *log, struct stress_answer *a)
{
    double start = base_now();
    stress_judge_whole(log, &s->question, a);
    s->run->result.judging += base_now() - start;
    s->run->result.judged += log->calls.len;
}

bool stress_judge_before(struct stress_state *s)
{
    struct stress_answer a;
    if (!s->has_before)
        return true;
    s->has_before = false;
    judge_whole(s, &s->log_before, &a);
    s->run->result.rounds++;
    return take_answer(s, &a, &s->log_before, &s->before);
}

/* The round is too long to be kept: what the stream has is all there is. */
static void find_in_stream(struct stress_state *s, struct pipeline_input *in)
{
    struct stress_scene scene = scene_of(&s->round);
    in->name = in->path = s->run->options.name;
    s->run->result.finding = stress_finding_of_history(&scene, in, NULL);
    s->run->result.finding->missing = s->log.dropped;
}

bool stress_judge_long(struct stress_state *s, enum stress_ending ending)
{
    bool ended = ending == STRESS_ENDED;
    struct stress_answer a;
    struct pipeline_input in = {0};
    if (!s->follower)
        return true;
    double start = base_now();
    stress_follower_end(s->follower, ended, &a, &in);
    s->follower = NULL;
    s->run->result.judging += base_now() - start;
    if (a.verdict == VERDICT_VIOLATED && s->log.is_cut) {
        find_in_stream(s, &in);
        return false;
    }
    if (a.verdict == VERDICT_VIOLATED)
        pipeline_free(&in);
    else if (a.verdict == VERDICT_INCONCLUSIVE && ended && !s->log.is_cut)
        judge_whole(s, &s->log, &a); /* which has fewer limits */
    if (ending == STRESS_STOPPED && a.verdict == VERDICT_INCONCLUSIVE)
        return true;
    s->run->result.rounds++;
    s->run->result.long_rounds++;
    return take_answer(s, &a, &s->log, &s->round);
}

void stress_drop_follower(struct stress_state *s)
{
    struct stress_answer ignored;
    struct pipeline_input in = {0};
    if (s->follower)
        stress_follower_end(s->follower, false, &ignored, &in);
    if (in.history)
        pipeline_free(&in);
    s->follower = NULL;
}

/* ------------------------------------------------------------------ ends that are none */

/* Takes what is recorded of calls that have not come to the end of their segment. */
static void read_open(struct stress_state *s)
{
    uint32_t bank = atomic_load(&s->program.shared->finished) % STRESS_BANKS;
    stress_log_read(&s->log, &s->program, bank, s->round.threads + 1,
                    (uint32_t)s->run->harness.operations.len, false);
}

static void keep_output(struct stress_state *s, struct stress_finding *f)
{
    const struct text *t = &s->program.output.text;
    if (t->len)
        text_add(&f->output, t->data, t->len);
}

static void find_error(struct stress_state *s, enum stress_error error, const struct stress_scene *scene)
{
    struct stress_finding *f =
        stress_finding_make(error, scene, &s->run->harness, &s->log, s->run->options.name);
    if (!s->program.has_ended && error != STRESS_BAD_INVARIANT)
        stress_finding_take_stacks(f, &s->program);
    stress_program_kill(&s->program);
    keep_output(s, f);
    s->run->result.finding = f;
}

void stress_conclude_invariant(struct stress_state *s)
{
    struct stress_scene scene = scene_of(&s->round);
    scene.phase = STRESS_INVARIANT;
    find_error(s, STRESS_BAD_INVARIANT, &scene);
}

/* Signals that somebody else sends; everything else the program does to itself. */
static bool is_from_outside(int number)
{
    return number == SIGKILL || number == SIGTERM || number == SIGINT || number == SIGHUP;
}

static void conclude_death(struct stress_state *s, struct stress_scene *scene)
{
    const struct stress_shared *shared = s->program.shared;
    uint32_t noted = atomic_load(&shared->crash.signal);
    char name[32];
    scene->signal = noted ? (int)noted : s->program.signal;
    scene->exit_code = s->program.exit_code;
    if (noted) {
        scene->slot = shared->crash.slot;
        snprintf(scene->message, sizeof scene->message, "%.*s", (int)sizeof scene->message - 1,
                 shared->message);
    }
    if (is_from_outside(scene->signal)) {
        target_signal_name(scene->signal, name, sizeof name);
        set_limit(s, "the program was killed from outside by %s in round %" PRIu64 "%s", name,
                  scene->round.number,
                  scene->signal == SIGKILL ? ", perhaps because the system had no memory left" : "");
    } else if (scene->signal)
        find_error(s, STRESS_CRASHED, scene);
    else if (scene->phase == STRESS_STARTING)
        diagnostic_set(
            &s->run->error, PL_CANNOT_RUN, 0, 0,
            "the program ended with exit code %d before it came to its operations (a harness has no "
            "main function of its own)",
            scene->exit_code);
    else
        find_error(s, STRESS_EXITED, scene);
}

/* What it answered until then has to be right all the same. */
static bool give_up_round(struct stress_state *s)
{
    struct stress_answer a;
    s->run->result.given_up++;
    stress_drop_follower(s);
    if (s->question.ask.quasi) /* which knows no operations that are open */
        return true;
    judge_whole(s, &s->log, &a);
    return take_answer(s, &a, &s->log, &s->round);
}

/* Every open call may wait: it is the test that was unlucky. The program has to be started again. */
static bool conclude_hang(struct stress_state *s, struct stress_scene *scene)
{
    bool in_calls = scene->phase == STRESS_RUNNING || scene->phase == STRESS_FINAL;
    enum verdict may = in_calls ? stress_may_be_stuck(&s->log, &s->question) : VERDICT_VIOLATED;
    if (may == VERDICT_HOLDS)
        return give_up_round(s);
    scene->waited = base_now() - s->progress_time;
    const char *unknown = stress_open_without_spec(&s->log, &s->run->harness);
    if (may == VERDICT_VIOLATED)
        find_error(s, STRESS_HANGS, scene);
    else if (unknown)
        set_limit(
            s,
            "no call of round %" PRIu64 " returned for %.0f seconds, and no specification says if %s() "
            "may wait there: name one with --spec, or ask 'plumb auto', which compares with serial runs",
            scene->round.number, scene->waited, unknown);
    else
        set_limit(s,
                  "no call of round %" PRIu64 " returned for %.0f seconds; whether all of them may wait "
                  "there was not decided",
                  scene->round.number, scene->waited);
    return false;
}

bool stress_conclude_ending(struct stress_state *s, enum stress_ending ending)
{
    struct stress_scene scene = scene_of(&s->round);
    uint32_t phase = atomic_load(&s->program.shared->phase);
    scene.phase = phase <= STRESS_WAITING ? phase : STRESS_RUNNING;
    if (ending == STRESS_SENSELESS) {
        set_limit(s,
                  "what round %" PRIu64 " recorded makes no sense (%s): the program wrote over it, or an "
                  "operation answers something that is no value of plumb.h",
                  s->round.number, s->log.problem);
        return false;
    }
    if (ending == STRESS_UNABLE) {
        set_limit(s, "round %" PRIu64 ": %.*s", s->round.number, STRESS_MESSAGE - 1,
                  s->program.shared->message);
        return false;
    }
    if (s->plan)
        read_open(s);
    if (ending == STRESS_NO_PROGRESS)
        return conclude_hang(s, &scene);
    conclude_death(s, &scene);
    return false;
}
