/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/program/explain_reason.h"

#include "base/diagnostic.h"
#include "explain/program/explain_calls.h"
#include "explain/program/explain_events.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* " at ring.c:41..44": the lines of the loop that are in the file of the step where the thread is. */
static void add_lines(struct symbols *symbols, const struct worker_round *r, struct text *out)
{
    struct symbol_place at, place;
    if (!r->count || !symbols_line(symbols, r->pcs[r->count - 1], &at) || !at.at.file || !at.at.line)
        return;
    char *file = strdup(at.at.file);
    uint32_t first = at.at.line, last = first;
    for (uint32_t k = 0; k < r->count; k++)
        if (symbols_line(symbols, r->pcs[k], &place) && place.at.file && strcmp(place.at.file, file) == 0) {
            first = place.at.line && place.at.line < first ? place.at.line : first;
            last = place.at.line > last ? place.at.line : last;
        }
    text_printf(out, " at %s:%" PRIu32, file, first);
    if (last > first)
        text_printf(out, "..%" PRIu32, last);
    free(file);
}

/* Does the message go on with a thread that goes round for ever? Its loop gets its name. */
static void add_loop(struct symbols *symbols, const struct worker_error *error, const char *at,
                     struct text *out)
{
    for (uint32_t k = 0; k < error->round_count && k < PROTOCOL_ROUNDS; k++) {
        char words[48];
        int length =
            snprintf(words, sizeof words, "T%" PRIu32 " goes round for ever", error->rounds[k].thread);
        if (at - error->message >= length && strncmp(at - length, words, (size_t)length) == 0)
            add_lines(symbols, &error->rounds[k], out);
    }
}

static bool takes_lock(const struct event *e)
{
    return e->kind == EVENT_LOCK || e->kind == EVENT_READ_LOCK || (e->kind == EVENT_TRYLOCK && e->value);
}

/* " since step 8 (queue.c:16)" */
static void add_since(const struct worker_shared *s, struct symbols *symbols, uint64_t address,
                      uint32_t thread, struct text *out)
{
    uint32_t count = s->event_count < PROTOCOL_EVENTS ? s->event_count : PROTOCOL_EVENTS;
    for (uint32_t k = count; k-- > 0;) {
        const struct event *e = &s->events[k];
        if (e->thread != thread || e->address != address || !takes_lock(e))
            continue;
        text_printf(out, " since step %" PRIu32 " (", explain_events_step(s, k));
        symbols_add_place(symbols, e->pc, out);
        text_puts(out, ")");
        return;
    }
}

/* Locks and the like stand in the message by their addresses, and who holds them behind that. */
static const char *add_lock(const struct worker_shared *s, struct symbols *symbols, const char *at,
                            struct text *out)
{
    char *end;
    uint64_t address = strtoull(at, &end, 16);
    unsigned thread;
    int length = 0;
    symbols_location(symbols, address, 0, out);
    if (sscanf(end, ", which T%u holds%n", &thread, &length) == 1 && length) {
        text_add(out, end, (size_t)length);
        add_since(s, symbols, address, thread, out);
    }
    return end + length;
}

static void add_waits(const struct worker_shared *s, struct symbols *symbols, struct text *out)
{
    const char *at = s->error.message;
    while (*at) {
        if (strncmp(at, "0x", 2) == 0) {
            at = add_lock(s, symbols, at, out);
        } else {
            text_add(out, at++, 1);
            add_loop(symbols, &s->error, at, out);
        }
    }
}

const char *explain_reason(const struct worker_shared *shared, struct symbols *symbols, struct arena *arena)
{
    struct text t = {0};
    const struct worker_error *error = &shared->error;
    if (explain_calls_code(error->kind) != PL_EXECUTION)
        explain_name_pointers(symbols, error->message, strnlen(error->message, sizeof error->message), &t);
    else if (error->kind == WORKER_ERROR_DEADLOCK)
        add_waits(shared, symbols, &t);
    else
        text_puts(&t, error->message);
    if (error->kind == WORKER_ERROR_RACE) {
        text_puts(&t, ": ");
        if (*error->object)
            text_puts(&t, error->object);
        else
            symbols_location(symbols, error->address, 0, &t);
    }
    return text_keep(&t, arena);
}
