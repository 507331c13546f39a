/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/campaign_races.h"

#include "campaign/campaign_errors.h"
#include "explain/program/explain_error.h"
#include "explain/program/explain_events.h"
#include "base/shell_word.h"
#include "target/symbols/symbols.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void add_blocks(struct symbols *symbols, const struct worker_shared *s)
{
    for (uint32_t k = 0; k < s->event_count; k++)
        explain_events_memory(s, symbols, k);
}

/* ------------------------------------------------------------------ suppressing */

bool race_is_suppressed(struct suppressions *s, const struct worker_shared *shared,
                        const struct worker_error *race)
{
    if (!s || !s->rules.len || race->kind != WORKER_ERROR_RACE)
        return false;
    struct symbols *symbols = explain_symbols(shared);
    add_blocks(symbols, shared);
    bool is_suppressed = suppress_race(s, symbols, race);
    symbols_close(symbols);
    return is_suppressed;
}

static void leave_out(struct campaign *c, size_t number)
{
    struct campaign_error *e = &c->errors.data[number];
    campaign_error_free(e);
    memmove(e, e + 1, (c->errors.len - number - 1) * sizeof *e);
    c->errors.len--;
}

static void suppress(struct campaign *c, bool confirmed)
{
    for (size_t k = 0; k < c->errors.len;) {
        const struct campaign_error *e = &c->errors.data[k];
        const struct target_worker *from = confirmed ? e->confirmed.run.again : e->worker;
        if (from && e->finding && race_is_suppressed(&c->suppressions, target_shared(from), e->error))
            leave_out(c, k);
        else
            k++;
    }
}

void campaign_races_suppress(struct campaign *c)
{
    suppress(c, false);
}

void campaign_races_suppress_confirmed(struct campaign *c)
{
    suppress(c, true);
}

void campaign_races_add_notes(const struct suppressions *s, bool all,
                              void (*add)(void *context, const char *text), void *context)
{
    uint64_t matched = 0;
    struct text t = {0};
    for (size_t k = 0; k < s->rules.len; k++)
        matched += s->rules.data[k].matched;
    if (matched) {
        text_printf(&t, "%" PRIu64 " race%s suppressed: accesses there count as relaxed atomics", matched,
                    matched == 1 ? "" : "s");
        add(context, t.data);
    }
    for (size_t k = 0; k < s->rules.len && all; k++) {
        if (s->rules.data[k].matched)
            continue;
        text_clear(&t);
        suppress_add_text(&t, &s->rules.data[k]);
        text_puts(&t, " suppressed nothing");
        add(context, t.data);
    }
    text_free(&t);
}

/* ------------------------------------------------------------------ listing */

struct raced_places {
    struct text location, places[2];
};

static void name_race(struct raced_places *t, const struct campaign_error *e)
{
    const struct worker_shared *s = target_shared(e->confirmed.run.again);
    struct symbols *symbols = explain_symbols(s);
    add_blocks(symbols, s);
    if (*s->error.object)
        text_puts(&t->location, s->error.object);
    else
        symbols_location(symbols, s->error.address, 0, &t->location);
    for (uint32_t k = 0; k < 2; k++) { /* the earlier access first */
        const struct worker_stack *stack = &s->error.stacks[1 - k];
        text_puts(&t->places[k], "");
        symbols_add_place(symbols, explain_find_place(symbols, stack), &t->places[k]);
    }
    symbols_close(symbols);
}

static void forget(struct raced_places *t)
{
    text_free(&t->location);
    text_free(&t->places[0]);
    text_free(&t->places[1]);
}

uint64_t campaign_races_count(const struct campaign *c)
{
    uint64_t count = 0;
    for (size_t k = 0; k < campaign_count_confirmed(c); k++)
        count += c->errors.data[k].error->kind == WORKER_ERROR_RACE;
    return count;
}

static void add_race(struct text *out, const struct campaign_error *e)
{
    struct raced_places t = {0};
    name_race(&t, e);
    text_printf(out, "    %s: %s and %s, in %" PRIu64 " execution%s", t.location.data, t.places[0].data,
                t.places[1].data, e->executions, e->executions == 1 ? "" : "s");
    if (e->trace) {
        text_puts(out, "; plumb replay");
        shell_add_file(out, e->trace);
    }
    text_puts(out, "\n");
    forget(&t);
}

void campaign_races_add_list(struct text *out, const struct campaign *c)
{
    uint64_t count = campaign_races_count(c);
    if (!count)
        return;
    text_printf(out, "\n  %" PRIu64 " race%s:\n", count, count == 1 ? "" : "s");
    for (size_t k = 0; k < campaign_count_confirmed(c); k++)
        if (c->errors.data[k].error->kind == WORKER_ERROR_RACE)
            add_race(out, &c->errors.data[k]);
}

static void add_race_json(struct json_writer *w, const struct campaign_error *e)
{
    struct raced_places t = {0};
    name_race(&t, e);
    json_open_object(w);
    json_member(w, "location", t.location.data);
    json_key(w, "places"), json_open_array(w);
    json_string(w, t.places[0].data);
    json_string(w, t.places[1].data);
    json_close_array(w);
    json_member(w, "message", e->error->message);
    json_key(w, "executions"), json_uint(w, e->executions);
    if (e->trace)
        json_member(w, "trace", e->trace);
    json_close_object(w);
    forget(&t);
}

static void add_rules_json(struct json_writer *w, const struct suppressions *s)
{
    JSON_ARRAY(w, "suppressed", k, s->rules.len) {
        struct text rule = {0};
        suppress_add_text(&rule, &s->rules.data[k]);
        json_open_object(w);
        json_member(w, "rule", rule.data);
        json_key(w, "races"), json_uint(w, s->rules.data[k].matched);
        json_close_object(w);
        text_free(&rule);
    }
}

void campaign_races_json(struct json_writer *w, const struct campaign *c)
{
    if (c->options.races == CAMPAIGN_RACES_REPORT) {
        JSON_ARRAY(w, "data_races", k, campaign_count_confirmed(c))
            if (c->errors.data[k].error->kind == WORKER_ERROR_RACE)
                add_race_json(w, &c->errors.data[k]);
    }
    if (c->suppressions.rules.len)
        add_rules_json(w, &c->suppressions);
}
