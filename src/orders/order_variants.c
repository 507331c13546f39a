/* SPDX-License-Identifier: Apache-2.0 */
/* One assignment of memory orders: all tests are run with it, on the program that is built already. */
#include "orders/orders.h"

#include "base/budget.h"
#include "base/interruption.h"
#include "explain/program/explain_error.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ what a run says */

static void describe_violated(const struct campaign *c, struct order_outcome *out)
{
    const struct campaign_error *e = &c->errors.data[0];
    struct text t = {0};
    char *place = error_place(target_shared(e->confirmed.run.again));
    out->answer = ORDERS_VIOLATED;
    out->error = e->error->kind;
    text_puts(&t, error_text(e->error->kind));
    if (place)
        text_printf(&t, " at %s", place);
    out->text = text_take(&t);
    free(place);
}

static void describe_undecided(const struct campaign *c, struct order_outcome *out)
{
    out->answer = ORDERS_UNDECIDED;
    out->text = strdup(c->limits.len ? c->limits.data[0] : "not decided");
}

static bool has_call(const struct order_site *site, uint64_t pc)
{
    for (size_t k = 0; k < site->pcs.len; k++)
        if (site->pcs.data[k] == pc)
            return true;
    return false;
}

/* The sites of its events; of an execution that was not kept as a whole, all of them. */
static void note_involved(struct orders *o, const struct worker_shared *s)
{
    uint64_t base = s->module_count ? s->modules[0].base : 0;
    for (size_t k = 0; k < o->sites.all.len; k++) {
        o->involved[k] = s->events_lost > 0;
        for (uint32_t i = 0; i < s->event_count && !o->involved[k]; i++)
            o->involved[k] = has_call(&o->sites.all.data[k], s->events[i].pc - base);
    }
}

/* ------------------------------------------------------------------ one test */

static struct orders *running; /* whose runs are watched; one at a time */

static void progress(const struct campaign_progress *p)
{
    (void)p;
    if (running->tick)
        running->tick(running->context, running);
}

/* Seconds that the run may take; 0: any; less than 0: none are left. */
static double time_left(const struct orders *o, double began)
{
    double now = base_now(), left = 0;
    if (o->per_variant > 0)
        left = began + o->per_variant - now;
    if (o->deadline > 0 && (o->per_variant <= 0 || o->deadline - now < left))
        left = o->deadline - now;
    return (o->per_variant > 0 || o->deadline > 0) && left <= 0 ? -1 : left;
}

static void conclude(struct orders *o, struct campaign *c, struct order_outcome *out)
{
    o->executions += c->result.executions;
    for (uint64_t k = 0; o->options.watch_orders && k < c->options.jobs; k++)
        if (c->workers[k])
            order_sites_note(&o->sites, target_shared(c->workers[k]));
    switch (c->verdict) {
    case VERDICT_HOLDS: out->answer = ORDERS_ACCEPTED; break;
    case VERDICT_VIOLATED:
        describe_violated(c, out);
        if (o->involved)
            note_involved(o, target_shared(c->errors.data[0].worker));
        break;
    case VERDICT_INCONCLUSIVE: describe_undecided(c, out); break;
    default: o->why = c->why;
    }
}

static struct order_outcome run_test(struct orders *o, size_t test, const struct order_table *table,
                                     double began)
{
    static const struct campaign_listener listener = {.progress = progress};
    struct campaign c = {.options = o->options};
    struct order_outcome out = {.test = test};
    double time = time_left(o, began);
    if (time < 0 || interruption_came() || (o->variants_most && o->variants > o->variants_most)) {
        out.answer = ORDERS_UNDECIDED;
        out.text = strdup(interruption_or_time());
        return out;
    }
    vec_push(&c.files, o->name);
    c.options.test = o->tests[test];
    c.options.time = time;
    c.options.order_table = table;
    c.options.quiet = true;
    c.options.json = NULL;
    c.options.files = (struct report_paths){0};
    c.options.listener = &listener;
    running = o;
    if (campaign_decide_again(&c, o->program))
        conclude(o, &c, &out);
    else
        o->why = c.why;
    campaign_free(&c);
    return out;
}

/* ------------------------------------------------------------------ all of them */

/* What found something comes first the next time. */
static void move_to_front(size_t *turns, size_t at)
{
    size_t first = turns[at];
    memmove(turns + 1, turns, at * sizeof *turns);
    turns[0] = first;
}

struct order_outcome orders_try(struct orders *o, const uint8_t *assignment)
{
    struct order_table *table = NEW(struct order_table);
    struct order_outcome undecided = {0}, out = {0};
    double began = base_now();
    o->variants++;
    if (!order_sites_table(&o->sites, assignment, o->options.watch_orders, table))
        diagnostic_set(&o->why, PL_TOO_LARGE, 0, 0, "the program has more than %d calls of atomic accesses",
                       PROTOCOL_ORDERS);
    for (size_t k = 0; k < o->test_count && !o->why.code && out.answer != ORDERS_VIOLATED; k++) {
        order_outcome_free(&out);
        out = run_test(o, o->turns[k], table, began);
        if (out.answer == ORDERS_UNDECIDED && !undecided.answer) {
            undecided = out;
            out = (struct order_outcome){0};
        } else if (out.answer == ORDERS_VIOLATED)
            move_to_front(o->turns, k);
    }
    free(table);
    if (out.answer != ORDERS_VIOLATED && undecided.answer) {
        order_outcome_free(&out);
        return undecided;
    }
    order_outcome_free(&undecided);
    return out;
}
