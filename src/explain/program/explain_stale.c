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

static void add_written(struct story *t, uint32_t w, uint32_t k)
{
    explain_events_written(t->shared, t->symbols, w, k, &t->text);
}

/* Under sc only the order of rows makes a step look odd: the turn with the error comes last. */
static bool is_shown_late(const struct worker_shared *s, uint32_t k)
{
    return model_is(s->config.memory, MODEL_INTERLEAVED) && newest_of(s, k) != NO_EVENT;
}

/* A step of a synchronization object, whose states are not shown as values. */
static bool is_of_object(const struct event *e)
{
    return e->kind != EVENT_READ && e->kind != EVENT_WRITE && e->kind != EVENT_UPDATE &&
           e->kind != EVENT_CAS_FAILED;
}

bool explain_stale_note(struct story *t, uint32_t k)
{
    const struct worker_shared *s = t->shared;
    if (!is_stale(s, k))
        return false;
    uint32_t newest = newest_of(s, k);
    if (is_shown_late(s, k)) {
        story_say(t, "came before step %k", newest);
        return true;
    }
    if (s->relations[k].writes) {
        story_say(t, newest == NO_EVENT ? "late: older than a plain write" : "late: older than step %k",
                  newest);
        return true;
    }
    if (newest == NO_EVENT) {
        story_say(t, "stale: a plain write is newer");
        return true;
    }
    if (is_of_object(&s->events[k])) {
        story_say(t, "stale: before step %k", newest);
        return true;
    }
    story_say(t, "stale: step %k wrote ", newest);
    add_written(t, newest, k);
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

static void explain_message(struct story *t, uint32_t read, uint32_t newest)
{
    uint32_t write = at(t->shared, t->shared->relations[read].source);
    const struct event *r = &t->shared->events[read], *w = &t->shared->events[write];
    story_say(t, " Step %k reads what step %k wrote after step %k, but steps %k and %k do not synchronize",
              read, write, newest, write, read);
    if (!gives(w) && !takes(r) && w->order == r->order)
        story_say(t, ": both are %s", explain_order_word(w->order));
    else if (!gives(w) && !takes(r))
        story_say(t, ": step %k is %s, and step %k %s", write, explain_order_word(w->order), read,
                  explain_order_word(r->order));
    else if (!gives(w))
        story_say(t, ": step %k is %s", write, explain_order_word(w->order));
    else if (!takes(r))
        story_say(t, ": step %k is %s", read, explain_order_word(r->order));
    story_say(t, ".");
}

static bool drains_buffer(const struct event *e)
{
    bool locks = e->kind == EVENT_LOCK || e->kind == EVENT_READ_LOCK || e->kind == EVENT_SEM_WAIT;
    bool unlocks = e->kind == EVENT_READ_UNLOCK || e->kind == EVENT_SEM_POST || e->kind == EVENT_BARRIER;
    bool fenced = e->order == ORDER_SEQ_CST && (e->kind == EVENT_WRITE || e->kind == EVENT_UNLOCK);
    return e->kind == EVENT_UPDATE || e->kind == EVENT_FENCE || locks || unlocks || fenced;
}

/* May the write of event w still be in the store buffer of its thread at event k? */
static bool may_be_buffered(const struct worker_shared *s, uint32_t w, uint32_t k)
{
    for (uint32_t j = w; j < k; j++)
        if (s->events[j].thread == s->events[w].thread && drains_buffer(&s->events[j]))
            return false;
    return model_is(s->config.memory, MODEL_BUFFERED);
}

static void say_unordered(struct story *t, uint32_t k, uint32_t newest)
{
    const struct worker_shared *s = t->shared;
    const struct event *old = &s->events[newest], *e = &s->events[k];
    if (!s->relations[k].writes && may_be_buffered(s, newest, k)) {
        story_say(t, " Under tso that write may still be in the store buffer of T%u.", old->thread);
        return;
    }
    story_say(t, " Nothing makes step %k happen before step %k", newest, k);
    if (old->order == e->order && e->order != ORDER_SEQ_CST)
        story_say(t, ": only seq_cst steps have one order for all, and both are %s",
                  explain_order_word(e->order));
    else if (old->order != ORDER_SEQ_CST || e->order != ORDER_SEQ_CST)
        story_say(t, ": only seq_cst steps have one order for all, and step %k is %s, step %k %s", newest,
                  explain_order_word(old->order), k, explain_order_word(e->order));
    story_say(t, ".");
}

static void say_what_is_read(struct story *t, uint32_t k)
{
    const struct worker_relation *r = &t->shared->relations[k];
    uint32_t source = at(t->shared, r->source);
    if (is_of_object(&t->shared->events[k])) {
        story_say(t, "Step %k finds an old state of %l", k, k);
        return;
    }
    story_say(t, "Step %k reads an old value: %l = ", k, k);
    explain_events_value(t->shared, t->symbols, k, false, &t->text);
    if (r->source_plain)
        story_say(t, ", of a plain write");
    else if (r->source == 0)
        story_say(t, ", the initial one");
    else if (source != NO_EVENT)
        story_say(t, ", of step %k", source);
}

static void explain_read(struct story *t, uint32_t k)
{
    uint32_t newest = newest_of(t->shared, k);
    say_what_is_read(t, k);
    if (newest == NO_EVENT) {
        story_say(t, "; a plain write is newer.");
        return;
    }
    story_say(t, "; the newest is ");
    if (!is_of_object(&t->shared->events[k])) {
        add_written(t, newest, k);
        story_say(t, ", ");
    }
    story_say(t, "of step %k.", newest);
    uint32_t message = find_message(t->shared, k, newest);
    if (message != NO_EVENT)
        explain_message(t, message, newest);
    else
        say_unordered(t, k, newest);
}

static void explain_late_row(struct story *t, uint32_t k)
{
    const struct worker_shared *s = t->shared;
    story_say(t,
              s->relations[k].writes ? "Step %k came before step %k, which writes %l, too"
                                     : "Step %k came before step %k, which overwrites the %l that it reads",
              k, newest_of(s, k), k);
    story_say(t, "; it is shown later, with what T%u does next.", s->events[k].thread);
}

static void explain_write(struct story *t, uint32_t k)
{
    uint32_t newest = newest_of(t->shared, k);
    story_say(t, "Step %k writes %l = ", k, k);
    explain_events_value(t->shared, t->symbols, k, true, &t->text);
    story_say(t, ", but is not the newest write: in modification order it comes before ");
    if (newest == NO_EVENT) {
        story_say(t, "a plain write.");
        return;
    }
    story_say(t, "step %k.", newest);
    say_unordered(t, k, newest);
}

void explain_stale_explain(struct story *t)
{
    const struct worker_shared *s = t->shared;
    uint32_t count = explain_stale_count(s), explained = 0;
    for (uint32_t k = 0; k < s->relation_count && explained < EXPLAINED_MOST; k++) {
        if (!is_stale(s, k))
            continue;
        if (is_shown_late(s, k))
            explain_late_row(t, k);
        else if (s->relations[k].writes)
            explain_write(t, k);
        else
            explain_read(t, k);
        story_say(t, "\n");
        explained++;
    }
    if (count > explained)
        story_say(t, "%u more steps are marked.\n", count - explained);
}
