/* SPDX-License-Identifier: Apache-2.0 */
/* Jepsen's log: lines such as
 *   INFO  jepsen.util - 3	:invoke	:cas	[1 2]
 * among others. A line with one of the four types, a process before it and a function behind it is an event;
 * what follows the value, such as the reason of a failure, is not looked at. Without a process that calls
 * operations, a line that has less is one of the others, such as "SomeException: he said :ok then". */
#include "formats/edn.h"
#include "formats/jepsen.h"

#include <string.h>

struct log_reader {
    struct history *h;
    struct jepsen *jepsen;
    struct diagnostic *d;
    uint64_t line;
    size_t skipped, events;
    bool unfinished; /* the file ends in this line */
    bool lost;       /* and it is no event, or not yet */
};

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

/* The type in the line: a word of its own. */
static const char *find_type(const char *first, const char *end, enum jepsen_type *type)
{
    for (const char *p = first; (p = memchr(p, ':', (size_t)(end - p))); p++) {
        if (p == first || !is_space(p[-1]))
            continue;
        for (int t = 0; t < JEPSEN_TYPES; t++) {
            size_t length = strlen(jepsen_type_names[t]);
            if ((size_t)(end - p) > length + 1 && !memcmp(p + 1, jepsen_type_names[t], length) &&
                is_space(p[length + 1])) {
                *type = (enum jepsen_type)t;
                return p;
            }
        }
    }
    return NULL;
}

/* One form; the text ends with the line. */
static bool read_form(struct edn *e, plumb_value *out)
{
    if (!edn_skip(e))
        return false;
    if (e->at == e->end)
        return edn_fail(e, edn_here(e),
                        "the line ends here; an event has a process, a type, a function and a value");
    return edn_value(e, out);
}

/* The value just read ends with the file, and nothing closes it: 12 may be all that is left of 123. */
static bool may_be_longer(const struct edn *e)
{
    return e->at == e->end && !strchr("]})\"", e->end[-1]);
}

/* False with a diagnostic, except about a line that is no event. */
static bool read_forms(struct log_reader *r, const char *line, const char *process, const char *behind_type,
                       const char *end, struct jepsen_event *event)
{
    struct edn e;
    edn_start(&e, r->h->values, line, (size_t)(end - line), r->d);
    e.line = r->line;
    e.at = process;
    bool named = read_form(&e, &event->process);
    e.at = behind_type;
    bool fine = named && read_form(&e, &event->f) && read_form(&e, &event->value);
    if (fine && r->unfinished && may_be_longer(&e))
        fine = edn_fail(&e, edn_here(&e), "the file ends here, perhaps in the middle of this value");
    bool client =
        named ? jepsen_is_client(r->h->values, event->process) : strchr("0123456789\"", *process) != NULL;
    if (!fine && !client)
        *r->d = (struct diagnostic){0};
    edn_free(&e);
    return fine;
}

/* The line is copied: what reads it expects a zero at the end. */
static bool read_line(struct log_reader *r, const char *line, const char *end)
{
    struct jepsen_event event = jepsen_blank_event();
    const char *type = find_type(line, end, &event.type);
    if (!type) {
        r->skipped += !r->unfinished;
        r->lost = r->unfinished;
        return true;
    }
    const char *process = type;
    while (process > line && is_space(process[-1]))
        process--;
    while (process > line && !is_space(process[-1]))
        process--;
    event.line = r->line;
    event.column = (uint64_t)(process - line) + 1;
    const char *behind = type + 1 + strlen(jepsen_type_names[event.type]);
    if (!read_forms(r, line, process, behind, end, &event)) {
        r->skipped += !r->d->code;
        return !r->d->code;
    }
    if (!jepsen_add(r->jepsen, &event))
        return false;
    r->events++;
    return true;
}

static bool read_lines(struct log_reader *r, const char *bytes, size_t length)
{
    struct text copy = {0};
    bool fine = true;
    for (const char *p = bytes, *end = bytes + length; p < end && fine;) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        r->unfinished = !stop;
        stop = stop ? stop : end;
        text_clear(&copy);
        text_add(&copy, p, (size_t)(stop - p));
        r->line++;
        if (copy.len)
            fine = read_line(r, copy.data, copy.data + copy.len);
        p = stop + 1;
    }
    text_free(&copy);
    return fine;
}

/* What is wrong is in a last line that does not end: what was read until then is a beginning of the
 * history. */
static bool was_cut(const struct log_reader *r, char **cut)
{
    if (!r->events || !r->unfinished)
        return false;
    struct text sentence = {0};
    text_printf(&sentence, "the file ends in the middle of line %llu", (unsigned long long)r->line);
    *cut = text_take(&sentence);
    *r->d = (struct diagnostic){0};
    return true;
}

bool log_read(struct history *h, const char *bytes, size_t length, const struct format_options *o,
              struct text *notes, char **cut, struct diagnostic *d)
{
    struct log_reader r = {.h = h, .d = d, .jepsen = jepsen_begin(h, o, FORMAT_LOG, d)};
    bool whole = read_lines(&r, bytes, length) && !r.lost;
    bool fine = (whole || was_cut(&r, cut) || !d->code) && jepsen_finish(r.jepsen);
    if (fine && r.skipped)
        text_printf(notes, "%zu line%s without an event %s left out\n", r.skipped, r.skipped == 1 ? "" : "s",
                    r.skipped == 1 ? "was" : "were");
    jepsen_free(r.jepsen);
    return fine;
}
