/* SPDX-License-Identifier: Apache-2.0 */
/* Histories in EDN: maps one after the other, or in one vector or list. */
#include "formats/edn.h"
#include "formats/jepsen.h"

#include <string.h>

enum member { PROCESS, TYPE, F, VALUE, KEY, OP, ARG, RESULT, OBJECT, STAMP, MEMBER_COUNT };

static const char *const member_names[MEMBER_COUNT] = {
    ":process",      ":type",         ":f",          ":value", ":key", ":plumb/op", ":plumb/arg",
    ":plumb/result", ":plumb/object", ":plumb/stamp"};

enum { KNOWN_NAMES = 32, NAME_BYTES = 24 };

/* A keyword seen before. */
struct known_name {
    char text[NAME_BYTES];
    size_t length;
    plumb_value value;
};

struct edn_reader {
    struct edn scan;
    struct jepsen *jepsen;
    struct known_name names[KNOWN_NAMES];
    size_t name_count;
    struct jepsen_event event;
    unsigned seen;        /* members of the event, a bit each */
    const char *event_at; /* where the event begins that is being read, or null */
    uint64_t event_line;  /* of that */
    size_t events;        /* that were read */
};

/* The character behind the colon, or that behind the namespace, leaves one or two. */
static enum member member_of(const char *token, size_t length)
{
    for (int m = 0; m < MEMBER_COUNT && length > 1; m++) {
        const char *name = member_names[m];
        if (token[1] == name[1] && strlen(name) == length && !memcmp(token, name, length))
            return (enum member)m;
    }
    return MEMBER_COUNT;
}

/* A value that is nearly always a keyword, and one of few. */
static bool read_name(struct edn_reader *r, plumb_value *out)
{
    struct edn *e = &r->scan;
    size_t length = *e->at == ':' ? edn_token_length(e) : NAME_BYTES;
    if (length >= NAME_BYTES)
        return edn_value(e, out);
    for (size_t i = 0; i < r->name_count; i++) {
        const struct known_name *known = &r->names[i];
        if (known->length == length && !memcmp(known->text, e->at, length)) {
            e->at += length;
            *out = known->value;
            return true;
        }
    }
    struct known_name fresh = {.length = length};
    memcpy(fresh.text, e->at, length);
    if (!edn_value(e, out))
        return false;
    fresh.value = *out;
    if (r->name_count < KNOWN_NAMES)
        r->names[r->name_count++] = fresh;
    return true;
}

static bool read_type(struct edn_reader *r)
{
    struct edn *e = &r->scan;
    struct edn_place place = edn_here(e);
    size_t length = *e->at == ':' ? edn_token_length(e) : 0;
    for (int t = 0; t < JEPSEN_TYPES; t++)
        if (length == strlen(jepsen_type_names[t]) + 1 &&
            !memcmp(e->at + 1, jepsen_type_names[t], length - 1)) {
            r->event.type = (enum jepsen_type)t;
            e->at += length;
            return true;
        }
    return edn_fail(e, place, "expected :invoke, :ok, :fail or :info for :type");
}

static bool read_member_value(struct edn_reader *r, enum member m)
{
    struct jepsen_event *event = &r->event;
    plumb_value ignored;
    switch (m) {
    case TYPE: return read_type(r);
    case F: return read_name(r, &event->f);
    case PROCESS: return read_name(r, &event->process);
    case VALUE: return edn_value(&r->scan, &event->value);
    case KEY: return edn_value(&r->scan, &event->key);
    case OP: return edn_value(&r->scan, &event->op);
    case ARG: return edn_value(&r->scan, &event->arg);
    case RESULT: return edn_value(&r->scan, &event->result);
    case OBJECT: return edn_value(&r->scan, &event->object);
    case STAMP: return edn_value(&r->scan, &event->stamp);
    default: return edn_value(&r->scan, &ignored);
    }
}

static bool read_member(struct edn_reader *r, struct edn_place opened)
{
    struct edn *e = &r->scan;
    struct edn_place place = edn_here(e);
    bool found;
    plumb_value other;
    size_t length = *e->at == ':' ? edn_token_length(e) : 0;
    enum member m = member_of(e->at, length);
    if (m == MEMBER_COUNT ? !edn_value(e, &other) : (e->at += length, false))
        return false;
    if (m != MEMBER_COUNT && r->seen >> m & 1)
        return edn_fail(e, place, "%s is given twice", member_names[m]);
    r->seen |= m == MEMBER_COUNT ? 0 : 1u << m;
    if (!edn_next(e, '}', opened, &found))
        return false;
    if (!found)
        return edn_fail(e, place, "this key has no value");
    return read_member_value(r, m);
}

/* e->at is the brace. */
static bool read_event(struct edn_reader *r)
{
    struct edn *e = &r->scan;
    struct edn_place opened = edn_here(e);
    bool found;
    e->at++;
    r->event = jepsen_blank_event();
    r->seen = 0;
    r->event.line = opened.line;
    r->event.column = opened.column;
    for (;;) {
        if (!edn_next(e, '}', opened, &found))
            return false;
        if (!found)
            return jepsen_add(r->jepsen, &r->event);
        if (!read_member(r, opened))
            return false;
    }
}

/* A map, perhaps behind a tag such as #jepsen.history.Op. */
static bool read_tagged_event(struct edn_reader *r)
{
    struct edn *e = &r->scan;
    struct edn_place place = edn_here(e);
    r->event_at = e->at;
    r->event_line = e->line;
    if (*e->at == '#' && e->at[1] != '{' && e->at[1] != '#' && e->at[1] != ':') {
        e->at++;
        size_t length = edn_token_length(e);
        if (!edn_is_symbol(e->at, length))
            return edn_fail(e, place, "expected a tag after '#'");
        e->at += length;
        if (!edn_skip(e))
            return false;
    }
    if (*e->at != '{')
        return edn_fail(e, edn_here(e), "expected '{' to start an event");
    if (!read_event(r))
        return false;
    r->event_at = NULL;
    r->events++;
    return true;
}

static bool read_list(struct edn_reader *r, char stop)
{
    struct edn_place opened = edn_here(&r->scan);
    bool found;
    r->scan.at++;
    for (;;) {
        if (!edn_next(&r->scan, stop, opened, &found))
            return false;
        if (!found)
            return true;
        if (!read_tagged_event(r))
            return false;
    }
}

static bool read_forms(struct edn_reader *r)
{
    struct edn *e = &r->scan;
    for (;;) {
        if (!edn_skip(e))
            return false;
        if (e->at == e->end)
            return true;
        char c = *e->at;
        bool fine = c == '[' ? read_list(r, ']') : c == '(' ? read_list(r, ')') : read_tagged_event(r);
        if (!fine)
            return false;
    }
}

/* ---- files that end early ---- */

/* Does no bracket close what opens at `p`? Strings and characters are passed over. */
static bool is_open(const char *p, const char *end)
{
    long depth = 0;
    for (bool quoted = false; p < end; p++) {
        if (*p == '\\')
            p++;
        else if (*p == '"')
            quoted = !quoted;
        else if (!quoted && strchr("{[(", *p) && *p)
            depth++;
        else if (!quoted && strchr("}])", *p) && *p && --depth <= 0)
            return false;
    }
    return true;
}

/* Recorders write a line per event. One that is not closed in the last line was cut; further up, its bracket
 * is missing. */
static bool is_in_last_line(const char *p, const char *end)
{
    while (end > p && strchr(" \t\r\n", end[-1]))
        end--;
    return !memchr(p, '\n', (size_t)(end - p));
}

/* After an error: is it that the file ends too early? What was read until then is a beginning of the
 * history. */
static bool was_cut(struct edn_reader *r, char **cut)
{
    const struct edn *e = &r->scan;
    bool begins = r->event_at && strchr("{#", *r->event_at); /* or a zero, as crashes leave them behind */
    bool inside = begins && is_open(r->event_at, e->end) && is_in_last_line(r->event_at, e->end);
    bool behind = !r->event_at && e->at == e->end;
    if (!r->events || (!inside && !behind))
        return false;
    struct text sentence = {0};
    if (inside)
        text_printf(&sentence, "the file ends in the middle of the event in line %llu",
                    (unsigned long long)r->event_line);
    else
        text_puts(&sentence, "the file ends before its closing bracket");
    *cut = text_take(&sentence);
    *e->d = (struct diagnostic){0};
    return true;
}

bool edn_read(struct history *h, const char *bytes, size_t length, const struct format_options *o, char **cut,
              struct diagnostic *d)
{
    struct edn_reader *r = NEW(struct edn_reader);
    edn_start(&r->scan, h->values, bytes, length, d);
    r->jepsen = jepsen_begin(h, o, FORMAT_EDN, d);
    bool fine = (read_forms(r) || was_cut(r, cut)) && jepsen_finish(r->jepsen);
    jepsen_free(r->jepsen);
    edn_free(&r->scan);
    free(r);
    return fine;
}
