/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/program/explain_events.h"
#include "graph/model.h"

#include <stdbool.h>

enum { NO_EVENT = UINT32_MAX, LOCKS = 8 };

/* Accesses at positions `first` and `last`, of threads `early` and `late`. */
struct pair {
    const struct worker_shared *s;
    struct story *story;
    uint32_t first, last;
    uint16_t early, late;
};

static bool is_write(const struct event *e)
{
    return e->kind == EVENT_WRITE || e->kind == EVENT_UPDATE;
}

static bool is_read(const struct event *e)
{
    return e->kind == EVENT_READ || e->kind == EVENT_UPDATE || e->kind == EVENT_CAS_FAILED;
}

/* The write that an atomic read found: as the graph has it, or, of a schedule, the last one before. */
static uint32_t find_source(const struct worker_shared *s, uint32_t read)
{
    const struct worker_relation *r = explain_relation(s, read);
    if (r && r->reads)
        return r->source_plain || !r->source || r->source > s->event_count ? NO_EVENT : r->source - 1;
    for (uint32_t k = read; !r && k-- > 0;)
        if (is_write(&s->events[k]) && s->events[k].address == s->events[read].address)
            return k;
    return NO_EVENT;
}

/* ------------------------------------------------------------------ messages */

static bool orders(const struct event *e, unsigned one)
{
    return e->order == one || e->order == ORDER_ACQ_REL || e->order == ORDER_SEQ_CST ||
           (one == ORDER_ACQUIRE && e->order == ORDER_CONSUME);
}

/* Is there a fence of the thread of that sort between two positions? */
static bool has_fence(const struct worker_shared *s, uint16_t thread, unsigned sort, uint32_t from,
                      uint32_t to)
{
    for (uint32_t k = from; k < to; k++)
        if (s->events[k].thread == thread && s->events[k].kind == EVENT_FENCE && orders(&s->events[k], sort))
            return true;
    return false;
}

/* Is it in a release sequence that its thread began after the earlier access, by a store that releases? Of C11 only. */
static bool continues(const struct pair *p, uint32_t write)
{
    const struct event *w = &p->s->events[write];
    const struct memory_model *m = model_find(p->s->config.memory);
    for (uint32_t k = p->first; m && m->stores_continue && k < write; k++) {
        const struct event *e = &p->s->events[k];
        if (e->thread == w->thread && is_write(e) && e->address == w->address && orders(e, ORDER_RELEASE))
            return true;
    }
    return false;
}

static bool gives(const struct pair *p, uint32_t write)
{
    return orders(&p->s->events[write], ORDER_RELEASE) ||
           has_fence(p->s, p->early, ORDER_RELEASE, p->first, write) || continues(p, write);
}

static bool takes(const struct pair *p, uint32_t read)
{
    return orders(&p->s->events[read], ORDER_ACQUIRE) ||
           has_fence(p->s, p->late, ORDER_ACQUIRE, read, p->last);
}

/* The last read of the later thread of something that the earlier one wrote by its access or after it. */
static uint32_t find_message(const struct pair *p)
{
    for (uint32_t k = p->last; k-- > 0;) {
        const struct event *e = &p->s->events[k];
        uint32_t source = e->thread == p->late && is_read(e) ? find_source(p->s, k) : NO_EVENT;
        if (source != NO_EVENT && source >= p->first && p->s->events[source].thread == p->early)
            return k;
    }
    return NO_EVENT;
}

static void explain_message(const struct pair *p, uint32_t read)
{
    uint32_t write = find_source(p->s, read);
    const struct event *w = &p->s->events[write], *r = &p->s->events[read];
    bool given = gives(p, write), taken = takes(p, read);
    story_say(p->story, "step %k reads what step %k wrote", read, write);
    if (write != p->first)
        story_say(p->story, " after step %k", p->first);
    story_say(p->story, ", but the two do not synchronize");
    if (!given && !taken && w->order == r->order)
        story_say(p->story, ": both are %s", explain_order_word(w->order));
    else if (!given && !taken)
        story_say(p->story, ": step %k is %s, and step %k %s", write, explain_order_word(w->order), read,
                  explain_order_word(r->order));
    else if (!given)
        story_say(p->story, ": step %k is %s", write, explain_order_word(w->order));
    else if (!taken)
        story_say(p->story, ": step %k is %s", read, explain_order_word(r->order));
}

/* A read of the later thread finds a store of a third, which ended the release sequence of the earlier
 * one. */
static bool explain_broken_sequence(const struct pair *p)
{
    const struct event *events = p->s->events;
    for (uint32_t k = p->last; k-- > 0;) {
        uint32_t w = events[k].thread == p->late && is_read(&events[k]) ? find_source(p->s, k) : NO_EVENT;
        if (w == NO_EVENT || events[w].kind != EVENT_WRITE || events[w].thread == p->early)
            continue;
        for (uint32_t h = w; h-- > p->first + 1;)
            if (events[h].thread == p->early && is_write(&events[h]) &&
                events[h].address == events[w].address && gives(p, h)) {
                story_say(p->story,
                          "step %k releases, but step %k reads step %k, a store of T%u, which is not part of "
                          "its release sequence",
                          h, k, w, events[w].thread);
                return true;
            }
    }
    return false;
}

/* ------------------------------------------------------------------ creating and joining */

static uint32_t find_about(const struct pair *p, enum event_kind kind, uint16_t thread, uint16_t other)
{
    for (uint32_t k = 0; k < p->last; k++)
        if (p->s->events[k].kind == kind && p->s->events[k].thread == thread &&
            p->s->events[k].value == other)
            return k;
    return NO_EVENT;
}

/* Of a thread and the one that created it. */
static bool explain_life(const struct pair *p)
{
    uint32_t create = find_about(p, EVENT_CREATE, p->early, p->late);
    if (create != NO_EVENT && create < p->first) {
        story_say(p->story, "T%u created T%u before, in step %k", p->early, p->late, create);
        return true;
    }
    create = find_about(p, EVENT_CREATE, p->late, p->early);
    if (create == NO_EVENT || find_about(p, EVENT_JOIN, p->late, p->early) != NO_EVENT)
        return false;
    story_say(p->story, "T%u does not join T%u before", p->late, p->early);
    return true;
}

/* Is event k the last one of its thread that happens before the later access? */
static bool is_last_before(const struct pair *p, uint32_t k)
{
    const struct worker_relation *r = explain_relation(p->s, p->last);
    return r && p->early < PROTOCOL_GRAPH_THREADS && r->before[p->early] == k + 1;
}

/* What the later thread reads of the earlier one is older than the access. */
static bool explain_older_message(const struct pair *p)
{
    for (uint32_t k = p->last; k-- > 0;) {
        const struct event *e = &p->s->events[k];
        uint32_t source = e->thread == p->late && is_read(e) ? find_source(p->s, k) : NO_EVENT;
        if (source == NO_EVENT || source >= p->first || p->s->events[source].thread != p->early)
            continue;
        story_say(p->story,
                  is_last_before(p, source)
                      ? "T%u is ordered after T%u's step %k only (by step %k)"
                      : "the last write that T%u reads of T%u is that of step %k (in step %k)",
                  p->late, p->early, source, k);
        story_say(p->story, ", and step %k comes later", p->first);
        return true;
    }
    return false;
}

/* ------------------------------------------------------------------ locks */

struct held {
    uint64_t lock;
    bool for_reading;
};

struct locks {
    struct held held[LOCKS];
    unsigned count;
};

static void take_lock(struct locks *l, uint64_t lock, bool for_reading)
{
    if (l->count < LOCKS)
        l->held[l->count++] = (struct held){lock, for_reading};
}

static void give_lock(struct locks *l, uint64_t lock)
{
    for (unsigned k = l->count; k-- > 0;)
        if (l->held[k].lock == lock) {
            for (l->count--; k < l->count; k++)
                l->held[k] = l->held[k + 1];
            return;
        }
}

static struct locks find_locks(const struct worker_shared *s, uint16_t thread, uint32_t end)
{
    struct locks l = {0};
    for (uint32_t k = 0; k < end; k++) {
        const struct event *e = &s->events[k];
        if (e->thread != thread)
            continue;
        if (e->kind == EVENT_LOCK || e->kind == EVENT_READ_LOCK || (e->kind == EVENT_TRYLOCK && e->value))
            take_lock(&l, e->address, e->kind == EVENT_READ_LOCK);
        if (e->kind == EVENT_UNLOCK || e->kind == EVENT_READ_UNLOCK)
            give_lock(&l, e->address);
    }
    return l;
}

static const struct held *find_held(const struct locks *l, uint64_t lock)
{
    for (unsigned k = 0; k < l->count; k++)
        if (l->held[k].lock == lock)
            return &l->held[k];
    return NULL;
}

static void add_lock(const struct pair *p, const struct held *h)
{
    struct text *out = &p->story->text;
    size_t before = out->len;
    symbols_location(p->story->symbols, h->lock, 0, out);
    if (out->len == before)
        story_say(p->story, "a lock");
    story_say(p->story, h->for_reading ? " for reading" : "");
}

static void add_holder(const struct pair *p, uint16_t thread, const struct locks *l)
{
    story_say(p->story, "T%u holds ", thread);
    if (l->count)
        add_lock(p, &l->held[l->count - 1]);
    else
        story_say(p->story, "no lock");
}

/* False: no lock has a part in it. */
static bool explain_locks(const struct pair *p)
{
    struct locks a = find_locks(p->s, p->early, p->first), b = find_locks(p->s, p->late, p->last);
    if (!a.count && !b.count)
        return false;
    for (unsigned k = 0; k < a.count; k++) {
        const struct held *other = find_held(&b, a.held[k].lock);
        if (other && a.held[k].for_reading && other->for_reading) {
            story_say(p->story, "both hold ");
            add_lock(p, other);
            story_say(p->story, " only");
            return true;
        }
    }
    add_holder(p, p->early, &a);
    story_say(p->story, " there, ");
    add_holder(p, p->late, &b);
    story_say(p->story, a.count && b.count ? ": no lock in common" : "");
    return true;
}

/* ------------------------------------------------------------------ all together */

static void explain(const struct pair *p)
{
    uint32_t message = find_message(p);
    story_say(p->story, "Nothing makes step %k happen before step %k: ", p->first, p->last);
    if (message != NO_EVENT)
        explain_message(p, message);
    else if (!explain_broken_sequence(p) && !explain_locks(p) && !explain_older_message(p) &&
             !explain_life(p))
        story_say(p->story,
                  "before it, T%u reads nothing that T%u wrote after step %k, and neither holds a lock",
                  p->late, p->early, p->first);
    story_say(p->story, ".\n");
}

void explain_unordered(struct story *story)
{
    const struct worker_shared *s = story->shared;
    if (s->error.kind != WORKER_ERROR_RACE || s->events_lost)
        return;
    struct explain_marks marks = explain_marks_find(s);
    if (marks.first == MARK_NONE || marks.last == MARK_NONE || marks.first >= marks.last)
        return;
    struct pair p = {.s = s,
                     .story = story,
                     .first = marks.first,
                     .last = marks.last,
                     .early = s->events[marks.first].thread,
                     .late = s->events[marks.last].thread};
    if (p.early != p.late)
        explain(&p);
}
