/* SPDX-License-Identifier: Apache-2.0 */
/* Events go to parts (objects, or keys of them), and a part is decided for good whenever it is at rest: nothing of it
 * is open, and all that is called later is called strictly later. docs/internals/monitor/streams.md. */
#include "monitor/stream/stream.h"

#include "history/value_text.h"
#include "monitor/stream/stream_run.h"
#include "spec/registry.h"

#include <string.h>

enum { POOL_LOOK = 1024 }; /* events between looks at memory */

struct stream *stream_create(struct history *names, const struct stream_settings *settings)
{
    struct stream *s = NEW(struct stream);
    s->names = names;
    s->settings = *settings;
    s->binder = spec_binder_create(names);
    return s;
}

void stream_destroy(struct stream *s)
{
    for (size_t i = 0; i < s->parts.len; i++)
        stream_part_free(&s->parts.data[i]);
    for (size_t i = 0; i < s->objects.len; i++)
        hash_map_free(&s->objects.data[i].parts);
    spec_binder_destroy(s->binder);
    vec_free(&s->threads);
    vec_free(&s->objects);
    vec_free(&s->parts);
    vec_free(&s->unused);
    vec_free(&s->resting);
    vec_free(&s->touched);
    free(s->limit);
    if (s->start.state)
        s->start.spec.destroy((void *)s->start.state);
    free(s);
}

void stream_set_spec(struct stream *s, uint32_t object, const struct plumb_spec *spec)
{
    while (s->objects.len <= object)
        vec_push(&s->objects, (struct stream_object){0});
    s->objects.data[object].spec = spec;
}

void stream_get_specs(const struct stream *s, const struct plumb_spec **specs, size_t count)
{
    for (size_t k = 0; k < count; k++)
        specs[k] = s->objects.data[k].spec;
}

/* ---- parts ---- */

static uint32_t find_part(struct stream *s, uint32_t object, plumb_value key)
{
    uint32_t *number = hash_map_at(&s->objects.data[object].parts, key);
    if (*number != HASH_NO_NUMBER)
        return *number;
    if (!s->unused.len) {
        vec_push(&s->unused, (uint32_t)s->parts.len);
        vec_push(&s->parts, (struct stream_part){0});
    }
    *number = vec_pop(&s->unused);
    struct stream_part *p = &s->parts.data[*number];
    bool resting = p->resting, touched = p->touched; /* it may still be in the lists */
    *p = (struct stream_part){.spec = s->objects.data[object].spec,
                              .object = object,
                              .key = key,
                              .in_use = true,
                              .resting = resting,
                              .touched = touched};
    s->stats.parts++;
    return *number;
}

/* ---- events ---- */

/* What returned at this stamp overlaps with what is still to be called at it: nothing is certain about it yet. */
static bool is_past(const struct stream_part *p, int64_t time)
{
    return p->last_return < time;
}

static struct stream_thread *thread_of(struct stream *s, uint32_t thread)
{
    while (s->threads.len <= thread)
        vec_push(&s->threads, (struct stream_thread){0});
    return &s->threads.data[thread];
}

static bool fail_at(const struct stream *s, const struct history_event *e, int code, struct diagnostic *d,
                    const char *what, uint64_t line)
{
    OWNED struct text name = {0};
    value_print_short(&name, s->names->values, s->names->thread_names.data[e->thread]);
    diagnostic_set(d, code, e->line, 1, line ? "thread %s %s line %llu" : "thread %s %s", name.data, what,
                   (unsigned long long)line);
    return false;
}

/* Two threads that return and call at one stamp: their orders cannot be judged part by part. */
static void watch_ties(struct stream *s, const struct stream_thread *t, const struct history_event *e)
{
    if (!t->has_returned || t->last_return != e->time)
        return;
    if (s->has_tie && s->tie_time == e->time && s->tie_thread != e->thread)
        stream_set_limit(s,
                         "several threads return and call at one stamp; only a file is judged exactly then");
    s->has_tie = true;
    s->tie_time = e->time;
    s->tie_thread = e->thread;
}

static plumb_value key_of(const struct stream *s, const struct plumb_spec *spec, const struct history_op *op)
{
    struct plumb_call call = {op->op, op->thread, op->arg, op->result};
    return spec->key ? spec->key(s->names->values, &call) : PLUMB_OK;
}

/* Operations on everything inside concern all parts of an object, and all that was forgotten: they have to be known of when it
 * begins. */
static bool bind_call(struct stream *s, const struct history_event *e, struct history_op *op,
                      struct diagnostic *d)
{
    struct stream_object *object = &s->objects.data[e->object];
    if (spec_binder_bind(s->binder, object->spec, op, e->line, d))
        return object->has_begun = true;
    const char *name = s->names->op_names.data[e->op];
    const struct plumb_spec *extended = spec_with_operation(object->spec, name);
    if (extended == object->spec)
        return false;
    if (object->has_begun)
        return diagnostic_set(
            d, PL_UNKNOWN_OPERATION, e->line, 1,
            "a stream of %s that begins without %s cannot go on with it: leave --spec out, or read "
            "all of it first with --format jsonl",
            extended->name, name);
    *d = (struct diagnostic){0};
    object->spec = extended;
    return object->has_begun = spec_binder_bind(s->binder, extended, op, e->line, d);
}

static bool on_call(struct stream *s, const struct history_event *e, struct diagnostic *d)
{
    struct stream_thread *t = thread_of(s, e->thread);
    if (t->line)
        return fail_at(s, e, PL_TWO_OPEN, d, "calls this operation while it has one open, called in",
                       t->line);
    struct history_op op = history_event_operation(e);
    if (!bind_call(s, e, &op, d))
        return false;
    const struct plumb_spec *spec = s->objects.data[e->object].spec;
    watch_ties(s, t, e);
    t->part = find_part(s, e->object, key_of(s, spec, &op));
    t->line = e->line;
    t->name = e->op;
    t->object = e->object;
    struct stream_part *p = &s->parts.data[t->part];
    p->open++;
    s->stats.open++;
    s->stats.operations++;
    if (p->lost)
        return true;
    t->index = (uint32_t)p->ops.len;
    stream_part_call(p, &op, e->line);
    s->stats.kept++;
    return true;
}

static void list_part(uint32_t number, bool *listed, uint32_t **data, size_t *len, size_t *cap)
{
    if (*listed)
        return;
    *listed = true;
    if (*len == *cap)
        *data = base_grow(*data, cap, *len + 1, sizeof **data);
    (*data)[(*len)++] = number;
}

static void note_return(struct stream *s, uint32_t number)
{
    struct stream_part *p = &s->parts.data[number];
    list_part(number, &p->touched, &s->touched.data, &s->touched.len, &s->touched.cap);
    if (!p->open || stream_part_is_long(p))
        list_part(number, &p->resting, &s->resting.data, &s->resting.len, &s->resting.cap);
}

static bool on_return(struct stream *s, const struct history_event *e, struct diagnostic *d)
{
    struct stream_thread *t = thread_of(s, e->thread);
    if (!t->line)
        return fail_at(s, e, PL_NO_CALL, d, "returns, but has no operation open", 0);
    if (e->names_object && e->object != t->object)
        return fail_at(s, e, PL_NO_CALL, d, "returns from another object than it called in", t->line);
    struct stream_part *p = &s->parts.data[t->part];
    struct history_op bound = p->lost ? (struct history_op){.thread = e->thread} : p->ops.data[t->index];
    bound.op = t->name;
    bound.result = e->result;
    bound.ret = e->time;
    bound.pending = 0;
    if (!p->lost && !spec_binder_bind(s->binder, p->spec, &bound, e->line, d))
        return false;
    t->line = 0;
    t->last_return = e->time;
    t->has_returned = true;
    p->open--;
    s->stats.open--;
    if (p->lost)
        return true;
    stream_part_return(p, t->index, &bound);
    note_return(s, t->part);
    return true;
}

/* About what the stream itself occupies. */
static size_t bytes_held(const struct stream *s)
{
    return s->stats.kept * (sizeof(struct history_op) + 2 * sizeof(uint64_t)) +
           s->parts.len * sizeof(struct stream_part) + plumb_values_bytes(s->names->values);
}

static void watch_memory(struct stream *s, const struct history_event *e)
{
    size_t most = s->settings.budget->bytes_max;
    if (!most || s->stats.events % POOL_LOOK || bytes_held(s) <= most)
        return;
    if (plumb_values_bytes(s->names->values) > most / 2) {
        stream_set_limit(s, "memory limit met: the strings and arrays of the stream do not fit");
        s->settings.budget->spent = BUDGET_MEMORY;
        return;
    }
    struct stream_part *p = &s->parts.data[thread_of(s, e->thread)->part];
    for (size_t k = 0; k < s->parts.len; k++) /* the one that holds the most */
        if (s->parts.data[k].ops.len > p->ops.len)
            p = &s->parts.data[k];
    if (!p->in_use || p->lost)
        return;
    if (is_past(p, s->now))
        stream_look_at_part(s, p);
    if (!s->violated && bytes_held(s) > most)
        stream_lose_part(s, p, NULL);
}

void stream_advance(struct stream *s, int64_t time)
{
    if (!s->has_events || time <= s->now)
        return;
    if (s->resting.len && !stream_is_over(s))
        stream_settle(s);
    s->now = time;
}

bool stream_event(struct stream *s, const struct history_event *e, struct diagnostic *d)
{
    if (s->has_events && e->time < s->now)
        return diagnostic_set(d, PL_TIME_BACK, e->line, 1,
                              "time runs backwards: this event is at %lld, and an earlier line is at %lld",
                              (long long)e->time, (long long)s->now);
    if (s->has_events && e->time > s->now && s->resting.len)
        stream_settle(s);
    s->now = e->time;
    s->has_events = true;
    s->stats.events++;
    if (stream_is_over(s))
        return true;
    bool fine = e->is_return ? on_return(s, e, d) : on_call(s, e, d);
    if (fine)
        watch_memory(s, e);
    return fine;
}

void stream_look(struct stream *s)
{
    size_t left = 0;
    for (size_t k = 0; k < s->touched.len; k++) {
        uint32_t number = s->touched.data[k];
        struct stream_part *p = &s->parts.data[number];
        bool useful = p->in_use && !p->lost && p->ops.len;
        if (useful && !is_past(p, s->now)) {
            s->touched.data[left++] = number;
            continue;
        }
        p->touched = false;
        if (useful && !stream_is_over(s))
            stream_look_at_part(s, p);
    }
    s->touched.len = left;
}

bool stream_is_over(const struct stream *s)
{
    return s->violated || s->settings.budget->spent;
}

struct stream_stats stream_stats(const struct stream *s)
{
    struct stream_stats stats = s->stats;
    stats.bytes = bytes_held(s);
    return stats;
}

/* ---- the end ---- */

static void look_at_rest(struct stream *s, bool ended)
{
    for (size_t k = 0; k < s->parts.len && !stream_is_over(s); k++) {
        struct stream_part *p = &s->parts.data[k];
        if (p->in_use && !p->lost && p->ops.len && (ended || is_past(p, s->now)))
            stream_judge_part(s, p, true);
    }
}

void stream_finish(struct stream *s, bool ended, struct monitor_result *out)
{
    if (!stream_is_over(s))
        look_at_rest(s, ended);
    *out = s->violated ? s->violation : (struct monitor_result){0};
    out->operations = s->stats.operations;
    out->objects = (uint32_t)s->names->object_names.len;
    if (s->violated)
        return;
    if (s->settings.budget->spent == BUDGET_TIME)
        stream_set_limit(s, "time limit met");
    if (!ended || s->settings.budget->spent == BUDGET_INTERRUPTED)
        stream_set_limit(s, "interrupted");
    out->limit = s->limit;
    s->limit = NULL;
    out->verdict = out->limit ? VERDICT_INCONCLUSIVE : VERDICT_HOLDS;
}

const struct plumb_spec *stream_start_spec(const struct stream *s)
{
    return s->start_spec;
}
