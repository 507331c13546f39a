/* SPDX-License-Identifier: Apache-2.0 */
#include "history/events.h"

#include <string.h>

enum member { THREAD, OBJECT, CALL, ARG, RETURN, RESULT, TIME, MEMBER_COUNT };

static const char *const member_names[MEMBER_COUNT + 1] = {"thread", "object", "call", "arg",
                                                           "return", "result", "t"};

struct event_line {
    struct jsonl_object object; /* the first member */
    struct history *names;
    struct history_event event;
};

/* ---- values of members ---- */

static const char *fail_kind(struct jsonl_object *o, const char *at, unsigned m, const char *kind)
{
    bool operation = (m == CALL || m == RETURN) && jsonl_starts_number(*at);
    return jsonl_fail_kind(
        o, at, m, kind,
        operation ? "; the input began with events, and operations have no place among them" : NULL);
}

static inline __attribute__((always_inline)) const char *read_value(struct jsonl_object *o, const char *at,
                                                                    unsigned m)
{
    struct event_line *l = (struct event_line *)o;
    struct history_event *e = &l->event;
    plumb_value name;
    const char *p;
    switch (m) {
    case THREAD:
        if ((p = jsonl_scan_identity(o, at, m, &name)))
            e->thread = history_thread(l->names, name);
        return p;
    case OBJECT:
        if ((p = jsonl_scan_identity(o, at, m, &name)))
            e->object = history_object(l->names, name);
        return p;
    case CALL:
        return *at == '"' ? jsonl_scan_op_name(o->scan, at, l->names, &e->op)
                          : fail_kind(o, at, m, "the name of an operation");
    case ARG: return jsonl_scan_value(o->scan, at, &e->arg);
    case RETURN: return memcmp(at, "true", 4) ? fail_kind(o, at, m, "true") : at + 4;
    case RESULT: return jsonl_scan_result(o->scan, at, &e->result);
    default:
        return jsonl_starts_number(*at) ? jsonl_scan_int(o->scan, at, &e->time)
                                        : fail_kind(o, at, m, "an integer");
    }
}

static const char *read_name(struct jsonl_object *o, const char *at, unsigned *m)
{
    const char *name;
    size_t length;
    const char *p = jsonl_scan_member(o, at, m, &name, &length);
    if (!p || *m < MEMBER_COUNT)
        return p;
    if (length == 2 && !memcmp(name, "op", 2))
        return jsonl_fail(o->scan, PL_BAD_FIELD, at,
                          "this is an operation; the input began with events, and the two cannot be mixed");
    return jsonl_fail(o->scan, PL_BAD_FIELD, at,
                      "unknown member; events have thread, object, call, arg, return, result and t");
}

/* ---- lines ---- */

static bool check_members(struct event_reader *r, const char *brace, struct event_line *l)
{
    const struct jsonl_object *o = &l->object;
    bool call = jsonl_has(o, CALL), ret = jsonl_has(o, RETURN);
    if (!jsonl_has(o, THREAD) || !jsonl_has(o, TIME))
        return jsonl_fail(&r->scan, PL_BAD_FIELD, brace, "the event has no member \"%s\"",
                          jsonl_has(o, THREAD) ? "t" : "thread");
    if (call == ret)
        return jsonl_fail(&r->scan, PL_BAD_FIELD, brace, "an event has either \"call\" or \"return\"");
    enum member alien = call ? RESULT : ARG;
    if (jsonl_has(o, alien))
        return jsonl_fail(&r->scan, PL_BAD_FIELD, o->at[alien], "a %s has no \"%s\"",
                          call ? "call" : "return", member_names[alien]);
    l->event.is_return = ret;
    l->event.names_object = jsonl_has(o, OBJECT);
    return true;
}

enum event_found event_read(struct event_reader *r, const char *line, uint64_t number,
                            struct history_event *out)
{
    r->scan.line = line;
    r->scan.line_number = number;
    if (number == 1 && !memcmp(line, "\xef\xbb\xbf", 3))
        line += 3;
    const char *brace = jsonl_skip_space(line), *p;
    if (*brace == '\n')
        return LINE_EMPTY;
    struct event_line l = {.object = {.scan = &r->scan, .names = member_names},
                           .names = r->names,
                           .event = {.arg = PLUMB_OK, .result = PLUMB_OK, .line = number}};
    if (*brace != '{') {
        jsonl_fail_expected(&r->scan, PL_SYNTAX, brace, "'{' to start an event");
        return LINE_BAD;
    }
    if (!(p = jsonl_read_object(&l.object, brace, read_name, read_value)))
        return LINE_BAD;
    p = jsonl_skip_space(p);
    if (*p != '\n') {
        jsonl_fail_expected(&r->scan, PL_SYNTAX, p, "the end of the line after the event");
        return LINE_BAD;
    }
    if (!check_members(r, brace, &l))
        return LINE_BAD;
    if (!l.event.is_return && !l.event.names_object)
        l.event.object = history_object(r->names, PLUMB_NONE);
    *out = l.event;
    return LINE_EVENT;
}

/* `name` as a member, with a value that starts with `first`. In a string its quotes would have
 * backslashes. */
static bool has_member(const char *line, const char *end, const char *name, char first)
{
    size_t length = strlen(name);
    const char *p = line;
    while ((p = memmem(p, (size_t)(end - p), name, length))) {
        p += length;
        const char *value = p;
        bool colon = false;
        while (value < end && (*value == ' ' || *value == '\t' || (*value == ':' && !colon)))
            colon |= *value++ == ':';
        if (colon && value < end && *value == first)
            return true;
    }
    return false;
}

bool event_starts(const char *bytes, size_t length)
{
    const char *end = bytes + length, *p = bytes;
    while (p < end && strchr(" \t\r\n\xef\xbb\xbf", *p) && *p)
        p++;
    const char *line_end = memchr(p, '\n', (size_t)(end - p));
    line_end = line_end ? line_end : end;
    return p < end && *p == '{' &&
           (has_member(p, line_end, "\"call\"", '"') || has_member(p, line_end, "\"return\"", 't'));
}

struct history_op history_event_operation(const struct history_event *call)
{
    return (struct history_op){.call = call->time,
                               .ret = INT64_MAX,
                               .arg = call->arg,
                               .result = PLUMB_ANY,
                               .thread = call->thread,
                               .op = call->op,
                               .pending = 1};
}
