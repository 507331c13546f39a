/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json_parts.h"

static const char *const kinds[] = {
    [REPORT_CYCLE] = "cycle", [REPORT_CONDITION] = "condition", [REPORT_SYNC] = "synchronization"};

static void add_text(struct json_writer *w, const char *name, const char *s)
{
    if (s)
        json_member(w, name, s);
}

static void add_call(struct json_writer *w, const struct report_call *c)
{
    json_open_object(w);
    json_member(w, "label", c->label);
    json_key(w, "thread"), json_uint(w, c->thread);
    if (c->begin)
        json_key(w, "begin"), json_uint(w, c->begin);
    if (c->end)
        json_key(w, "end"), json_uint(w, c->end);
    add_text(w, "state", c->state);
    add_text(w, "place", c->place);
    json_close_object(w);
}

static void add_access(struct json_writer *w, const char *name, const struct report_event *e, bool lacks)
{
    json_key(w, name), json_open_object(w);
    json_key(w, "event"), json_uint(w, e->id);
    add_text(w, "place", e->place);
    json_key(w, "lacks"), json_bool(w, lacks);
    json_close_object(w);
}

void json_add_calls(struct json_writer *w, const struct report_calls *c)
{
    json_key(w, "calls"), json_open_object(w);
    json_member(w, "kind", kinds[c->kind]);
    JSON_ARRAY(w, "calls", i, c->count)
        add_call(w, &c->calls[i]);
    JSON_ARRAY(w, "order", i, c->order_count)
        json_uint(w, c->order[i]);
    if (c->kind == REPORT_CONDITION)
        json_key(w, "every"), json_bool(w, c->every);
    add_text(w, "initial", c->initial);
    if (c->kind != REPORT_CYCLE)
        json_key(w, "failed"), json_uint(w, c->failed);
    if (c->kind == REPORT_SYNC)
        json_key(w, "earlier"), json_uint(w, c->earlier);
    add_text(w, "clause", c->clause);
    add_text(w, "values", c->values);
    add_text(w, "place", c->place);
    if (c->release && c->acquire) {
        add_access(w, "release", c->release, c->release_lacks);
        add_access(w, "acquire", c->acquire, c->acquire_lacks);
    }
    json_close_object(w);
}
