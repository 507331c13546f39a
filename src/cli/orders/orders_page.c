/* SPDX-License-Identifier: Apache-2.0 */
/* --html of `plumb orders`: the table with the lines of the source, then the story of each site. */
#include "base/budget.h"
#include "campaign/campaign_errors.h"
#include "cli/common/report_files.h"
#include "cli/orders/orders_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ the table */

/* Adds the line without what it is indented by; nothing when the file cannot be read. */
static void add_source_line(struct text *out, const char *file, uint32_t line)
{
    struct text source = {0};
    const char *at = text_add_file(&source, file) && source.data ? source.data : "";
    for (uint32_t k = 1; k < line && at; k++)
        at = (at = strchr(at, '\n')) ? at + 1 : NULL;
    if (at) {
        at += strspn(at, " \t");
        text_add(out, at, strcspn(at, "\r\n"));
    }
    text_free(&source);
}

static void add_row(struct text *out, const struct orders *o, size_t k)
{
    const struct order_site *site = &o->sites.all.data[k];
    const struct order_result *r = &o->results[k];
    struct text name = {0};
    order_site_add_name(site, &name);
    text_printf(out, "%-32s %-9s %-8s", name.data, orders_access_word(site), order_word(site->order));
    if (!site->ran)
        text_puts(out, " no test executes it");
    else if (r->is_asked && o->base.answer == ORDERS_ACCEPTED) {
        text_printf(out, " -> %s%s%s", order_word(r->weakest[0]), r->weakest_count == 2 ? " or " : "",
                    r->weakest_count == 2 ? order_word(r->weakest[1]) : "");
        text_printf(out, "; together %s", order_word(r->together == ORDER_PLAIN ? site->order : r->together));
        text_puts(out, r->is_decided ? "" : "; weaker ones are not decided");
    }
    text_puts(out, "\n    ");
    add_source_line(out, site->file, site->line);
    text_puts(out, "\n");
    for (unsigned order = 0; order <= ORDER_SEQ_CST; order++)
        if (r->tried[order].text)
            text_printf(out, "    %s: %s\n", order_word(order), r->tried[order].text);
    text_free(&name);
}

static void add_table(struct report_files *f, const struct orders_run *r)
{
    const struct orders *o = &r->orders;
    struct text table = {0};
    for (size_t k = 0; k < o->sites.all.len; k++)
        add_row(&table, o, k);
    if (o->repair.answer == ORDERS_ACCEPTED) {
        text_puts(&table, "repair: ");
        orders_add_repair(&table, o);
        text_puts(&table, "\n");
    }
    const char *facts[] = {"weakest for these tests"};
    OWNED char *unshown = orders_unshown(r);
    struct text limits = {0};
    text_puts(&limits, r->limits.len ? r->limits.data : "");
    if (unshown)
        text_printf(&limits, "%snot examined %s", limits.len ? "; " : "", unshown);
    struct report_case all = {.name = o->name,
                              .verdict = r->verdict,
                              .message = limits.len ? limits.data : o->base.text,
                              .output = table.data,
                              .seconds = base_now() - r->started,
                              .facts = facts,
                              .fact_count = r->verdict == VERDICT_HOLDS};
    report_documents_add(&f->documents, &all);
    text_free(&limits);
    text_free(&table);
}

/* ------------------------------------------------------------------ stories */

/* The error of one order at one site, or without a site as written. */
static void add_story(struct report_files *f, const struct orders_run *r, size_t site, unsigned order,
                      size_t test)
{
    const struct orders *o = &r->orders;
    struct order_table *table = NEW(struct order_table);
    uint8_t *assignment = NEW_ARRAY(uint8_t, o->sites.all.len + 1);
    struct campaign c = {.options = r->settings.campaign};
    struct text name = {0};
    memset(assignment, ORDER_PLAIN, o->sites.all.len + 1);
    if (site < o->sites.all.len) {
        assignment[site] = (uint8_t)order;
        order_site_add_name(&o->sites.all.data[site], &name);
        text_printf(&name, " %s instead of %s", order_word(order), order_word(o->sites.all.data[site].order));
    } else
        text_puts(&name, "as written");
    order_sites_table(&o->sites, assignment, false, table);
    vec_push(&c.files, o->name);
    c.options.test = o->tests[test];
    c.options.order_table = table;
    c.options.listener = NULL;
    if (campaign_decide_again(&c, o->program) && campaign_is_violated(&c)) {
        campaign_errors_explain(&c);
        const struct report_counterexample *found = &c.errors.data[0].explained->counterexample;
        struct report_case one = {
            .name = name.data, .verdict = VERDICT_VIOLATED, .found = &found, .found_count = 1};
        report_documents_add(&f->documents, &one);
    }
    campaign_free(&c);
    text_free(&name);
    free(assignment);
    free(table);
}

static void add_stories(struct report_files *f, const struct orders_run *r)
{
    const struct orders *o = &r->orders;
    if (o->base.answer == ORDERS_VIOLATED)
        add_story(f, r, o->sites.all.len, ORDER_PLAIN, o->base.test);
    for (size_t k = 0; k < o->sites.all.len; k++) {
        unsigned shown = orders_next_weaker(&o->results[k]);
        if (shown != ORDER_PLAIN)
            add_story(f, r, k, shown, o->results[k].tried[shown].test);
    }
}

bool orders_write_documents(const struct orders_run *r)
{
    struct report_files files;
    if (!report_paths_wanted(&r->settings.campaign.files))
        return true;
    if (!report_files_begin(&files, &r->settings.campaign.files))
        return false;
    add_table(&files, r);
    add_stories(&files, r);
    return report_files_finish(&files, "orders", r->verdict);
}
