/* SPDX-License-Identifier: Apache-2.0 */
/* A stream that was kept in a file (history/events.h), read as a whole: each call and its return become an
 * operation. */
#include "formats/formats.h"
#include "history/events.h"
#include "history/line_input.h"
#include "history/value_text.h"

#include <inttypes.h>
#include <string.h>

enum { NO_OPERATION = UINT32_MAX };

struct events {
    struct event_reader reader;
    struct history *h;
    struct diagnostic *d;
    VEC(uint32_t) open; /* by thread: its operation, or NO_OPERATION */
    uint64_t line;      /* number of the last one */
    int64_t now;
    bool begun;
};

static bool fail_thread(const struct events *r, const struct history_event *e, int code, const char *what)
{
    struct text name = {0};
    value_print_short(&name, r->h->values, r->h->thread_names.data[e->thread]);
    diagnostic_set(r->d, code, e->line, 1, "thread %s %s", name.data, what);
    text_free(&name);
    return false;
}

static bool add_call(struct events *r, const struct history_event *e)
{
    if (r->open.data[e->thread] != NO_OPERATION)
        return fail_thread(r, e, PL_TWO_OPEN, "calls this operation while it has one open");
    if (r->h->ops.len >= HISTORY_OPS_MAX)
        return diagnostic_set(r->d, PL_TOO_LARGE, e->line, 1, "more than %zu operations", HISTORY_OPS_MAX);
    r->open.data[e->thread] = (uint32_t)r->h->ops.len;
    history_add(r->h, history_event_operation(e), e->object);
    vec_push(&r->h->lines, e->line);
    return true;
}

static bool add_return(struct events *r, const struct history_event *e)
{
    uint32_t open = r->open.data[e->thread];
    if (open == NO_OPERATION)
        return fail_thread(r, e, PL_NO_CALL, "returns, but has no operation open");
    if (e->names_object && e->object != history_object_of(r->h, open))
        return fail_thread(r, e, PL_NO_CALL, "returns from another object than it called");
    struct history_op *op = history_change(r->h, open);
    op->ret = e->time;
    op->result = e->result;
    op->pending = false;
    r->open.data[e->thread] = NO_OPERATION;
    return true;
}

static bool add_event(struct events *r, const struct history_event *e)
{
    if (r->begun && e->time < r->now)
        return diagnostic_set(r->d, PL_TIME_BACK, e->line, 1,
                              "time runs backwards: this event is at %" PRId64
                              ", and an earlier line is at %" PRId64,
                              e->time, r->now);
    r->begun = true;
    r->now = e->time;
    while (r->open.len <= e->thread)
        vec_push(&r->open, NO_OPERATION);
    return e->is_return ? add_return(r, e) : add_call(r, e);
}

static bool take_lines(void *context, const char *at, const char *end)
{
    struct events *r = context;
    while (at < end) {
        struct history_event event;
        enum event_found found = event_read(&r->reader, at, ++r->line, &event);
        if (found == LINE_BAD || (found == LINE_EVENT && !add_event(r, &event)))
            return false;
        at = (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
    }
    return true;
}

bool events_read(struct history *h, const struct text *head, int fd, struct diagnostic *d)
{
    struct events r = {.reader = {.scan = {.values = h->values, .d = d}, .names = h}, .h = h, .d = d};
    struct line_input in = {.head = head->data, .head_left = head->len, .fd = fd, .line_count = &r.line};
    bool fine = line_input_each(&in, take_lines, &r, d);
    line_input_free(&in);
    jsonl_scan_free(&r.reader.scan);
    vec_free(&r.open);
    return fine;
}
