/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/divergence.h"

#include "explore/graphs_replay.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { KEPT_MOST = 2048 }; /* programs that differ do so early, as a rule */

static struct event kept[KEPT_MOST];
static uint32_t kept_count;

static uint32_t count_first(const struct worker_shared *s)
{
    return s->event_count < KEPT_MOST ? s->event_count : KEPT_MOST;
}

void divergence_keep(const struct worker_shared *s)
{
    kept_count = count_first(s);
    memcpy(kept, s->events, kept_count * sizeof *kept);
}

static bool is_same(const struct event *a, const struct event *b)
{
    return a->pc == b->pc && a->address == b->address && a->before == b->before && a->value == b->value &&
           a->thread == b->thread && a->kind == b->kind && a->order == b->order && a->size == b->size;
}

static bool is_step(const struct event *a, const struct event *b)
{
    return a->thread == b->thread && a->kind == b->kind && a->order == b->order && a->size == b->size;
}

static void describe(char *to, size_t size, const struct event *e)
{
    const char *order = event_order_text(e->order);
    bool has_value = e->kind == EVENT_READ || e->kind == EVENT_WRITE || e->kind == EVENT_UPDATE;
    char value[32] = "";
    if (has_value)
        snprintf(value, sizeof value, " with %" PRId64, (int64_t)e->value);
    snprintf(to, size, "%s%s%s%s", event_kind_text((enum event_kind)e->kind), *order ? " " : "", order,
             value);
}

/* Where memory is on this machine: neither a small number nor all bits. */
static bool looks_like_address(uint64_t value)
{
    return value >> 32 && !(value >> 47);
}

/* `first`: null, the thread did nothing more then; `then`: null, it does nothing more now. */
static void set_difference(struct worker_shared *s, const struct event *first, const struct event *then)
{
    char was[80] = "nothing more", is[80] = "nothing more";
    const struct event *any = then ? then : first;
    bool same_step = first && then && is_step(first, then);
    if (first)
        describe(was, sizeof was, first);
    if (then)
        describe(is, sizeof is, then);
    if (same_step && first->address != then->address)
        snprintf(s->unpredictable, sizeof s->unpredictable, "T%u first %s, then the same at another address",
                 any->thread, was);
    else
        snprintf(s->unpredictable, sizeof s->unpredictable, "T%u first %s, then %s", any->thread, was, is);
    bool is_address = same_step && (first->address != then->address ||
                                    (looks_like_address(first->value) && looks_like_address(then->value)));
    snprintf(s->unpredictable_by, sizeof s->unpredictable_by, "%s", is_address ? "an address" : "");
    s->unpredictable_pc = any->pc;
}

void divergence_compare(struct worker_shared *s)
{
    uint32_t count = count_first(s), k = 0;
    while (k < count && k < kept_count && is_same(&s->events[k], &kept[k]))
        k++;
    if (!*s->unpredictable && (k < count || k < kept_count))
        set_difference(s, k < kept_count ? &kept[k] : NULL, k < count ? &s->events[k] : NULL);
}

void divergence_name(struct worker_shared *s, const struct explorer *e)
{
    const struct graphs_divergence *d = explore_graphs_divergence(e);
    if (!(s->limits & LIMIT_NONDETERMINISM) || *s->unpredictable || !d)
        return;
    struct event now = d->now;
    now.pc = s->unpredictable_pc; /* kept when it was met */
    set_difference(s, &d->before, &now);
}
