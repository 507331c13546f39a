/* SPDX-License-Identifier: Apache-2.0 */
/* From what the workers found to the verdict, and what limits it. */
#include "base/interruption.h"
#include "base/terminal.h"
#include "campaign/annotated.h"
#include "campaign/campaign.h"
#include "campaign/campaign_confirm.h"
#include "campaign/campaign_races.h"
#include "explain/program/explain_error.h"
#include "campaign/campaign_run.h"
#include "machine/known_calls.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

size_t campaign_count_confirmed(const struct campaign *c)
{
    size_t count = 0;
    while (count < c->errors.len && c->errors.data[count].confirmed.run.answer == CONFIRM_SAME)
        count++;
    return count;
}

bool campaign_is_violated(const struct campaign *c)
{
    return campaign_count_confirmed(c) > 0;
}

/* What was met and not, or not wholly, looked at; first what makes the answer inconclusive. */
static const struct {
    uint32_t bit;
    const char *text;
} limit_texts[] = {
    {LIMIT_SERIAL, "a serial run of the test was cut at the step limit: without all of them no specification "
                   "is derived"},
    {LIMIT_STEPS, "executions were cut at the step limit"},
    {LIMIT_RACES, "races were met: --mode all tries what they may lead to"},
    {LIMIT_EXECUTIONS, "executions beyond the number asked for were left out"},
    {LIMIT_NONDETERMINISM, "nondeterministic program: it did something else when an execution was repeated"},
    {LIMIT_AFTER_RACE, "executions beyond a data race were left out"},
    {LIMIT_PART,
     "a lock turned out to be more than a mutex in one part of the exploration, and the other parts do "
     "not know: explore it as a whole"},
    {LIMIT_FOLDING, "a race with a round that was folded may have been missed: check with --no-fold"},
    {LIMIT_THREADS, "more threads than can be tracked"},
    {LIMIT_OPERATIONS, "histories of the test, which has more than 64 operations, were not judged"},
    {LIMIT_CALLS, "executions with more than 64 annotated calls, more ordering points than are kept, or a "
                  "longjmp that may have "
                  "left an annotated call, were not judged"},
    {LIMIT_MARKS, "further rounds of a loop that only waits were left out, with annotated calls or ordering "
                  "points in them"},
    {LIMIT_PENDING, "executions in which an annotated call did not return, and its @SideEffect uses __RET__, "
                    "were not judged"},
    {LIMIT_SPURIOUS, "spurious wake-ups not tried (--spurious)"},
    {LIMIT_WEAK_CAS, "failures of weak CAS not tried (--weak-cas)"},
    {LIMIT_WEAK_LOST, "failures of weak CAS not tried: the compiler makes weak ones strong"},
    {LIMIT_IN_A_ROW, "spurious wake-ups and failures not tried twice in a row at one place"},
    {LIMIT_TIMES, "other orders of sleeps and looks at the clock not tried (--mode dfs)"},
    {LIMIT_READ_AGAIN, "read locks taken again behind a waiting writer not tried"},
    {LIMIT_CHANCE, "other random numbers not tried"},
    {LIMIT_REUSE, "reuse of freed memory not tried (--reuse)"},
    {LIMIT_SYMMETRY, "--symmetry had no effect: the program distinguishes threads that do the same, or has "
                     "mixed-size atomics"},
};

const char *campaign_next_limit(uint32_t *bits)
{
    for (size_t k = 0; k < sizeof limit_texts / sizeof *limit_texts; k++)
        if (*bits & limit_texts[k].bit) {
            *bits &= ~limit_texts[k].bit;
            return limit_texts[k].text;
        }
    return NULL;
}

static void add_limit(struct campaign *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add_limit(struct campaign *c, const char *format, ...)
{
    struct text t = {0};
    va_list args;
    va_start(args, format);
    text_vprintf(&t, format, args);
    va_end(args);
    vec_push(&c->limits, text_take(&t));
}

static void add_note(void *context, const char *text)
{
    add_limit(context, "%s", text);
}

static void add_limits_of(struct campaign *c, uint32_t bits)
{
    for (const char *text; (text = campaign_next_limit(&bits));)
        add_limit(c, "%s", text);
}

static void add_unsupported(struct campaign *c)
{
    const struct worker_shared *s = c->result.unsupported;
    struct text t = {0};
    bool assembly = strncmp(s->unsupported, "inline assembly", 15) == 0;
    char *place = !s->unsupported_pc ? NULL
                  : assembly         ? code_function(s, s->unsupported_pc)
                                     : code_place(s, s->unsupported_pc);
    text_puts(&t, "not supported: ");
    terminal_add_safe(&t, s->unsupported);
    if (place)
        text_printf(&t, " (%s)", place);
    if (place && known_is_openmp(place))
        text_puts(&t, ": " KNOWN_OPENMP);
    vec_push(&c->limits, text_take(&t));
    free(place);
}

char *campaign_describe_unpredictable(const struct worker_shared *s)
{
    struct text t = {0};
    char *place = *s->unpredictable_by ? code_place(s, s->unpredictable_pc) : NULL;
    text_puts(&t, "not deterministic: ");
    terminal_add_safe(&t, s->unpredictable);
    if (*s->unpredictable_by)
        text_printf(&t, " (%s", s->unpredictable_by);
    if (place)
        text_printf(&t, " at %s", place);
    text_puts(&t, *s->unpredictable_by ? ")" : "");
    free(place);
    return text_take(&t);
}

static void add_cut_loop(struct campaign *c)
{
    const struct campaign_bounds *b = &c->result.bounds;
    bool whole = !c->limits.len && !c->errors.len && !c->result.failing && !c->result.timed_out;
    if (b->met_count)
        vec_push(&c->limits, bounds_describe(b, target_shared(c->workers[0]), whole));
    else /* that was in a run that this one went on from */
        add_limit(c, "executions were cut after %" PRIu64 " more steps at one place than in the first",
                  c->options.loops);
}

/* Where a thread of the first of them came most often. */
static void add_cut(struct campaign *c, const struct worker_shared *s)
{
    uint32_t bits = s->limits & LIMIT_SERIAL ? LIMIT_SERIAL : LIMIT_STEPS;
    const char *text = campaign_next_limit(&bits);
    char *place = code_place(s, s->loops.cut_pc);
    add_limit(c, "%s%s%s%s", text, place ? " (" : "", place ? place : "", place ? ")" : "");
    free(place);
}

/* There was no time for a bound, or there are errors to be reported. */
static void add_suspected(struct campaign *c, const struct worker_shared *s)
{
    char *place = code_place(s, s->loops.suspect.pc);
    add_limit(c, "a loop seems to have no end (%s): executions with more rounds of it were left out",
              place ? place : "its place is not known");
    free(place);
}

/* A worker that knows more about why executions differ than that they do. */
static const struct worker_shared *find_divergence(const struct campaign *c)
{
    const struct worker_shared *found = NULL;
    for (uint64_t k = 0; k < c->options.jobs; k++) {
        const struct worker_shared *s = c->workers[k] ? target_shared(c->workers[k]) : NULL;
        if (s && s->limits & LIMIT_NONDETERMINISM && (!found || *s->unpredictable))
            found = s;
    }
    return found;
}

static void add_place(struct text *t, const char *before, const struct worker_shared *s, uint64_t pc)
{
    OWNED char *place = pc ? code_place(s, pc) : NULL;
    if (place)
        text_printf(t, "%s%s", before, place);
}

/* The first whose answer is another one each time; null: there is none. */
static const struct worker_answer *find_instruction(const struct worker_shared *s)
{
    const uint32_t room = sizeof s->answers / sizeof *s->answers;
    for (uint32_t k = 0; k < s->answer_count && k < room; k++)
        if (!s->answers[k].is_given)
            return &s->answers[k];
    return NULL;
}

/* If it looks at the clock, that is why, as a rule. */
static void add_likely_cause(struct text *t, const struct worker_shared *s)
{
    if (*s->clock_function) {
        text_printf(t, "; it reads the clock: %s", s->clock_function);
        add_place(t, ", ", s, s->clock_pc);
    } else if (find_instruction(s)) {
        text_printf(t, "; it runs %.31s, which answers by itself", find_instruction(s)->name);
        add_place(t, ": ", s, find_instruction(s)->pc);
    } else if (*s->unpredictable_by)
        text_puts(t, "; it may use an address as a number");
    else if (*s->unpredictable)
        text_puts(t, "; it read no clock: memory that was never written, a random device, or state that is "
                     "kept from one execution to the next");
}

static void add_nondeterminism(struct campaign *c)
{
    const struct worker_shared *s = find_divergence(c);
    uint32_t bits = LIMIT_NONDETERMINISM;
    struct text t = {0};
    text_puts(&t, campaign_next_limit(&bits));
    if (s && *s->unpredictable && !(s->limits & LIMIT_DISTURBED)) {
        text_puts(&t, ": ");
        terminal_add_safe(&t, s->unpredictable);
        add_place(&t, ", ", s, s->unpredictable_pc);
    }
    if (s)
        add_likely_cause(&t, s);
    vec_push(&c->limits, text_take(&t));
}

/* What makes the answer inconclusive. */
static void add_limits(struct campaign *c)
{
    const struct campaign_result *r = &c->result;
    for (size_t k = campaign_count_confirmed(c); k < c->errors.len; k++)
        vec_push(&c->limits,
                 campaign_confirm_limit(c->errors.data[k].error->kind, &c->errors.data[k].confirmed.run));
    if (c->errors_left_out)
        add_limit(c, "errors with %zu more causes are not reported", c->errors_left_out);
    if (r->findings_lost)
        add_limit(c, "errors with further causes were not kept");
    if (r->found && campaign_lists_errors(&c->options))
        add_limit(c, "an error ended the process, and with it the exploration");
    if (c->assembly)
        add_limit(c, "not run: assembly whose steps cannot be seen: %s", c->assembly);
    if (r->limits & LIMIT_NONDETERMINISM)
        add_nondeterminism(c);
    if (r->cut_at)
        add_cut(c, r->cut_at);
    uint32_t cuts = r->cut_at ? LIMIT_STEPS | LIMIT_SERIAL : r->limits & LIMIT_SERIAL ? LIMIT_STEPS : 0;
    add_limits_of(c, r->limits & ~(uint32_t)(LIMITS_NAMED_ONLY | LIMIT_NONDETERMINISM | cuts));
    if (r->limits & LIMIT_PREEMPTIONS)
        add_limit(c, "schedules with more than %" PRIu64 " preemption%s were left out",
                  c->options.preemptions, c->options.preemptions == 1 ? "" : "s");
    if (r->limits & LIMIT_UNDECIDED)
        add_limit(c, "the monitor gave up on %" PRIu64 " histor%s", r->undecided,
                  r->undecided == 1 ? "y" : "ies");
    if (r->suspected)
        add_suspected(c, r->suspected);
    if (r->unpredictable)
        vec_push(&c->limits, campaign_describe_unpredictable(r->unpredictable));
    if (r->limits & LIMIT_VALUES && !c->options.nondet)
        add_limit(c, "of the values that __VERIFIER_nondet functions may return only " PROTOCOL_NONDET
                     " were tried (--nondet)");
    if (r->refuted && r->refuted >= r->executions)
        add_limit(c, "every execution fails an assumption: nothing was checked");
    if (r->unsupported)
        add_unsupported(c);
    else if (*r->unsupported_before)
        add_limit(c, "not supported: %s", r->unsupported_before);
    if (r->judging_was_stuck)
        add_limit(c, "plumb itself took too long over the verdict on one execution");
    if (r->timed_out)
        add_limit(c, "%s", interruption_or_time());
    for (uint32_t bit = LIMIT_RETURNS; bit <= LIMIT_ENDLESS; bit <<= 1)
        if (r->limits & bit)
            vec_push(&c->limits, bounds_describe_held(&r->bounds, target_shared(c->workers[0]), bit));
    if (r->limits & LIMIT_LOOPS)
        add_cut_loop(c);
    if (c->stops.was_asked && !c->stops.is_decided)
        add_limit(c, "not decided: whether threads end when another one stops forever (--progress)");
}

/* What the verdict is about is not quite the program as it stands. */
static void add_changed_orders(struct campaign *c)
{
    if (c->orders_changed.len)
        add_limit(c, "memory orders are not as written: %s (--order)", c->orders_changed.data);
}

char *campaign_describe_part(const struct campaign_shard *s)
{
    struct text t = {0};
    text_printf(&t, "part %" PRIu64 " of %" PRIu64 ": %s", s->number + 1, s->count,
                s->result ? "plumb merge joins the parts"
                          : "with --result F it is written to a file, and plumb merge joins the parts");
    return text_take(&t);
}

static bool looks_between_calls(const struct campaign *c)
{
    for (uint64_t k = 0; k < c->options.jobs; k++)
        if (c->workers[k] && target_shared(c->workers[k])->invariants & INVARIANT_BETWEEN_CALLS)
            return true;
    return false;
}

/* What was left out because the program or the user said so. */
static void add_named(struct campaign *c)
{
    const struct campaign_result *r = &c->result;
    bool is_some = r->refuted && r->refuted < r->executions;
    if (is_some && looks_between_calls(c))
        add_limit(c, "%" PRIu64 " execution%s between calls, at the invariant, or at an assumption",
                  r->refuted, r->refuted == 1 ? " ends" : "s end");
    else if (is_some)
        add_limit(c, "%" PRIu64 " execution%s an assumption and do%s not count", r->refuted,
                  r->refuted == 1 ? " fails" : "s fail", r->refuted == 1 ? "es" : "");
    if (r->limits & LIMIT_VALUES && c->options.nondet)
        add_limit(c, "of the values that __VERIFIER_nondet functions may return only %s were tried",
                  c->options.nondet);
    add_limits_of(c, r->limits & LIMITS_NAMED_ONLY);
    struct text note = {0};
    if (annotated_add_note(&note, &r->annotated))
        add_limit(c, "%s", note.data);
    text_free(&note);
    add_changed_orders(c);
    if (c->options.shard.count > 1)
        vec_push(&c->limits, campaign_describe_part(&c->options.shard));
}

static bool is_exhaustive(const struct campaign *c)
{
    return c->options.mode == WORKER_DFS || c->options.mode == WORKER_GRAPH;
}

static void fail(struct campaign *c, const char *message)
{
    text_puts(&c->failure, message);
    c->verdict = VERDICT_NONE;
}

/* What a worker said at its end, with the place when it gave up on a computation. */
static char *describe_failure(const struct campaign *c)
{
    const struct worker_shared *s = target_shared(c->workers[c->result.failed_worker]);
    struct text t = {0};
    text_puts(&t, c->result.failed->message);
    if (s->state == WORKER_GAVE_UP) {
        char *place = error_place(s);
        if (place)
            text_printf(&t, " (%s)", place);
        if (!s->is_blocked)
            text_puts(&t, ": an endless loop, or a long computation (--compute)");
        free(place);
    }
    return text_take(&t);
}

static void add_failed(struct campaign *c)
{
    char *why = describe_failure(c);
    if (c->options.jobs > 1)
        add_limit(c, "worker %" PRIu64 " of %" PRIu64 ": %s; its part of the work is not done",
                  c->result.failed_worker + 1, c->options.jobs, why);
    else
        add_limit(c, "%s", why);
    free(why);
}

/* A worker did not come to its end. Stuck, lost or unseen ones leave executions out. */
static void conclude_failed(struct campaign *c, const struct target_end *end)
{
    if (end->outcome == TARGET_BROKEN && c->result.went_on) {
        diagnostic_set(&c->why, PL_BAD_CHECKPOINT, 0, 0,
                       "cannot go on from the checkpoint '%.100s': remove it to begin again (%.200s)",
                       c->options.checkpoint, end->message);
        fail(c, c->why.message);
    } else if (end->outcome == TARGET_BROKEN) {
        diagnostic_set(&c->why, PL_INTERNAL, 0, 0, "%s", end->message);
        fail(c, end->message);
    } else if (end->outcome == TARGET_REFUSED) {
        campaign_mistake(&c->why, c->files.data[0], c->workers[c->result.failed_worker]);
        fail(c, end->message);
    } else {
        add_failed(c);
        c->verdict = VERDICT_INCONCLUSIVE;
    }
}

/* After the first error nothing else is asked for; after all of them the limits say why there may be more. */
static void conclude_violated(struct campaign *c)
{
    if (campaign_lists_errors(&c->options) && c->result.failed)
        add_failed(c);
    if (campaign_lists_errors(&c->options))
        add_limits(c);
    c->is_partial = c->limits.len > 0;
    add_limits_of(c, c->result.limits & LIMITS_NAMED_ONLY);
    add_changed_orders(c);
    campaign_races_add_notes(&c->suppressions, false, add_note, c);
    c->verdict = VERDICT_VIOLATED;
}

/* A replay that met an internal error, or null. */
static const struct campaign_error *find_broken(const struct campaign *c)
{
    for (size_t k = 0; k < c->errors.len; k++)
        if (c->errors.data[k].confirmed.run.answer == CONFIRM_BROKEN)
            return &c->errors.data[k];
    return NULL;
}

static void conclude_broken(struct campaign *c, const struct campaign_error *broken)
{
    char *why = campaign_confirm_limit(broken->error->kind, &broken->confirmed.run);
    diagnostic_set(&c->why, PL_INTERNAL, 0, 0, "%s", why);
    fail(c, why);
    free(why);
}

/* Nothing was found. */
static void conclude_rest(struct campaign *c)
{
    add_limits(c);
    bool all = !c->limits.len;
    if (all && !c->result.executions && c->options.shard.count <= 1) {
        diagnostic_set(&c->why, PL_INTERNAL, 0, 0, "nothing was run, and no limit was met");
        fail(c, c->why.message);
        return;
    }
    add_named(c);
    if (all && c->program && c->program->compiled)
        add_limit(c, "%s", c->program->compiled);
    campaign_races_add_notes(&c->suppressions, all && is_exhaustive(c), add_note, c);
    bool whole = is_exhaustive(c) && c->options.shard.count <= 1;
    c->verdict = !all ? VERDICT_INCONCLUSIVE : whole ? VERDICT_HOLDS : VERDICT_SURVIVED;
}

void campaign_conclude(struct campaign *c)
{
    const struct campaign_error *broken = find_broken(c);
    if (campaign_is_violated(c))
        conclude_violated(c);
    else if (broken)
        conclude_broken(c, broken);
    else if (c->result.failed)
        conclude_failed(c, c->result.failed);
    else
        conclude_rest(c);
}
