/* SPDX-License-Identifier: Apache-2.0 */
/* Events go to parts (objects, or keys of them), and a part is decided for good whenever it is at rest: nothing of it
 * is open, and all that is called later is called strictly later. docs/internals/streams.md. */
#include "monitor/stream.h"

#include "base/check.h"
#include "history/value_text.h"
#include "monitor/stream_forget.h"
#include "monitor/stream_part.h"
#include "spec/registry.h"

#include <string.h>

enum {
    FIRST_LOOK = 64,  /* operations of a part that cannot be cut until they are judged; then twice as many */
    POOL_LOOK = 1024, /* events between looks at memory */
};

struct stream_thread {
    uint32_t part;  /* of the open operation */
    uint32_t index; /* of it in the part */
    uint32_t object;
    uint64_t line; /* of the call; 0: nothing is open */
    uint16_t name;
    int64_t last_return;
    bool has_returned;
};

struct stream_object {
    const struct plumb_spec *spec;
    struct hash_map parts; /* by key */
};

struct stream {
    struct history *names;
    struct stream_settings settings;
    struct spec_binder *binder;
    VEC(struct stream_thread) threads;
    VEC(struct stream_object) objects;
    VEC(struct stream_part) parts;
    VEC(uint32_t) unused, resting, touched; /* parts */
    struct stream_stats stats;
    int64_t now;
    int64_t tie_time; /* a thread returned and called at this stamp */
    uint32_t tie_thread;
    bool has_tie, has_events;
    char *limit;
    struct monitor_result violation;
    struct stream_resumed start; /* of the violation, unless it starts from the initial state */
    const struct plumb_spec *start_spec;
    bool violated;
};

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

/* A part that is at rest in its initial state is as if it had never been. */
static void forget_part(struct stream *s, uint32_t number)
{
    struct stream_part *p = &s->parts.data[number];
    hash_map_remove(&s->objects.data[p->object].parts, p->key);
    stream_part_free(p);
    bool resting = p->resting, touched = p->touched;
    *p = (struct stream_part){.resting = resting, .touched = touched};
    vec_push(&s->unused, number);
    s->stats.parts--;
}

static void set_limit(struct stream *s, const char *limit)
{
    if (!s->limit)
        s->limit = base_strndup(limit, strlen(limit));
}

/* The part is not followed any more: what it does is not known from here on. */
static void lose_part(struct stream *s, struct stream_part *p, const char *why)
{
    struct text limit = {0};
    if (why) {
        text_puts(&limit, why);
    } else {
        text_puts(&limit, "memory limit met: ");
        stream_part_print_loss(p, s->names, &limit);
    }
    set_limit(s, limit.data);
    text_free(&limit);
    s->stats.kept -= p->ops.len;
    vec_free(&p->ops);
    vec_free(&p->lines);
    vec_free(&p->empty_from);
    p->lost = true;
}

/* ---- judging ---- */

/* Keeps the result and the operations that show it; nothing else matters from now on. */
static void keep_violation(struct stream *s, struct stream_part *p, const void *state,
                           struct monitor_result *result)
{
    struct history *h = s->names;
    for (size_t i = 0; i < p->ops.len; i++) {
        history_add(h, p->ops.data[i], p->object);
        vec_push(&h->lines, p->lines.data[i]);
    }
    result->violation->object = p->object;
    if (state && p->states.len == 1)
        result->violation->earlier += (uint32_t)p->settled;
    s->start_spec = p->spec;
    if (state) {
        s->start = (struct stream_resumed){stream_resume(p->spec), p->spec->clone(state)};
        s->start_spec = &s->start.spec;
    }
    s->violation = *result;
    s->violated = true;
}

static void set_next_look(struct stream_part *p)
{
    p->check_at = p->ops.len * 2 > FIRST_LOOK ? p->ops.len * 2 : FIRST_LOOK;
}

static bool is_long(const struct stream_part *p)
{
    return p->ops.len >= (p->check_at ? p->check_at : FIRST_LOOK);
}

/* Judges what is kept of the part; open operations are pending. INCONCLUSIVE only counts when it is `final`. */
static enum verdict look_at(struct stream *s, struct stream_part *p, bool final)
{
    struct monitor_result result;
    const void *state;
    struct budget *budget = s->settings.budget;
    enum verdict verdict = stream_part_judge(p, s->names, s->settings.options, budget, &state, &result);
    set_next_look(p);
    if (verdict == VERDICT_VIOLATED) {
        keep_violation(s, p, state, &result);
        return verdict;
    }
    if (verdict == VERDICT_INCONCLUSIVE && final)
        lose_part(s, p, result.limit);
    monitor_result_free(&result);
    return verdict;
}

/* Forgets what cannot matter any more in a part that was found to be legal so far. */
static void forget_ops(struct stream *s, struct stream_part *p)
{
    uint32_t *moved = NEW_ARRAY(uint32_t, p->ops.len);
    size_t forgotten = stream_part_forget(p, s->names, s->settings.options, moved);
    for (size_t k = 0; forgotten && k < s->threads.len; k++) {
        struct stream_thread *t = &s->threads.data[k];
        if (t->line && &s->parts.data[t->part] == p)
            t->index = moved[t->index];
    }
    s->stats.kept -= forgotten;
    set_next_look(p);
    free(moved);
}

/* The part cannot be cut here. What returned did so before all that is called from now on. */
static void look_and_forget(struct stream *s, struct stream_part *p)
{
    if (look_at(s, p, false) == VERDICT_HOLDS)
        forget_ops(s, p);
}

static void drop_ops(struct stream *s, struct stream_part *p, struct state_list states)
{
    s->stats.kept -= p->ops.len;
    stream_part_cut(p, s->settings.options, states);
}

/* An empty container at rest is in its initial state, whatever the order was: the algorithms for whole histories can
 * decide all that led there. */
static void cut_empty(struct stream *s, struct stream_part *p)
{
    if (look_at(s, p, true) == VERDICT_HOLDS)
        drop_ops(s, p, (struct state_list){0});
}

/* Everything else: the states it may be in are carried over. */
static void cut_states(struct stream *s, struct stream_part *p)
{
    struct state_list ends = {0};
    struct budget *budget = s->settings.budget;
    if (!stream_part_ends(p, s->names, s->settings.options, budget, &ends)) {
        if (budget->spent == BUDGET_MEMORY)
            budget->spent = BUDGET_LEFT; /* the search gave it back */
        p->cut_at = p->ops.len * 2;
    } else if (ends.len) {
        drop_ops(s, p, ends);
    } else {
        CHECK(look_at(s, p, true) != VERDICT_HOLDS);
    }
}

/* The part is at rest: its past is decided for good, if that is possible at a bearable price. */
static void settle(struct stream *s, uint32_t number)
{
    struct stream_part *p = &s->parts.data[number];
    bool counts = stream_part_counts(p);
    if (counts && p->size == 0)
        cut_empty(s, p);
    else if (!counts && p->ops.len >= p->cut_at)
        cut_states(s, p);
    else if (is_long(p))
        look_and_forget(s, p);
    if (p->in_use && !p->lost && !p->open && !p->ops.len && !p->states.len && !s->violated)
        forget_part(s, number);
}

/* What returned at this stamp overlaps with what is still to be called at it: nothing is certain about it yet. */
static bool is_past(const struct stream_part *p, int64_t time)
{
    return p->last_return < time;
}

/* All parts that are at rest or have become long; time has moved on since. */
static void settle_all(struct stream *s)
{
    for (size_t k = 0; k < s->resting.len; k++) {
        uint32_t number = s->resting.data[k];
        struct stream_part *p = &s->parts.data[number];
        bool useful = p->in_use && !p->lost && p->ops.len && !stream_is_over(s);
        p->resting = false;
        if (useful && !p->open)
            settle(s, number);
        else if (useful && is_long(p))
            look_and_forget(s, p);
    }
    vec_clear(&s->resting);
}

/* ---- events ---- */

static struct stream_thread *thread_of(struct stream *s, uint32_t thread)
{
    while (s->threads.len <= thread)
        vec_push(&s->threads, (struct stream_thread){0});
    return &s->threads.data[thread];
}

static bool fail_at(const struct stream *s, const struct history_event *e, int code, struct diagnostic *d,
                    const char *what, uint64_t line)
{
    struct text name = {0};
    value_print_short(&name, s->names->values, s->names->thread_names.data[e->thread]);
    diagnostic_set(d, code, e->line, 1, line ? "thread %s %s line %llu" : "thread %s %s", name.data, what,
                   (unsigned long long)line);
    text_free(&name);
    return false;
}

/* Two threads that return and call at one stamp: their orders cannot be told part by part. */
static void watch_ties(struct stream *s, const struct stream_thread *t, const struct history_event *e)
{
    if (!t->has_returned || t->last_return != e->time)
        return;
    if (s->has_tie && s->tie_time == e->time && s->tie_thread != e->thread)
        set_limit(s, "several threads return and call at one stamp; only a file is judged exactly then");
    s->has_tie = true;
    s->tie_time = e->time;
    s->tie_thread = e->thread;
}

static plumb_value key_of(const struct stream *s, const struct plumb_spec *spec, const struct history_op *op)
{
    struct plumb_call call = {op->op, op->thread, op->arg, op->result};
    return spec->key ? spec->key(s->names->values, &call) : PLUMB_OK;
}

static bool on_call(struct stream *s, const struct history_event *e, struct diagnostic *d)
{
    struct stream_thread *t = thread_of(s, e->thread);
    if (t->line)
        return fail_at(s, e, PL_TWO_OPEN, d, "calls this operation while it has one open, called in",
                       t->line);
    const struct plumb_spec *spec = s->objects.data[e->object].spec;
    struct history_op op = {.call = e->time,
                            .ret = INT64_MAX,
                            .arg = e->arg,
                            .result = PLUMB_ANY,
                            .thread = e->thread,
                            .op = e->op,
                            .pending = 1};
    if (!spec_binder_bind(s->binder, spec, &op, e->line, d))
        return false;
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
    if (!p->open || is_long(p))
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
        set_limit(s, "memory limit met: the strings and arrays of the stream do not fit");
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
        look_and_forget(s, p);
    if (!s->violated && bytes_held(s) > most)
        lose_part(s, p, NULL);
}

bool stream_event(struct stream *s, const struct history_event *e, struct diagnostic *d)
{
    if (s->has_events && e->time < s->now)
        return diagnostic_set(d, PL_TIME_BACK, e->line, 1,
                              "time runs backwards: this event is at %lld, and an earlier line is at %lld",
                              (long long)e->time, (long long)s->now);
    if (s->has_events && e->time > s->now && s->resting.len)
        settle_all(s);
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
            look_and_forget(s, p);
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
            look_at(s, p, true);
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
        set_limit(s, "time limit met");
    if (!ended)
        set_limit(s, "interrupted");
    out->limit = s->limit;
    s->limit = NULL;
    out->verdict = out->limit ? VERDICT_INCONCLUSIVE : VERDICT_HOLDS;
}

const struct plumb_spec *stream_start_spec(const struct stream *s)
{
    return s->start_spec;
}
