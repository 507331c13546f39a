/* SPDX-License-Identifier: Apache-2.0 */
#include "history/events.h"

#include <stdio.h>
#include <string.h>

enum member { THREAD, OBJECT, CALL, ARG, RETURN, RESULT, TIME, MEMBER_COUNT };

static const char *const member_names[MEMBER_COUNT] = {"thread", "object", "call", "arg",
                                                       "return", "result", "t"};

struct event_line {
    struct history_event event;
    unsigned seen; /* bit per member */
    const char *at[MEMBER_COUNT];
};

static bool line_has(const struct event_line *l, enum member m)
{
    return l->seen >> m & 1;
}

/* ---- values of members ---- */

static const char *fail_kind(struct event_reader *r, const char *at, enum member m, const char *kind)
{
    char expected[96];
    int code = *at && strchr("\"[{tfn-0123456789", *at) ? PL_BAD_FIELD : PL_SYNTAX;
    bool operation = (m == CALL || m == RETURN) && jsonl_starts_number(*at);
    snprintf(expected, sizeof expected, "%s for \"%s\"", kind, member_names[m]);
    if (operation)
        return jsonl_fail(&r->scan, code, at,
                          "expected %s; the input began with events, and operations have no place among them",
                          expected);
    return jsonl_fail_expected(&r->scan, code, at, expected);
}

static const char *read_identity(struct event_reader *r, const char *at, enum member m, plumb_value *name)
{
    if (*at != '"' && !jsonl_starts_number(*at))
        return fail_kind(r, at, m, "an integer or a string");
    return jsonl_scan_value(&r->scan, at, name);
}

static const char *read_op(struct event_reader *r, const char *at, uint16_t *op)
{
    if (*at != '"')
        return fail_kind(r, at, CALL, "the name of an operation");
    return jsonl_scan_op_name(&r->scan, at, r->names, op);
}

static const char *read_time(struct event_reader *r, const char *at, int64_t *time)
{
    if (!jsonl_starts_number(*at))
        return fail_kind(r, at, TIME, "an integer");
    return jsonl_scan_int(&r->scan, at, time);
}

static const char *read_value(struct event_reader *r, const char *at, enum member m, struct history_event *e)
{
    plumb_value name;
    const char *p;
    switch (m) {
    case THREAD:
        if ((p = read_identity(r, at, m, &name)))
            e->thread = history_thread(r->names, name);
        return p;
    case OBJECT:
        if ((p = read_identity(r, at, m, &name)))
            e->object = history_object(r->names, name);
        e->names_object = true;
        return p;
    case CALL: return read_op(r, at, &e->op);
    case ARG: return jsonl_scan_value(&r->scan, at, &e->arg);
    case RETURN: return memcmp(at, "true", 4) ? fail_kind(r, at, m, "true") : at + 4;
    case RESULT: return jsonl_scan_result(&r->scan, at, &e->result);
    default: return read_time(r, at, &e->time);
    }
}

/* ---- members ---- */

static const char *read_name(struct event_reader *r, const char *at, enum member *m)
{
    const char *name, *p;
    size_t length;
    if (*at != '"')
        return jsonl_fail_expected(&r->scan, PL_SYNTAX, at, "'\"' to start the name of a member");
    if (!(p = jsonl_scan_string(&r->scan, at, &name, &length)))
        return NULL;
    for (int i = 0; i < MEMBER_COUNT; i++)
        if (strlen(member_names[i]) == length && !memcmp(member_names[i], name, length)) {
            *m = (enum member)i;
            return p;
        }
    if (length == 2 && !memcmp(name, "op", 2))
        return jsonl_fail(&r->scan, PL_BAD_FIELD, at,
                          "this is an operation; the input began with events, and the two cannot be mixed");
    return jsonl_fail(&r->scan, PL_BAD_FIELD, at,
                      "unknown member; events have thread, object, call, arg, return, result and t");
}

static const char *read_member(struct event_reader *r, const char *at, struct event_line *l)
{
    enum member m = MEMBER_COUNT;
    const char *p = read_name(r, at, &m);
    if (!p)
        return NULL;
    if (line_has(l, m))
        return jsonl_fail(&r->scan, PL_BAD_FIELD, at, "member \"%s\" is given twice", member_names[m]);
    l->seen |= 1u << m;
    p = l->at[m] = jsonl_scan_colon(&r->scan, p);
    return p ? read_value(r, p, m, &l->event) : NULL;
}

static const char *read_members(struct event_reader *r, const char *brace, struct event_line *l)
{
    const char *p = jsonl_skip_space(brace + 1);
    if (*p == '}')
        return p + 1;
    for (;; p = jsonl_skip_space(p + 1)) {
        if (!(p = read_member(r, p, l)))
            return NULL;
        p = jsonl_skip_space(p);
        if (*p == '}')
            return p + 1;
        if (*p != ',')
            return jsonl_fail_expected(&r->scan, PL_SYNTAX, p, "',' or '}' after a member");
    }
}

/* ---- lines ---- */

static bool check_members(struct event_reader *r, const char *brace, struct event_line *l)
{
    bool call = line_has(l, CALL), ret = line_has(l, RETURN);
    if (!line_has(l, THREAD) || !line_has(l, TIME))
        return jsonl_fail(&r->scan, PL_BAD_FIELD, brace, "the event has no member \"%s\"",
                          line_has(l, THREAD) ? "t" : "thread");
    if (call == ret)
        return jsonl_fail(&r->scan, PL_BAD_FIELD, brace, "an event has either \"call\" or \"return\"");
    enum member alien = call ? RESULT : ARG;
    if (line_has(l, alien))
        return jsonl_fail(&r->scan, PL_BAD_FIELD, l->at[alien], "a %s has no \"%s\"",
                          call ? "call" : "return", member_names[alien]);
    l->event.is_return = ret;
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
    struct event_line l = {.event = {.arg = PLUMB_OK, .result = PLUMB_OK, .line = number}};
    if (*brace != '{') {
        jsonl_fail_expected(&r->scan, PL_SYNTAX, brace, "'{' to start an event");
        return LINE_BAD;
    }
    if (!(p = read_members(r, brace, &l)))
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

/* `name` as a member, with a value that starts with `first`. In a string its quotes would have backslashes. */
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
