/* SPDX-License-Identifier: Apache-2.0 */
/* When a history ceased to be legal, in words and as JSON. */
#include "history/value_text.h"
#include "report/json_parts.h"

#include <inttypes.h>

static int64_t stamp_of(const struct report_moment_event *e)
{
    return e->returns ? e->op.ret : e->op.call;
}

/* ", the return of thread 2's deq() = 7 on a (line 5)" */
static void add_event(struct text *out, const struct report_counterexample *c,
                      const struct report_moment_event *e)
{
    text_printf(out, ", the %s of thread ", e->returns ? "return" : "call");
    value_print_short(out, c->values, e->op.thread_name);
    text_printf(out, "'s %s", e->op.label);
    if (e->object)
        text_printf(out, " on %s", e->object);
    if (e->op.line)
        text_printf(out, " (line %" PRIu64 ")", e->op.line);
}

void report_moment_lines(const struct report_counterexample *c, struct text *last, struct text *first)
{
    const struct report_moment *m = c->moment;
    if (!m->known) {
        text_puts(last, "The first illegal moment is not known: a limit was met while looking for it.");
        return;
    }
    text_puts(last, m->relaxed ? "Quasi linearizable until " : "Legal until ");
    if (m->has_last) {
        text_printf(last, "%" PRId64, stamp_of(&m->last));
        add_event(last, c, &m->last);
    } else {
        text_puts(last, "it began");
    }
    text_printf(first, m->certain ? "%s from %" PRId64 " on" : "%s any more at %" PRId64,
                m->relaxed ? "Not" : "Illegal", stamp_of(&m->first));
    add_event(first, c, &m->first);
    if (!m->certain)
        text_puts(first, "; not every longer part of the history was tried");
}

static void write_event(struct json_writer *w, const struct report_counterexample *c, const char *name,
                        const struct report_moment_event *e)
{
    json_key(w, name), json_open_object(w);
    json_key(w, "t"), json_int(w, stamp_of(e));
    json_member(w, "event", e->returns ? "return" : "call");
    json_key(w, "id"), json_uint(w, e->op.id);
    if (e->op.line)
        json_key(w, "line"), json_uint(w, e->op.line);
    json_add_value(w, c->values, "thread", e->op.thread_name);
    if (e->object)
        json_add_value(w, c->values, "object", e->object_name);
    json_member(w, "label", e->op.label);
    json_close_object(w);
}

void json_add_moment(struct json_writer *w, const struct report_counterexample *c)
{
    const struct report_moment *m = c->moment;
    struct text last = {0}, first = {0};
    report_moment_lines(c, &last, &first);
    json_key(w, "moment"), json_open_object(w);
    json_key(w, "known"), json_bool(w, m->known);
    if (m->known && m->has_last)
        write_event(w, c, "legal_until", &m->last);
    if (m->known) {
        write_event(w, c, "illegal_from", &m->first);
        json_key(w, "certain"), json_bool(w, m->certain);
    }
    json_key(w, "text"), json_open_array(w);
    json_string(w, last.data);
    if (first.len)
        json_string(w, first.data);
    json_close_array(w);
    json_close_object(w);
    text_free(&last);
    text_free(&first);
}
