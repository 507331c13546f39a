/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/bounds.h"

#include "base/vec.h"
#include "explain/program/explain_error.h"
#include "target/symbols/symbols.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ places */

static void add_met(struct campaign_bounds *b, const struct worker_visits *v)
{
    uint32_t at = 0;
    while (at < b->met_count && b->met[at].pc < v->pc)
        at++;
    if (at < b->met_count && b->met[at].pc == v->pc)
        return;
    if (b->met_count == PROTOCOL_LOOPS) {
        b->met_lost = true;
        return;
    }
    memmove(&b->met[at + 1], &b->met[at], (b->met_count++ - at) * sizeof *b->met);
    b->met[at] = *v;
}

/* What a worker held may matter to what another one has seen. */
static bool are_seen(struct campaign_bounds *b, const struct worker_shared *s)
{
    uint64_t both = 0;
    for (unsigned k = 0; k < GRAPHS_PLACES; k++) {
        b->held_places[k] |= s->loops.held_places[k];
        b->known_places[k] |= s->loops.known_places[k];
        both |= b->held_places[k] & b->known_places[k];
    }
    return both != 0;
}

uint32_t bounds_add_worker(struct campaign_bounds *b, const struct worker_shared *s)
{
    b->loops = s->config.loops;
    b->returns = s->config.returns;
    b->met_lost |= s->loops.met_lost != 0;
    for (uint32_t k = 0; k < s->loops.met_count; k++)
        add_met(b, &s->loops.met[k]);
    if (!b->held.pc)
        b->held = s->loops.held;
    return are_seen(b, s) ? LIMIT_RETURNS : 0;
}

/* A line of the source, which may have several places. */
struct line {
    char *place; /* "ring.c:41" */
    char *file, *function;
    uint32_t number, rounds;
};

typedef VEC(struct line) line_list;

static char *copy(const char *words)
{
    struct text t = {0};
    text_puts(&t, words ? words : "");
    return text_take(&t);
}

/* Of several places of a line the fewest rounds are what was explored of all of them. */
static void add_line(line_list *lines, struct symbols *symbols, const struct worker_visits *v)
{
    struct text place = {0};
    struct symbol_place found = {0};
    symbols_line(symbols, v->pc, &found);
    symbols_add_place(symbols, v->pc, &place);
    for (size_t k = 0; k < lines->len; k++)
        if (strcmp(lines->data[k].place, place.data) == 0) {
            if (lines->data[k].rounds > v->count)
                lines->data[k].rounds = v->count;
            text_free(&place);
            return;
        }
    vec_push(lines, ((struct line){.place = text_take(&place),
                                   .file = copy(found.at.file),
                                   .function = copy(found.at.function),
                                   .number = found.at.line,
                                   .rounds = v->count}));
}

static line_list find_lines(const struct campaign_bounds *b, const struct worker_shared *s)
{
    struct symbols *symbols = explain_symbols(s);
    line_list lines = {0};
    for (uint32_t k = 0; k < b->met_count; k++)
        add_line(&lines, symbols, &b->met[k]);
    symbols_close(symbols);
    return lines;
}

static void free_lines(line_list *lines)
{
    for (size_t k = 0; k < lines->len; k++) {
        free(lines->data[k].place);
        free(lines->data[k].file);
        free(lines->data[k].function);
    }
    vec_free(lines);
}

/* ------------------------------------------------------------------ words */

static void add_rounds(struct text *out, const struct line *l)
{
    text_printf(out, "%" PRIu32 " round%s of %s", l->rounds, l->rounds == 1 ? "" : "s", l->place);
}

void bounds_add_rounds(struct text *out, const struct campaign_bounds *b, const struct worker_shared *s)
{
    enum { NAMED = 2 };
    line_list lines = find_lines(b, s);
    for (size_t k = 0; k < lines.len && k < NAMED; k++) {
        text_puts(out, k == 0 ? "" : lines.len > NAMED || b->met_lost ? ", " : " and ");
        if (k && lines.data[k].rounds == lines.data[0].rounds)
            text_puts(out, lines.data[k].place);
        else
            add_rounds(out, &lines.data[k]);
    }
    size_t more = lines.len > NAMED ? lines.len - NAMED : 0;
    if (b->met_lost)
        text_puts(out, " and many more places");
    else if (more)
        text_printf(out, " and %zu more place%s", more, more == 1 ? "" : "s");
    free_lines(&lines);
}

char *bounds_describe(const struct campaign_bounds *b, const struct worker_shared *s, bool whole)
{
    struct text t = {0};
    text_puts(&t, whole ? "no error in every execution with at most " : "executions with more than ");
    bounds_add_rounds(&t, b, s);
    text_puts(&t, whole ? "" : " were left out");
    return text_take(&t);
}

char *bounds_describe_held(const struct campaign_bounds *b, const struct worker_shared *s, uint32_t limit)
{
    struct text t = {0};
    char *place = b->held.pc ? code_place(s, b->held.pc) : NULL;
    if (b->held.pc)
        text_printf(&t, "T%" PRIu32, b->held.thread);
    else
        text_puts(&t, "a thread");
    text_puts(&t, limit == LIMIT_RETURNS ? " stopped" : " can spin forever");
    if (place)
        text_printf(&t, " at %s", place);
    if (limit == LIMIT_RETURNS)
        text_printf(&t,
                    " after %" PRIu32 " return%s to the same state; whether its rounds matter to others was "
                                      "not decided: longer executions "
                    "may differ (--loops %" PRIu32 ")",
                    b->returns, b->returns == 1 ? "" : "s", b->returns + 1);
    free(place);
    return text_take(&t);
}

static double seconds_of(const struct campaign_bounds *b)
{
    double seconds = 0;
    for (uint32_t k = 0; k < b->phase_count; k++)
        seconds += b->phases[k].seconds;
    return seconds;
}

static bool was_explored(const struct campaign_bounds *b)
{
    for (uint32_t k = 0; k < b->phase_count; k++)
        if (b->phases[k].whole)
            return true;
    return false;
}

bool bounds_add_advice(struct text *out, const struct campaign_bounds *b, bool with_times)
{
    if (!was_explored(b))
        return false;
    text_printf(out, "loops were explored with %" PRIu32 " more round%s than in the first execution",
                b->loops, b->loops == 1 ? "" : "s");
    if (with_times)
        text_printf(out, ", in %.1f s", seconds_of(b));
    text_printf(out, "; --loops %" PRIu32 " or --time S goes further", 2 * b->loops);
    return true;
}

/* ------------------------------------------------------------------ JSON */

static void add_line_json(struct json_writer *w, const struct line *l)
{
    json_open_object(w);
    if (*l->file) {
        json_member(w, "file", l->file);
        json_key(w, "line"), json_uint(w, l->number);
    } else {
        json_member(w, "place", l->place);
    }
    if (*l->function)
        json_member(w, "function", l->function);
    json_key(w, "rounds"), json_uint(w, l->rounds);
    json_key(w, "met"), json_bool(w, true);
    json_close_object(w);
}

static void add_phase_json(struct json_writer *w, const struct bounds_phase *p)
{
    json_open_object(w);
    json_key(w, "loops"), json_uint(w, p->loops);
    json_key(w, "executions"), json_uint(w, p->executions);
    json_key(w, "blocked"), json_uint(w, p->blocked);
    json_key(w, "whole"), json_bool(w, p->whole);
    json_close_object(w);
}

void bounds_json(struct json_writer *w, const struct campaign_bounds *b, const struct worker_shared *s)
{
    if (!b->loops)
        return;
    line_list lines = find_lines(b, s);
    json_key(w, "bounds"), json_open_object(w);
    json_key(w, "loops"), json_uint(w, b->loops);
    JSON_ARRAY(w, "places", k, lines.len)
        add_line_json(w, &lines.data[k]);
    if (b->phase_count)
        JSON_ARRAY(w, "phases", k, b->phase_count)
            add_phase_json(w, &b->phases[k]);
    json_close_object(w);
    free_lines(&lines);
}
