/* SPDX-License-Identifier: Apache-2.0 */
#include "stress/stress_finding.h"

#include "history/value_text.h"
#include "target/process.h"
#include "target/stacks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LAST_OPERATIONS = 4 }; /* of each thread that are shown */

const char *stress_error_word(enum stress_error error)
{
    static const char *const words[STRESS_ERRORS] = {
        [STRESS_NOT_LINEARIZABLE] = "not-linearizable",
        [STRESS_BAD_INVARIANT] = "invariant",
        [STRESS_CRASHED] = "crash",
        [STRESS_EXITED] = "exit",
        [STRESS_HANGS] = "hang",
    };
    return words[error];
}

const char *stress_phase_word(uint32_t phase)
{
    switch (phase) {
    case STRESS_STARTING: return "start";
    case STRESS_SETUP: return "setup";
    case STRESS_RUNNING: return "calls";
    case STRESS_FINAL: return "final calls";
    case STRESS_INVARIANT: return "invariant";
    case STRESS_TEARDOWN: return "teardown";
    default: return "between rounds";
    }
}

static const char *phase_text(uint32_t phase)
{
    switch (phase) {
    case STRESS_STARTING: return "before main";
    case STRESS_SETUP: return "in the set-up";
    case STRESS_FINAL: return "in the calls at the end";
    case STRESS_INVARIANT: return "in the invariant";
    case STRESS_TEARDOWN: return "in the teardown";
    case STRESS_RUNNING: return "";
    default: return "between two rounds";
    }
}

/* ------------------------------------------------------------------ the last operations */

static struct report_op make_op(struct stress_finding *f, const struct stress_harness *h,
                                const struct stress_log *log, uint32_t id, int64_t base)
{
    const struct stress_call *c = &log->calls.data[id];
    const struct plumb_part *part = h->operations.data[c->operation].part;
    struct history_op op = {.arg = stress_value_copy(log->values, c->argument, f->values),
                            .result = stress_value_copy(log->values, c->result, f->values),
                            .pending = c->pending};
    struct text label = {0}, thread = {0};
    text_printf(&label, "%s%s", part->object, *part->object ? "." : "");
    value_print_op(&label, f->values, part->name, strlen(part->types) > 1, &op);
    text_printf(&thread, "T%u", c->thread);
    return (struct report_op){.id = id,
                              .thread = text_keep(&thread, &f->explanation.arena),
                              .thread_name = plumb_int(f->values, c->thread),
                              .call = c->call - base,
                              .ret = c->ret - base,
                              .pending = c->pending,
                              .guilty = c->pending &&
                                        (f->scene.slot == STRESS_NO_SLOT || f->scene.slot == c->thread),
                              .label = text_keep(&label, &f->explanation.arena),
                              .name = part->name,
                              .arg = op.arg,
                              .result = op.result};
}

static int by_call(const void *a, const void *b)
{
    const struct report_op *x = a, *y = b;
    return x->call < y->call ? -1 : x->call > y->call;
}

/* Is this one of the last calls of its thread? */
static bool is_late(const struct stress_log *log, size_t id, const uint32_t *counts, uint32_t *seen)
{
    uint32_t thread = log->calls.data[id].thread;
    return counts[thread] - seen[thread]++ <= LAST_OPERATIONS;
}

static void list_last(struct stress_finding *f, const struct stress_harness *h, const struct stress_log *log)
{
    OWNED uint32_t *counts = NEW_ZEROED(uint32_t, STRESS_SLOTS), *seen = NEW_ZEROED(uint32_t, STRESS_SLOTS);
    VEC(struct report_op) ops = {0};
    int64_t base = stress_log_base(log);
    for (size_t i = 0; i < log->calls.len; i++)
        counts[log->calls.data[i].thread]++;
    for (size_t i = 0; i < log->calls.len; i++)
        if (is_late(log, i, counts, seen))
            vec_push(&ops, make_op(f, h, log, (uint32_t)i, base));
    if (!ops.len)
        return;
    qsort(ops.data, ops.len, sizeof *ops.data, by_call);
    struct report_op *kept = arena_alloc(&f->explanation.arena, ops.len * sizeof *kept);
    memcpy(kept, ops.data, ops.len * sizeof *kept);
    f->last.ops = kept;
    f->last.op_count = f->last.total_ops = ops.len;
    vec_free(&ops);
}

/* ------------------------------------------------------------------ sentences */

static void add_guilty(struct text *out, const struct stress_finding *f)
{
    size_t count = 0;
    for (size_t i = 0; i < f->last.op_count; i++)
        if (f->last.ops[i].guilty && count++ < 4)
            text_printf(out, "%s%.*s of thread %s", count > 1 ? ", " : "",
                        (int)(strlen(f->last.ops[i].label) - strlen(" pending")), f->last.ops[i].label,
                        f->last.ops[i].thread + 1);
    if (count > 4)
        text_printf(out, " and %zu more", count - 4);
}

static void add_headline(struct text *out, const struct stress_finding *f)
{
    const struct stress_scene *s = &f->scene;
    char name[32];
    switch (f->error) {
    case STRESS_BAD_INVARIANT: text_puts(out, "the invariant does not hold"); break;
    case STRESS_CRASHED:
        target_signal_name(s->signal, name, sizeof name);
        text_printf(out, "crash: %s", name);
        break;
    case STRESS_EXITED: text_printf(out, "the program ended itself with exit code %d", s->exit_code); break;
    default: text_printf(out, "hang: no call returned for %.1f s", s->waited); break;
    }
    if (*phase_text(s->phase) && f->error != STRESS_BAD_INVARIANT)
        text_printf(out, " %s", phase_text(s->phase));
}

/* Not in a call of an operation: where, as far as that is known. */
static void add_place(struct text *out, const struct stress_finding *f)
{
    const struct report_stack *s = f->execution.stack_count ? f->execution.stacks : NULL;
    if (s)
        text_printf(out, "it happened in %s", s->frames[0]);
    if (s && s->count > 1)
        text_printf(out, ", which %s calls", s->frames[s->count - 1]);
    if (!s && *phase_text(f->scene.phase))
        text_printf(out, "it happened %s", phase_text(f->scene.phase));
    else if (!s)
        text_puts(out, "it happened in no operation, perhaps in a thread of the program's own");
}

static void add_why(struct text *out, const struct stress_finding *f)
{
    OWNED struct text guilty = {0};
    add_guilty(&guilty, f);
    if (f->error == STRESS_BAD_INVARIANT)
        text_puts(out, "PLUMB_INVARIANT answered false when all operations had returned");
    else if (f->error == STRESS_HANGS && guilty.len)
        text_printf(out, "open: %s", guilty.data);
    else if (guilty.len)
        text_printf(out, "it happened in %s", guilty.data);
    else
        add_place(out, f);
    if (*f->scene.message)
        text_printf(out, ": %s", f->scene.message);
    text_printf(out, "; round %" PRIu64 " with seed %" PRIu64 ", %u threads", f->scene.round.number,
                f->scene.round.seed, f->scene.round.threads);
}

static const char *keep(struct stress_finding *f, void (*add)(struct text *, const struct stress_finding *))
{
    struct text t = {0};
    add(&t, f);
    return text_keep(&t, &f->explanation.arena);
}

/* ------------------------------------------------------------------ findings */

static void describe(struct stress_finding *f, const char *name)
{
    struct report_counterexample *c = &f->counterexample;
    bool early = f->scene.phase == STRESS_STARTING || f->scene.phase == STRESS_SETUP;
    f->execution = (struct report_execution){.phase = early ? stress_phase_word(f->scene.phase) : "execution",
                                             .number = f->scene.round.number};
    *c = (struct report_counterexample){.kind = stress_error_word(f->error),
                                        .code = PL_EXECUTION,
                                        .file = name,
                                        .one_line = keep(f, add_headline),
                                        .why = keep(f, add_why),
                                        .stuck = -1,
                                        .confirmed_by = "the process itself",
                                        .values = f->values,
                                        .execution = &f->execution};
    f->last.kind = c->kind;
    f->last.code = c->code;
    f->last.file = c->file;
    f->last.one_line = c->one_line;
    f->last.why = c->why;
    f->last.stuck = -1;
    f->last.values = f->values;
    c->explained = &f->last;
}

struct stress_finding *stress_finding_make(enum stress_error error, const struct stress_scene *scene,
                                           const struct stress_harness *h, const struct stress_log *log,
                                           const char *name)
{
    struct stress_finding *f = NEW(struct stress_finding);
    f->error = error;
    f->scene = *scene;
    f->values = plumb_values_create();
    if (log)
        list_last(f, h, log);
    describe(f, name);
    return f;
}

struct stress_finding *stress_finding_of_history(const struct stress_scene *scene, struct pipeline_input *in,
                                                 const char *replay)
{
    struct stress_finding *f = NEW(struct stress_finding);
    f->error = STRESS_NOT_LINEARIZABLE;
    f->scene = *scene;
    f->input = *in;
    f->has_input = true;
    explain_violation(&f->explanation, &f->input, NULL);
    if (replay)
        f->explanation.counterexample.replay = arena_copy(&f->explanation.arena, replay, strlen(replay));
    f->counterexample = f->explanation.counterexample;
    return f;
}

/* ------------------------------------------------------------------ stacks */

/* What plumb.h makes of names: "plumb_op_op_push at stack.c:12", "plumb_op_on_left_push at ...", "plumb_body_setup at ...". */
#define RUN_PREFIX "plumb_run_"

static const char *frame_name(const char *frame)
{
    static const char *const prefixes[] = {"plumb_op_op_", "plumb_op_on_", "plumb_body_"};
    for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++)
        if (!strncmp(frame, prefixes[k], strlen(prefixes[k])))
            return frame + strlen(prefixes[k]);
    return frame;
}

/* Frames up to those that are ours, which say nothing; none at all: the thread is in nothing of the user's. */
static size_t count_frames(const target_frames *frames, bool crashed)
{
    for (size_t i = 0; i < frames->len; i++)
        if (!strncmp(frames->data[i], RUN_PREFIX, strlen(RUN_PREFIX)))
            return i;
    return crashed ? frames->len : 0;
}

static void add_stack(struct stress_finding *f, uint32_t slot, const struct target_stacks *stacks,
                      const struct target_stack *stack, struct report_stack *list)
{
    target_frames frames = {0};
    target_stacks_describe(stacks, stack, &frames);
    size_t count = count_frames(&frames, f->error == STRESS_CRASHED);
    const char **kept = arena_alloc(&f->explanation.arena, (count + 1) * sizeof *kept);
    for (size_t i = 0; i < count; i++)
        kept[i] =
            arena_copy(&f->explanation.arena, frame_name(frames.data[i]), strlen(frame_name(frames.data[i])));
    if (count)
        list[f->execution.stack_count++] =
            (struct report_stack){.thread = slot, .frames = kept, .count = count};
    for (size_t i = 0; i < frames.len; i++)
        free(frames.data[i]);
    vec_free(&frames);
}

/* The main thread waits for the others while they make calls. */
static bool is_about(const struct stress_finding *f, const struct stress_program *p, uint32_t slot)
{
    if (f->scene.slot != STRESS_NO_SLOT)
        return f->scene.slot == slot;
    return slot == 0 ? f->scene.phase != STRESS_RUNNING : atomic_load(&p->shared->slot[slot].busy) != 0;
}

/* Of a crash the thread that it happened in; of a hang all that are in a round. */
void stress_finding_take_stacks(struct stress_finding *f, const struct stress_program *p)
{
    struct target_stacks stacks = {0};
    struct diagnostic ignored = {0};
    struct report_stack *list = arena_alloc(&f->explanation.arena, STRESS_SLOTS * sizeof *list);
    target_stacks_take(&stacks, stress_program_runner(p), &ignored);
    for (uint32_t slot = 0; slot < p->layout.slots; slot++) {
        pid_t tid = (pid_t)atomic_load(&p->shared->slot[slot].tid);
        const struct target_stack *stack = tid ? target_stacks_of(&stacks, tid) : NULL;
        if (stack && is_about(f, p, slot))
            add_stack(f, slot, &stacks, stack, list);
    }
    f->execution.stacks = list;
    target_stacks_free(&stacks);
    if (f->error != STRESS_NOT_LINEARIZABLE)
        f->counterexample.why = f->last.why = keep(f, add_why);
}

void stress_finding_free(struct stress_finding *f)
{
    if (!f)
        return;
    explain_free(&f->explanation);
    if (f->has_input)
        pipeline_free(&f->input);
    if (f->values)
        plumb_values_destroy(f->values);
    text_free(&f->output);
    free(f->saved);
    free(f);
}
