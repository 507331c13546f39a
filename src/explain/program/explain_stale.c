/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/program/explain_events.h"

#include "graph/model.h"

#include <string.h>

enum { EXPLAINED_MOST = 3, NO_EVENT = UINT32_MAX };

const struct worker_relation *explain_relation(const struct worker_shared *s, uint32_t k)
{
    return k < s->relation_count ? &s->relations[k] : NULL;
}

static bool is_stale(const struct worker_shared *s, uint32_t k)
{
    const struct worker_relation *r = explain_relation(s, k);
    return r && r->stale && s->events[k].kind != EVENT_NONE;
}

uint32_t explain_stale_count(const struct worker_shared *s)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < s->relation_count; k++)
        count += is_stale(s, k);
    return count;
}

/* The position of an event by its number. NO_EVENT: it has none, or the program wrote nonsense over it. */
static uint32_t at(const struct worker_shared *s, uint32_t number)
{
    return number && number <= s->relation_count ? number - 1 : NO_EVENT;
}

static uint32_t newest_of(const struct worker_shared *s, uint32_t k)
{
    const struct worker_relation *r = &s->relations[k];
    return r->newest_plain ? NO_EVENT : at(s, r->newest);
}

static void add_value(const struct worker_shared *s, struct symbols *symbols, uint32_t k, bool written,
                      struct text *out)
{
    const struct event *e = &s->events[k];
    symbols_value(symbols, e->address, e->size, written ? e->value : e->before, out);
}

bool explain_stale_note(const struct worker_shared *s, struct symbols *symbols, uint32_t k, struct text *out)
{
    if (!is_stale(s, k))
        return false;
    uint32_t newest = newest_of(s, k);
    if (s->relations[k].writes) {
        text_puts(out, "late: older than ");
        if (newest == NO_EVENT)
            text_puts(out, "a plain write");
        else
            text_printf(out, "step %u", newest + 1);
        return true;
    }
    text_puts(out, "stale: ");
    if (newest == NO_EVENT) {
        text_puts(out, "a plain write is newer");
        return true;
    }
    text_printf(out, "step %u wrote ", newest + 1);
    add_value(s, symbols, newest, true, out);
    return true;
}

/* ------------------------------------------------------------------ why */

const char *explain_order_word(unsigned order)
{
    static const char *const names[] = {"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};
    return order < sizeof names / sizeof *names ? names[order] : "plain";
}

static bool gives(const struct event *e)
{
    return e->order == ORDER_RELEASE || e->order == ORDER_ACQ_REL || e->order == ORDER_SEQ_CST;
}

static bool takes(const struct event *e)
{
    return e->order == ORDER_ACQUIRE || e->order == ORDER_CONSUME || e->order == ORDER_ACQ_REL ||
           e->order == ORDER_SEQ_CST;
}

/* The last read of the thread of event k before it, of something that the thread of `newest` wrote in or
 * after that event: had the two synchronized, k could not be stale. NO_EVENT: there is none. */
static uint32_t find_message(const struct worker_shared *s, uint32_t k, uint32_t newest)
{
    for (uint32_t j = k; j-- > 0;) {
        uint32_t source = s->relations[j].source_plain ? NO_EVENT : at(s, s->relations[j].source);
        if (s->events[j].thread == s->events[k].thread && s->relations[j].reads && source != NO_EVENT &&
            source > newest && s->events[source].thread == s->events[newest].thread)
            return j;
    }
    return NO_EVENT;
}

static void explain_message(const struct worker_shared *s, uint32_t read, uint32_t newest, struct text *out)
{
    uint32_t write = at(s, s->relations[read].source);
    const struct event *r = &s->events[read], *w = &s->events[write];
    text_printf(out,
                " Step %u reads what step %u wrote after step %u, but steps %u and %u do not synchronize",
                read + 1, write + 1, newest + 1, write + 1, read + 1);
    if (!gives(w) && !takes(r) && w->order == r->order)
        text_printf(out, ": both are %s.", explain_order_word(w->order));
    else if (!gives(w) && !takes(r))
        text_printf(out, ": step %u is %s, and step %u %s.", write + 1, explain_order_word(w->order),
                    read + 1, explain_order_word(r->order));
    else if (!gives(w))
        text_printf(out, ": step %u is %s.", write + 1, explain_order_word(w->order));
    else if (!takes(r))
        text_printf(out, ": step %u is %s.", read + 1, explain_order_word(r->order));
    else
        text_puts(out, ".");
}

/* May the write of event w still be in the store buffer of its thread at event k? */
static bool may_be_buffered(const struct worker_shared *s, uint32_t w, uint32_t k)
{
    for (uint32_t j = w; j < k; j++)
        if (s->events[j].thread == s->events[w].thread &&
            (s->events[j].kind == EVENT_UPDATE || s->events[j].kind == EVENT_FENCE))
            return false;
    return model_is(s->config.memory, MODEL_BUFFERED);
}

static void say_unordered(const struct worker_shared *s, uint32_t k, uint32_t newest, struct text *out)
{
    const struct event *old = &s->events[newest], *e = &s->events[k];
    if (!s->relations[k].writes && may_be_buffered(s, newest, k)) {
        text_printf(out, " Under tso that write may still be in the store buffer of T%u.", old->thread);
        return;
    }
    text_printf(out, " Nothing makes step %u happen before step %u", newest + 1, k + 1);
    if (old->order == e->order && e->order != ORDER_SEQ_CST)
        text_printf(out, ": only seq_cst steps have one order for all, and both are %s",
                    explain_order_word(e->order));
    else if (old->order != ORDER_SEQ_CST || e->order != ORDER_SEQ_CST)
        text_printf(out, ": only seq_cst steps have one order for all, and step %u is %s, step %u %s",
                    newest + 1, explain_order_word(old->order), k + 1, explain_order_word(e->order));
    text_puts(out, ".");
}

static void explain_read(const struct worker_shared *s, struct symbols *symbols, uint32_t k, struct text *out)
{
    uint32_t newest = newest_of(s, k), source = at(s, s->relations[k].source);
    text_printf(out, "Step %u reads an old value: ", k + 1);
    symbols_location(symbols, s->events[k].address, s->events[k].size, out);
    text_puts(out, " = ");
    add_value(s, symbols, k, false, out);
    if (s->relations[k].source_plain)
        text_puts(out, ", of a plain write");
    else if (s->relations[k].source == 0)
        text_puts(out, ", the initial one");
    else if (source != NO_EVENT)
        text_printf(out, ", of step %u", source + 1);
    if (newest == NO_EVENT) {
        text_puts(out, "; a plain write is newer.");
        return;
    }
    text_printf(out, "; the newest is ");
    add_value(s, symbols, newest, true, out);
    text_printf(out, ", of step %u.", newest + 1);
    uint32_t message = find_message(s, k, newest);
    if (message != NO_EVENT)
        explain_message(s, message, newest, out);
    else
        say_unordered(s, k, newest, out);
}

static void explain_write(const struct worker_shared *s, struct symbols *symbols, uint32_t k,
                          struct text *out)
{
    uint32_t newest = newest_of(s, k);
    text_printf(out, "Step %u writes ", k + 1);
    symbols_location(symbols, s->events[k].address, s->events[k].size, out);
    text_puts(out, " = ");
    add_value(s, symbols, k, true, out);
    text_puts(out, ", but is not the newest write: in modification order it comes before ");
    if (newest == NO_EVENT) {
        text_puts(out, "a plain write.");
        return;
    }
    text_printf(out, "step %u.", newest + 1);
    say_unordered(s, k, newest, out);
}

void explain_stale_explain(const struct worker_shared *s, struct symbols *symbols, struct text *out)
{
    uint32_t count = explain_stale_count(s), explained = 0;
    for (uint32_t k = 0; k < s->relation_count && explained < EXPLAINED_MOST; k++) {
        if (!is_stale(s, k))
            continue;
        if (s->relations[k].writes)
            explain_write(s, symbols, k, out);
        else
            explain_read(s, symbols, k, out);
        text_puts(out, "\n");
        explained++;
    }
    if (count > explained)
        text_printf(out, "%u more steps are marked.\n", count - explained);
}
