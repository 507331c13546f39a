/* SPDX-License-Identifier: Apache-2.0 */
/* The library of plumb/monitor.h: the pipeline behind a handle. */
#include <plumb/monitor.h>

#include "base/check.h"
#include "explain/history/explain.h"
#include "monitor/stream/stream.h"
#include "pipeline/pipeline.h"
#include "spec/registry.h"
#include "spec/quasi/spec_quasi.h"
#include "spec/spec_user.h"

#include <stdio.h>
#include <string.h>

enum { COLUMNS = 100 };

struct plumb_monitor {
    const struct plumb_spec *spec; /* null: inferred */
    struct pipeline_question question;
    char *quasi;
    struct budget budget;     /* of events */
    struct pipeline_input in; /* its history exists from the beginning when events come */
    struct stream *stream;    /* null: events are collected */
    struct hash_map open;     /* thread -> its open operation + 1, of collected events */
    uint64_t events;
    bool judged, explained, has_own;
    struct explanation explanation;
    struct text why, text, json;
};

/* The registry has room for one specification of the user's. */
static const struct plumb_spec *own_spec;
static unsigned own_users;

struct plumb_monitor *plumb_monitor_open(void)
{
    return NEW(struct plumb_monitor);
}

void plumb_monitor_close(struct plumb_monitor *m)
{
    if (!m)
        return;
    own_users -= m->has_own;
    if (m->explained)
        explain_free(&m->explanation);
    if (m->stream)
        stream_destroy(m->stream);
    if (m->judged)
        pipeline_free(&m->in);
    else if (m->in.history)
        history_destroy(m->in.history), free(m->in.specs);
    hash_map_free(&m->open);
    text_free(&m->why);
    text_free(&m->text);
    text_free(&m->json);
    free(m->quasi);
    free(m);
}

/* ------------------------------------------------------------------ the question */

static const char NO_HANDLE[] = "the handle is null";

static bool fail(struct plumb_monitor *m, const struct diagnostic *d)
{
    text_clear(&m->why);
    text_puts(&m->why, d->message);
    return false;
}

static bool complain(struct plumb_monitor *m, const char *message)
{
    struct diagnostic d = {0};
    diagnostic_set(&d, PL_USAGE, 0, 0, "%s", message);
    return fail(m, &d);
}

static bool is_fresh(const struct plumb_monitor *m)
{
    return !m->judged && !m->in.history;
}

/* May the question be changed by this? */
static bool takes(struct plumb_monitor *m, const void *given)
{
    if (!m)
        return false;
    if (!is_fresh(m))
        return complain(m, "the history has begun");
    return given || complain(m, "the argument is null");
}

bool plumb_monitor_set_spec(struct plumb_monitor *m, const char *name)
{
    if (!takes(m, name))
        return false;
    const struct plumb_spec *spec = spec_find(name);
    if (!spec)
        return complain(m, "there is no specification of this name");
    m->spec = spec;
    return true;
}

bool plumb_monitor_set_own_spec(struct plumb_monitor *m, const struct plumb_spec *spec)
{
    struct diagnostic d = {0};
    if (!takes(m, spec))
        return false;
    if (own_users > m->has_own && own_spec != spec)
        return complain(m, "another handle has a specification of its own; close it first");
    if (!spec_user_adopt(spec, &d))
        return fail(m, &d);
    own_spec = spec;
    own_users += !m->has_own;
    m->has_own = true;
    m->spec = spec_added();
    return true;
}

bool plumb_monitor_set_quasi(struct plumb_monitor *m, const char *factor)
{
    struct diagnostic d = {0};
    if (!takes(m, factor))
        return false;
    if (!spec_quasi_check(factor, &m->spec, m->spec ? 1 : 0, &d))
        return fail(m, &d);
    free(m->quasi);
    m->question.quasi = m->quasi = base_strndup(factor, strlen(factor));
    return true;
}

void plumb_monitor_set_budget(struct plumb_monitor *m, double seconds, uint64_t bytes)
{
    if (!m)
        return;
    m->question.time = seconds;
    m->question.memory_limit = bytes;
}

/* ------------------------------------------------------------------ the verdict */

static void describe_error(struct plumb_monitor *m)
{
    const struct diagnostic *d = &m->in.error;
    text_clear(&m->why);
    if (d->line)
        text_printf(&m->why, "%llu: ", (unsigned long long)d->line);
    text_puts(&m->why, d->message);
}

static enum plumb_verdict conclude(struct plumb_monitor *m)
{
    m->judged = true;
    if (m->in.error.code) {
        describe_error(m);
        return PLUMB_ERROR;
    }
    text_clear(&m->why);
    if (m->in.result.limit)
        text_puts(&m->why, m->in.result.limit);
    if (m->in.result.violation) {
        explain_violation(&m->explanation, &m->in, NULL);
        m->explained = true;
        text_puts(&m->why, m->in.result.violation->why);
    }
    switch (m->in.result.verdict) {
    case VERDICT_HOLDS: return PLUMB_HOLDS;
    case VERDICT_VIOLATED: return PLUMB_VIOLATED;
    default: return PLUMB_INCONCLUSIVE;
    }
}

static bool may_judge(struct plumb_monitor *m, const void *given)
{
    if (!m)
        return false;
    if (!is_fresh(m))
        return complain(m, "the handle has judged a history already");
    return given || complain(m, "the argument is null");
}

enum plumb_verdict plumb_monitor_judge_file(struct plumb_monitor *m, const char *path)
{
    if (!may_judge(m, path))
        return PLUMB_ERROR;
    m->question.keep_witnesses = true;
    pipeline_judge_file(&m->in, path, m->spec, &m->question);
    return conclude(m);
}

enum plumb_verdict plumb_monitor_judge_memory(struct plumb_monitor *m, const char *lines, size_t length)
{
    if (!may_judge(m, lines ? lines : length ? NULL : ""))
        return PLUMB_ERROR;
    m->question.keep_witnesses = true;
    pipeline_judge_memory(&m->in, "history", lines ? lines : "", length, m->spec, &m->question);
    return conclude(m);
}

/* ------------------------------------------------------------------ events */

/* A named specification is followed; otherwise all operations have to be known first. */
static void begin_events(struct plumb_monitor *m)
{
    if (m->in.history)
        return;
    m->in = (struct pipeline_input){.path = "history", .name = "history", .history = history_create()};
    m->in.reading.initial = PLUMB_OK;
    m->in.spec_options = (struct plumb_spec_options){.values = m->in.history->values, .initial = PLUMB_OK};
    m->budget = budget_start(m->question.time, m->question.memory_limit);
    if (!m->spec || m->question.quasi)
        return;
    m->in.is_stream = true;
    m->stream = stream_create(m->in.history, &(struct stream_settings){&m->in.spec_options, &m->budget});
}

struct plumb_values *plumb_monitor_values(struct plumb_monitor *m)
{
    if (m && !m->judged)
        begin_events(m);
    return m && m->in.history ? m->in.history->values : NULL;
}

static uint32_t number_object(struct plumb_monitor *m, const char *object)
{
    struct history *h = m->in.history;
    plumb_value name = object ? plumb_string(h->values, object, strlen(object)) : PLUMB_NONE;
    uint32_t number = history_object(h, name);
    size_t known = m->in.specs ? h->object_names.len - 1 : 0;
    if (!m->stream || (m->in.specs && number < known))
        return number;
    m->in.specs = base_realloc(m->in.specs, h->object_names.len * sizeof *m->in.specs);
    for (size_t k = known; k < h->object_names.len; k++) {
        m->in.specs[k] = m->spec;
        stream_set_spec(m->stream, (uint32_t)k, m->spec);
    }
    return number;
}

static bool take_stream_event(struct plumb_monitor *m, const struct history_event *e)
{
    if (stream_is_over(m->stream))
        return complain(m, "nothing more can be learnt");
    return stream_event(m->stream, e, &m->in.error) || fail(m, &m->in.error);
}

/* A wrong event leaves an error behind: what comes after it cannot be judged. */
static bool take_event(struct plumb_monitor *m, const struct history_event *e)
{
    struct history *h = m->in.history;
    if (m->in.error.code)
        return fail(m, &m->in.error);
    if (m->stream)
        return take_stream_event(m, e);
    uint32_t *open = hash_map_at(&m->open, e->thread);
    if (*open == HASH_NO_NUMBER)
        *open = 0;
    if (e->is_return != (*open != 0)) {
        diagnostic_set(&m->in.error, PL_BAD_ARGUMENT, 0, 0, "the thread has %s open call",
                       *open ? "an" : "no");
        return fail(m, &m->in.error);
    }
    if (e->is_return) {
        struct history_op *op = history_change(h, *open - 1);
        op->ret = e->time;
        op->result = e->result;
        op->pending = 0;
        *open = 0;
        return true;
    }
    history_add(h, history_event_operation(e), e->object);
    *open = (uint32_t)h->ops.len;
    return true;
}

static bool goes_on(struct plumb_monitor *m)
{
    return m && (!m->judged || complain(m, "the history has ended"));
}

bool plumb_monitor_call(struct plumb_monitor *m, int64_t thread, const char *object, const char *operation,
                        plumb_value argument, int64_t stamp)
{
    if (!goes_on(m))
        return false;
    begin_events(m);
    struct history *h = m->in.history;
    if (!operation) {
        diagnostic_set(&m->in.error, PL_BAD_ARGUMENT, 0, 0, "the name of the operation is null");
        return fail(m, &m->in.error);
    }
    struct history_event e = {.time = stamp,
                              .arg = argument,
                              .line = ++m->events,
                              .thread = history_thread(h, plumb_int(h->values, thread)),
                              .object = number_object(m, object),
                              .op = history_op_name(h, operation, strlen(operation))};
    if (e.op == HISTORY_NO_NAME)
        return complain(m, "there are too many names of operations");
    return take_event(m, &e);
}

bool plumb_monitor_return(struct plumb_monitor *m, int64_t thread, plumb_value result, int64_t stamp)
{
    if (!goes_on(m))
        return false;
    begin_events(m);
    struct history *h = m->in.history;
    struct history_event e = {.time = stamp,
                              .result = result,
                              .line = m->events,
                              .thread = history_thread(h, plumb_int(h->values, thread)),
                              .is_return = true};
    return take_event(m, &e);
}

bool plumb_monitor_look(struct plumb_monitor *m)
{
    if (!m || m->judged || !m->stream)
        return m && m->judged;
    stream_look(m->stream);
    return stream_is_over(m->stream);
}

enum plumb_verdict plumb_monitor_finish(struct plumb_monitor *m)
{
    if (!goes_on(m))
        return PLUMB_ERROR;
    begin_events(m);
    if (!m->in.error.code && m->events == 0)
        diagnostic_set(&m->in.error, PL_EMPTY_FILE, 0, 0, "the input has no operation");
    if (m->in.error.code)
        return conclude(m);
    if (m->stream) {
        stream_finish(m->stream, true, &m->in.result);
        if (m->in.specs)
            stream_get_specs(m->stream, m->in.specs, m->in.history->object_names.len);
        return conclude(m);
    }
    struct history *h = m->in.history;
    m->question.keep_witnesses = true;
    pipeline_judge_history(&m->in, "history", h, m->spec, &m->question);
    return conclude(m);
}

/* ------------------------------------------------------------------ the evidence */

const char *plumb_monitor_why(struct plumb_monitor *m)
{
    return !m ? NO_HANDLE : m->why.data ? m->why.data : "";
}

/* Streams forget: what is left of them knows its number as a line. */
static uint32_t number_of(const struct plumb_monitor *m, uint32_t op)
{
    return m->stream ? (uint32_t)history_line(m->in.history, op) - 1 : op;
}

size_t plumb_monitor_core(struct plumb_monitor *m, uint32_t *numbers, size_t most)
{
    if (!m || !m->explained)
        return 0;
    const struct monitor_violation *v = m->in.result.violation;
    for (size_t k = 0; k < v->core.len && numbers && k < most; k++)
        numbers[k] = number_of(m, v->core.data[k]);
    return v->core.len;
}

size_t plumb_monitor_witness(struct plumb_monitor *m, uint32_t object, uint32_t *numbers, size_t most)
{
    size_t count = 0;
    if (!m || !m->judged || m->in.error.code || m->in.result.verdict != VERDICT_HOLDS)
        return 0;
    for (size_t w = 0; w < m->in.result.witnesses.len; w++) {
        const struct monitor_witness *witness = &m->in.result.witnesses.data[w];
        for (size_t k = 0; witness->object == object && k < witness->order.len; k++, count++)
            if (numbers && count < most)
                numbers[count] = witness->order.data[k];
    }
    return count;
}

const char *plumb_monitor_text(struct plumb_monitor *m)
{
    struct report_style style = {.columns = COLUMNS, .unicode = true};
    if (m && m->explained && !m->text.len)
        report_terminal(&m->text, &m->explanation.counterexample, &style);
    return m && m->text.data ? m->text.data : "";
}

const char *plumb_monitor_json(struct plumb_monitor *m)
{
    if (m && m->explained && !m->json.len)
        report_json(&m->json, &m->explanation.counterexample);
    return m && m->json.data ? m->json.data : "";
}
