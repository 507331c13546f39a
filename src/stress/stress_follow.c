/* SPDX-License-Identifier: Apache-2.0 */
/* A long round becomes a stream of events, in the order of time. */
#include "monitor/stream/stream.h"
#include "stress/stress_judge.h"
#include "stress/stress_merge.h"

#include <stdio.h>
#include <string.h>

struct stress_follower {
    const struct stress_question *question;
    struct history *names;
    struct plumb_spec_options options;
    struct budget budget;
    struct stream *stream;
    uint32_t
        objects[STRESS_OPERATIONS_MAX]; /* of operations, in `names`; UINT32_MAX: without specification */
    uint16_t op_names[STRESS_OPERATIONS_MAX];
    uint32_t threads[STRESS_SLOTS]; /* in `names`, from 1; 0: not known yet */
    struct stress_merge merge;
    uint64_t events;
    size_t bytes_at_first; /* of values */
    struct diagnostic error;
};

/* ------------------------------------------------------------------ events */

static uint32_t thread_of(struct stress_follower *f, uint32_t slot)
{
    if (!f->threads[slot])
        f->threads[slot] = history_thread(f->names, plumb_int(f->names->values, slot)) + 1;
    return f->threads[slot] - 1;
}

static void feed(struct stress_follower *f, const struct stress_log *log, const struct stress_cursor *c)
{
    const struct stress_call *call = c->at;
    if (f->objects[call->operation] == UINT32_MAX)
        return;
    struct history_event e = {.time = stress_cursor_time(c),
                              .arg = PLUMB_OK,
                              .result = PLUMB_OK,
                              .line = ++f->events,
                              .thread = thread_of(f, call->thread),
                              .object = f->objects[call->operation],
                              .op = f->op_names[call->operation],
                              .is_return = c->returns};
    if (c->returns)
        e.result = stress_value_copy(log->values, call->result, f->names->values);
    else
        e.arg = stress_value_copy(log->values, call->argument, f->names->values);
    stream_event(f->stream, &e, &f->error);
}

static bool is_stopped(const struct stress_follower *f)
{
    return f->question->stop && *f->question->stop;
}

bool stress_follower_take(struct stress_follower *f, const struct stress_log *log, size_t from)
{
    const struct stress_cursor *event;
    stress_merge_begin(&f->merge, log, from);
    while ((event = stress_merge_first(&f->merge)) && !f->error.code && !stream_is_over(f->stream) &&
           !is_stopped(f)) {
        feed(f, log, event);
        stress_merge_next(&f->merge);
    }
    if (!f->error.code && !stream_is_over(f->stream) && !is_stopped(f))
        stream_look(f->stream);
    return !f->error.code && !stream_is_over(f->stream);
}

bool stress_follower_is_full(const struct stress_follower *f)
{
    enum { PART = 4 }; /* of the memory that there is; at the half of it a stream is given up */
    size_t most = f->budget.bytes_max;
    return most && plumb_values_bytes(f->names->values) - f->bytes_at_first > most / PART;
}

/* ------------------------------------------------------------------ begin and end */

static void name_operations(struct stress_follower *f)
{
    const struct stress_harness *h = f->question->harness;
    for (size_t k = 0; k < h->operations.len; k++) {
        const struct stress_operation *o = &h->operations.data[k];
        const struct stress_object *object = &h->objects.data[o->object];
        f->objects[k] = UINT32_MAX;
        if (!object->spec)
            continue;
        plumb_value name =
            *object->name ? plumb_string(f->names->values, object->name, strlen(object->name)) : PLUMB_NONE;
        f->objects[k] = history_object(f->names, name);
        f->op_names[k] = history_op_name(f->names, o->part->name, strlen(o->part->name));
        stream_set_spec(f->stream, f->objects[k], object->spec);
    }
}

/* What is wrong with it was said before the first round. */
static void read_initial(struct stress_follower *f)
{
    const struct stress_harness *h = f->question->harness;
    struct diagnostic ignored = {0};
    f->options.initial = PLUMB_OK;
    for (size_t k = 0; k < h->objects.len && f->question->ask.init; k++)
        if (h->objects.data[k].spec)
            initial_value_read(h->objects.data[k].spec, f->question->ask.init, f->names->values,
                               &f->options.initial, &ignored);
}

struct stress_follower *stress_follow(const struct stress_question *q)
{
    struct stress_follower *f = NEW(struct stress_follower);
    f->question = q;
    f->names = history_create();
    f->options.values = f->names->values;
    read_initial(f);
    f->budget = budget_start(0, q->ask.memory_limit);
    f->budget.deadline = q->deadline;
    f->stream = stream_create(f->names, &(struct stream_settings){&f->options, &f->budget});
    name_operations(f);
    f->bytes_at_first = plumb_values_bytes(f->names->values);
    return f;
}

static uint32_t find_object(const struct stress_follower *f, uint32_t object)
{
    for (uint32_t k = 0; k < f->question->harness->operations.len; k++)
        if (f->objects[k] == object)
            return f->question->harness->operations.data[k].object;
    return 0;
}

static const struct plumb_spec **list_specs(const struct stress_follower *f)
{
    const struct plumb_spec **specs = NEW_ZEROED(const struct plumb_spec *, f->names->object_names.len + 1);
    for (uint32_t k = 0; k < f->names->object_names.len; k++)
        specs[k] = f->question->harness->objects.data[find_object(f, k)].spec;
    return specs;
}

void stress_follower_end(struct stress_follower *f, bool ended, struct stress_answer *out,
                         struct pipeline_input *in)
{
    struct monitor_result r = {0};
    *out = (struct stress_answer){.error = f->error};
    if (!f->error.code) {
        stream_finish(f->stream, ended, &r);
        out->verdict = r.verdict;
        out->object = r.violation ? find_object(f, r.violation->object) : 0;
        snprintf(out->limit, sizeof out->limit, "%s", r.limit ? r.limit : "");
    }
    stream_destroy(f->stream);
    if (out->verdict == VERDICT_VIOLATED) {
        for (size_t i = 0; i < f->names->lines.len; i++)
            f->names->lines.data[i] = 0; /* numbers of events mean nothing to a reader */
        *in = (struct pipeline_input){
            .history = f->names, .specs = list_specs(f), .result = r, .is_stream = true};
    } else {
        monitor_result_free(&r);
        history_destroy(f->names);
    }
    vec_free(&f->merge.heap);
    free(f);
}
