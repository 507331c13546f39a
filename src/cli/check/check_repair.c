/* SPDX-License-Identifier: Apache-2.0 */
/* The line "repair" of `plumb check`. */
#include "base/deadline.h"
#include "campaign/campaign_errors.h"
#include "cli/check/check_program.h"
#include "graph/model.h"
#include "orders/orders.h"

#include <math.h>

/* By executions and variants, as far as possible: the answer should not depend on the machine. */
enum { EXECUTIONS_MOST = 2000, VARIANTS_MOST = 200 };
static const double SECONDS_MOST = 6; /* 20 times what they take */

/* An error that no execution under sc has, or one that is about orders alone. */
static bool may_be_weakness(const struct campaign_error *e)
{
    return e->sc.answer == RULES_NEVER || e->error->kind == WORKER_ERROR_SYNC;
}

/* Only one error of one test. */
static bool is_wanted(const struct campaign *c)
{
    const struct campaign_options *o = &c->options;
    bool alone = !campaign_lists_errors(o) && !o->suppress.len && !o->orders.len && !campaign_is_kept(o) &&
                 !c->tests && !o->serials_in;
    return alone && !o->no_repair && o->mode == WORKER_GRAPH && model_at(o->memory)->kind == MODEL_LANGUAGE &&
           campaign_is_violated(c) && campaign_explains(c) && may_be_weakness(&c->errors.data[0]);
}

static void keep(struct campaign *c, const struct orders *o)
{
    for (size_t k = 0; k < o->repair.count; k++) {
        const struct order_change *change = &o->repair.list[k];
        struct text name = {0};
        order_site_add_name(&o->sites.all.data[change->site], &name);
        vec_push(&c->repair, ((struct campaign_change){text_take(&name), order_word(change->from),
                                                       order_word(change->to)}));
    }
}

void check_find_repair(struct campaign *c)
{
    const char *test = c->options.test;
    if (!is_wanted(c) || deadline_passed())
        return;
    struct orders o = {.options = c->options,
                       .name = c->files.data[0],
                       .program = c->program,
                       .tests = &test,
                       .test_count = 1};
    o.options.jobs = 1;
    o.options.time = fmin(SECONDS_MOST, deadline_left());
    o.options.wants_estimate = false;
    o.options.executions = EXECUTIONS_MOST;
    o.variants_most = VARIANTS_MOST;
    if (orders_begin(&o) && o.base.answer == ORDERS_VIOLATED)
        orders_find_repair(&o);
    if (o.repair.answer == ORDERS_ACCEPTED && !o.why.code)
        keep(c, &o);
    orders_free(&o);
}

void check_add_repair(struct text *out, const struct campaign *c)
{
    for (size_t k = 0; k < c->repair.len; k++) {
        const struct campaign_change *change = &c->repair.data[k];
        const char *last = k + 1 < c->repair.len ? "" : k ? " suffice" : " suffices";
        text_printf(out, "%s%s %s -> %s%s\n", k ? "    and " : "  repair: ", change->site, change->from,
                    change->to, last);
    }
}
