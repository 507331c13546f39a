/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb orders`: which memory orders a program needs. */
#include "base/budget.h"
#include "base/interruption.h"
#include "cli/check/check_options.h"
#include "cli/check/check_program.h"
#include "cli/common/output.h"
#include "cli/common/time_limit.h"
#include "cli/orders/orders_command.h"
#include "target/code/foreign.h"
#include "ownspec/guard.h"
#include "target/leftovers.h"

#include <stdlib.h>
#include <string.h>

static const double USUAL_SECONDS = 20; /* for one variant */

/* ------------------------------------------------------------------ the search */

static void add_limit(struct orders_run *r, const char *what)
{
    text_printf(&r->limits, "%s%s", r->limits.len ? "; " : "", what);
}

static void conclude(struct orders_run *r)
{
    const struct orders *o = &r->orders;
    if (o->base.answer == ORDERS_UNDECIDED)
        text_printf(&r->limits, "not decided as written: %s", o->base.text);
    size_t open = 0;
    for (size_t k = 0; k < o->sites.all.len; k++)
        open += o->base.answer == ORDERS_ACCEPTED && o->results[k].is_asked && !o->results[k].is_decided;
    if (open)
        text_printf(&r->limits, "weaker orders of %zu site%s are not decided", open, open == 1 ? "" : "s");
    if (!open && o->base.answer == ORDERS_ACCEPTED && !o->is_minimal)
        add_limit(r, "weaker orders of all sites together are not decided");
    if (o->base.answer == ORDERS_ACCEPTED && o->sites.without_place)
        add_limit(r, "atomic accesses of code without debug information are not examined");
    else if (o->base.answer == ORDERS_ACCEPTED && !o->sites.all.len)
        add_limit(r, "there is no atomic access in the source");
    if (o->base.answer == ORDERS_VIOLATED && o->repair.answer == ORDERS_UNDECIDED)
        text_printf(&r->limits, "no repair found: %s", o->repair.why);
    if (interruption_came())
        add_limit(r, "interrupted");
    r->verdict = o->base.answer == ORDERS_VIOLATED ? VERDICT_VIOLATED
                 : orders_are_decided(o)           ? VERDICT_HOLDS
                                                   : VERDICT_INCONCLUSIVE;
}

/* Of what cannot be run there is nothing to vary. */
static bool is_visible(struct orders_run *r)
{
    struct foreign foreign = foreign_find(r->orders.program->path);
    if (foreign.atomics)
        diagnostic_set(&r->orders.why, PL_CANNOT_RUN, 0, 0, "assembly whose steps cannot be seen: %s",
                       foreign.atomics);
    free(foreign.atomics);
    foreign_free(&foreign);
    return !r->orders.why.code;
}

/* What --explain names should be there before all orders are tried. */
static bool names_site(struct orders_run *r)
{
    const char *name = r->settings.explain;
    size_t site;
    return !name || order_sites_find_named(&r->orders.sites, name, strlen(name), &site, &r->orders.why);
}

static bool search(struct orders_run *r)
{
    struct orders *o = &r->orders;
    if (!is_visible(r) || !order_tests_find(&r->tests, &r->settings.tests, r->settings.size, &o->options,
                                            o->program, o->name, &o->why))
        return false;
    o->tests = r->tests.data;
    o->test_count = r->tests.len;
    if (!orders_begin(o) || !names_site(r))
        return false;
    if (o->base.answer == ORDERS_VIOLATED)
        orders_find_repair(o);
    else if (o->base.answer == ORDERS_ACCEPTED) {
        orders_print_header(r);
        orders_weaken(o);
    }
    return !o->why.code;
}

/* ------------------------------------------------------------------ one story */

enum cli_exit orders_explain(const struct orders_run *r)
{
    const struct orders *o = &r->orders;
    struct diagnostic why = {0};
    struct text option = {0};
    size_t site;
    if (!order_sites_find_named(&o->sites, r->settings.explain, strlen(r->settings.explain), &site, &why)) {
        output_diagnostic(NULL, &why);
        return EXIT_USAGE;
    }
    unsigned order = orders_next_weaker(&o->results[site]);
    if (order == ORDER_PLAIN)
        return output_error(PL_USAGE, "--explain: no weaker order of %s is violated", r->settings.explain);
    struct campaign c = {.options = r->settings.campaign, .source = r->source};
    order_site_add_name(&o->sites.all.data[site], &option);
    text_printf(&option, "=%s", order_word(order));
    for (size_t k = 0; k < r->files.len; k++)
        vec_push(&c.files, r->files.data[k]);
    vec_push(&c.options.orders, option.data);
    c.options.test = o->tests[o->results[site].tried[order].test];
    c.options.json = NULL;
    c.options.files = (struct report_paths){0};
    check_program(&c);
    campaign_free(&c);
    vec_free(&c.options.orders);
    text_free(&option);
    return EXIT_HOLDS;
}

/* ------------------------------------------------------------------ from options to the end */

static enum cli_exit report(struct orders_run *r)
{
    conclude(r);
    orders_print_end(r);
    enum cli_exit exit = cli_exit_of(r->verdict);
    bool written = (!r->settings.campaign.json || orders_write_json(r)) && orders_write_documents(r) &&
                   (!r->settings.patch || orders_write_patch(r));
    if (r->settings.explain && r->prints && r->orders.base.answer == ORDERS_ACCEPTED)
        exit = cli_worse_exit(exit, orders_explain(r));
    return written ? exit : cli_worse_exit(exit, EXIT_USAGE);
}

static enum cli_exit decide(struct orders_run *r)
{
    struct orders *o = &r->orders;
    o->program = target_build(&r->source, &o->why);
    if (o->program && r->settings.list) {
        order_sites_find(&o->sites, o->program->path);
        orders_print_list(r);
        return EXIT_HOLDS;
    }
    if (o->program && search(r))
        return report(r);
    orders_hide_progress();
    output_diagnostic(NULL, &o->why);
    return cli_exit_of_error(&o->why);
}

static enum cli_exit run_orders(void *context)
{
    struct orders_run *r = context;
    guard_begin(r->files.data[0], r->settings.campaign.time, 0, EXIT_HOLDS);
    leftovers_begin();
    interruption_begin();
    time_limit_begin(r->settings.campaign.time, r->files.data[0]);
    enum cli_exit exit = orders_options_fit(r);
    if (exit != EXIT_HOLDS)
        return exit;
    r->orders.options = r->settings.campaign;
    r->orders.per_variant = r->settings.per_variant;
    r->orders.name = r->files.data[0];
    r->orders.site_done = orders_print_site;
    r->orders.tick = orders_show_progress;
    r->orders.context = r;
    r->orders.started = r->started; /* building takes of --time, too */
    r->prints = !r->settings.campaign.json || strcmp(r->settings.campaign.json, "-") != 0;
    return decide(r);
}

enum cli_exit cli_orders(int count, char *const *words)
{
    struct orders_run r = {.settings = {.campaign = campaign_options_default, .per_variant = USUAL_SECONDS},
                           .started = base_now()};
    enum cli_exit exit;
    if (!cli_parse(&cli_orders_text, check_own_words(count, words), words, &r.settings, &r.files, &exit))
        return exit;
    r.source = check_source(&r.files, count, words);
    exit = check_run_guarded(&r.settings.campaign, &r.source, run_orders, &r);
    orders_free(&r.orders);
    order_tests_free(&r.tests);
    target_program_free(r.orders.program);
    text_free(&r.limits);
    vec_free(&r.files);
    vec_free(&r.settings.tests);
    vec_free(&r.settings.campaign.suppress);
    return exit;
}
