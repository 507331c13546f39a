/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/tables/compared.h"

#include "base/terminal.h"
#include "explain/program/explain_error.h"
#include "target/symbols/symbols.h"

#include <inttypes.h>
#include <string.h>

void compared_add(struct worker_compared *sum, const struct worker_compared *one)
{
    if (!sum->false_alarms && (one->false_alarms || !sum->not_serializable))
        sum->serializable = one->serializable;
    if (!sum->not_sequential)
        sum->sequential = one->sequential;
    sum->executions += one->executions;
    sum->not_serializable += one->not_serializable;
    sum->false_alarms += one->false_alarms;
    for (unsigned k = 0; k < CONFLICT_REASON_COUNT; k++)
        sum->reasons[k] += one->reasons[k];
    sum->not_sequential += one->not_sequential;
    sum->too_large += one->too_large;
}

/* ------------------------------------------------------------------ one execution */

/* "push(1)": a line of the list of operations. */
static void add_operation(struct text *out, const struct worker_shared *s, uint32_t number)
{
    const char *line = s->operations, *end;
    for (; number > 0 && line; number--) {
        line = strchr(line, '\n');
        line += line != NULL;
    }
    if (!line)
        return;
    end = strchr(line, '\n');
    struct text name = {0};
    text_printf(&name, "%.*s", (int)(end ? end - line : (long)strlen(line)), line);
    terminal_add_safe(out, name.data);
    text_free(&name);
}

static void add_step(struct text *out, const struct worker_cycle_step *step, const struct worker_shared *s,
                     struct symbols *symbols)
{
    text_printf(out, "      T%u ", step->thread);
    if (step->op != UINT32_MAX) {
        add_operation(out, s, step->op);
        text_puts(out, ": ");
    }
    text_puts(out, event_kind_text(step->kind));
    if (step->address) {
        text_puts(out, " ");
        symbols_location(symbols, step->address, step->size, out);
    }
}

static void add_cycle(struct text *out, const struct worker_cycle *cycle, const struct worker_shared *s)
{
    static const char *const relations[] = {
        [RELATION_THREAD] = "and then",
        [RELATION_READ_BY] = "is read by",
        [RELATION_OVERWRITTEN_BY] = "is overwritten by",
        [RELATION_TOO_EARLY_FOR] = "does not see",
        [RELATION_TOGETHER] = "in one operation with",
    };
    if (!cycle->count || !s)
        return;
    struct symbols *symbols = explain_symbols(s);
    text_puts(out, "    such as this cycle:\n");
    for (uint32_t k = 0; k < cycle->count; k++) {
        add_step(out, &cycle->steps[k], s, symbols);
        text_printf(out, ", %s\n", relations[cycle->steps[k].relation]);
    }
    symbols_close(symbols);
}

/* ------------------------------------------------------------------ text */

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static void add_reasons(struct text *out, const struct worker_compared *c)
{
    for (unsigned r = 0; r < CONFLICT_REASON_COUNT; r++)
        if (c->reasons[r])
            text_printf(out, "      %" PRIu64 " %s: %s\n", c->reasons[r],
                        conflict_reason_word((enum conflict_reason)r),
                        conflict_reason_text((enum conflict_reason)r));
}

void compared_add_conflicts(struct text *out, const struct worker_compared *c, uint64_t races,
                            const struct worker_shared *names)
{
    text_printf(out, "  %s: %" PRIu64 "\n", names ? "data races" : "tests with a data race", races);
    text_printf(out, "  not conflict serializable: %" PRIu64 " of %" PRIu64 " execution%s\n",
                c->not_serializable, c->executions, plural(c->executions));
    if (c->too_large)
        text_printf(out, "    not known of %" PRIu64 ", with more than %d operations\n", c->too_large,
                    CONFLICTS_OPS_MAX);
    if (!c->not_serializable)
        return;
    text_printf(out, "    %" PRIu64 " of them linearizable%s\n", c->false_alarms,
                c->false_alarms ? ", so these are false alarms" : "");
    add_reasons(out, c);
    add_cycle(out, &c->serializable, names);
}

void compared_add_weak(struct text *out, const struct worker_compared *c, const struct worker_shared *names)
{
    text_printf(out, "  not sequentially consistent: %" PRIu64 " of %" PRIu64 " execution%s\n",
                c->not_sequential, c->executions, plural(c->executions));
    if (c->not_sequential)
        add_cycle(out, &c->sequential, names);
}

/* ------------------------------------------------------------------ JSON */

void compared_conflicts_json(struct json_writer *w, const struct worker_compared *c, uint64_t races)
{
    json_key(w, "compared"), json_open_object(w);
    json_key(w, "executions"), json_uint(w, c->executions);
    json_key(w, "races"), json_uint(w, races);
    json_key(w, "not_serializable"), json_uint(w, c->not_serializable);
    json_key(w, "false_alarms"), json_uint(w, c->false_alarms);
    json_key(w, "reasons"), json_open_object(w);
    for (unsigned r = 0; r < CONFLICT_REASON_COUNT; r++)
        json_key(w, conflict_reason_word((enum conflict_reason)r)), json_uint(w, c->reasons[r]);
    json_close_object(w);
    if (c->too_large)
        json_key(w, "too_large"), json_uint(w, c->too_large);
    json_close_object(w);
}

void compared_weak_json(struct json_writer *w, const struct worker_compared *c)
{
    json_key(w, "weak"), json_open_object(w);
    json_key(w, "executions"), json_uint(w, c->executions);
    json_key(w, "not_sequential"), json_uint(w, c->not_sequential);
    json_close_object(w);
}
