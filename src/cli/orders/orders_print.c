/* SPDX-License-Identifier: Apache-2.0 */
/* The answers of `plumb orders` as text. */
#include "autotest/autotest.h"
#include "base/budget.h"
#include "base/shell_word.h"
#include "base/terminal.h"
#include "cli/common/output.h"
#include "cli/orders/orders_command.h"
#include "report/prose.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PLACE_COLUMNS = 14, ANSWER_COLUMN = 2 + PLACE_COLUMNS + 2 + 9 + 2 + 8 + 10 + 2 };

const char *orders_access_word(const struct order_site *site)
{
    return site->failure ? "CAS fails" : order_kind_word(site->kind);
}

uint8_t *orders_answer(const struct orders *o)
{
    uint8_t *answer = NEW_ARRAY(uint8_t, o->sites.all.len + 1);
    memset(answer, ORDER_PLAIN, o->sites.all.len + 1);
    for (size_t k = 0; k < o->sites.all.len && o->joint.answer == ORDERS_ACCEPTED; k++)
        answer[k] = o->results[k].together;
    for (size_t k = 0; k < o->repair.count; k++)
        answer[o->repair.list[k].site] = o->repair.list[k].to;
    return answer;
}

/* What has to be the same for the error to come back. */
static void add_tests_options(struct text *out, const struct campaign_options *o)
{
    if (o->init)
        text_puts(out, " --init"), shell_add_word(out, o->init);
    if (o->final)
        text_puts(out, " --final"), shell_add_word(out, o->final);
    auto_add_check_options(out, o);
}

void orders_add_command(struct text *out, const struct orders_run *r, size_t test, size_t site,
                        unsigned order)
{
    struct text option = {0};
    auto_add_check_command(out, &r->files, r->orders.tests[test]);
    order_site_add_name(&r->orders.sites.all.data[site], &option);
    text_printf(&option, "=%s", order_word(order));
    text_puts(out, " --order");
    shell_add_word(out, option.data);
    add_tests_options(out, &r->settings.campaign);
    auto_add_all_flags(out, &r->source);
    text_free(&option);
}

/* ------------------------------------------------------------------ rows */

/* Rows stand below the name of their file. */
static void add_start(struct text *out, const struct orders *o, size_t k)
{
    const struct order_site *site = &o->sites.all.data[k];
    struct text place = {0};
    if (k == 0 || strcmp(site->file, site[-1].file) != 0) {
        terminal_add_safe(out, site->file);
        text_puts(out, "\n");
    }
    order_site_add_place(site, &place);
    text_printf(out, "  %-*s  %-9s  %-8s", PLACE_COLUMNS, place.data, orders_access_word(site),
                order_word(site->order));
    text_free(&place);
}

static void add_weakest(struct text *out, const struct order_site *site, const struct order_result *r)
{
    bool none = site->kind == ATOMIC_FENCE && r->weakest[0] == ORDER_RELAXED;
    if (r->weakest_count == 2)
        text_puts(out, "  acq|rel "); /* either one */
    else
        text_printf(out, "  %-8s", none ? "none" : order_word(r->weakest[0]));
}

/* What comes next below the answer, or is not decided. */
static bool is_shown(const struct order_result *r, unsigned order)
{
    if (r->tried[order].answer != ORDERS_VIOLATED)
        return r->tried[order].answer == ORDERS_UNDECIDED;
    for (unsigned between = 0; between <= ORDER_SEQ_CST; between++)
        if (order_is_weaker(order, between) && r->tried[between].answer == ORDERS_VIOLATED &&
            order_is_weaker(between, r->weakest[0]))
            return false;
    return order_is_weaker(order, r->weakest[0]);
}

/* "data race at queue.c:12" below the name of that file. */
static void add_short(struct text *out, const char *text, const char *file)
{
    const char *place = strstr(text, " at ");
    size_t length = strlen(file);
    if (!place || strncmp(place + 4, file, length) != 0 || place[4 + length] != ':') {
        terminal_add_safe(out, text);
        return;
    }
    text_add(out, text, (size_t)(place - text));
    text_printf(out, " at line %s", place + 4 + length + 1);
}

static void add_outcome(struct text *out, const struct orders_run *run, size_t site, unsigned order)
{
    const struct order_outcome *t = &run->orders.results[site].tried[order];
    bool none = run->orders.sites.all.data[site].kind == ATOMIC_FENCE && order == ORDER_RELAXED;
    text_printf(out, "%s: %s", none ? "none" : order_word(order),
                t->answer == ORDERS_UNDECIDED ? "not decided, " : "");
    add_short(out, t->text, run->orders.sites.all.data[site].file);
    if (!run->settings.campaign.verbose)
        return;
    text_puts(out, "\n    ");
    orders_add_command(out, run, t->test, site, order);
}

static void add_answer(struct text *out, const struct orders_run *run, size_t site)
{
    const struct order_result *r = &run->orders.results[site];
    bool first = true;
    add_weakest(out, &run->orders.sites.all.data[site], r);
    for (unsigned order = 0; order <= ORDER_SEQ_CST; order++) {
        if (!is_shown(r, order))
            continue;
        if (!first) {
            text_puts(out, "\n");
            text_repeat(out, " ", ANSWER_COLUMN);
        }
        text_puts(out, first ? "  " : "");
        add_outcome(out, run, site, order);
        first = false;
    }
}

static void end_row(struct text *t)
{
    while (t->len && t->data[t->len - 1] == ' ')
        t->data[--t->len] = 0;
    text_puts(t, "\n");
}

void orders_print_header(const struct orders_run *r)
{
    struct text t = {0};
    if (!r->prints || r->settings.campaign.quiet || !r->orders.sites.all.len)
        return;
    text_printf(&t, "  %-*s  access     written   weakest   next weaker\n", PLACE_COLUMNS, "line:column");
    output_text(stdout, &t);
    output_flush();
    text_free(&t);
}

void orders_print_site(void *context, const struct orders *o, size_t site)
{
    const struct orders_run *run = context;
    const struct order_site *s = &o->sites.all.data[site];
    struct text t = {0};
    if (!run->prints || run->settings.campaign.quiet)
        return;
    add_start(&t, o, site);
    if (!s->ran)
        text_puts(&t, "  no test executes it");
    else if (s->order > ORDER_SEQ_CST)
        text_puts(&t, "  not one order: not examined");
    else
        add_answer(&t, run, site);
    end_row(&t);
    orders_hide_progress();
    output_text(stdout, &t);
    output_flush();
    text_free(&t);
}

void orders_print_list(const struct orders_run *r)
{
    struct text t = {0};
    for (size_t k = 0; k < r->orders.sites.all.len; k++) {
        add_start(&t, &r->orders, k);
        end_row(&t);
    }
    output_text(stdout, &t);
    text_free(&t);
}

/* ------------------------------------------------------------------ while it runs */

static double shown; /* base_now() when progress was printed last; 0: there is none */

void orders_show_progress(void *context, const struct orders *o)
{
    const struct orders_run *r = context;
    double now = base_now();
    if (r->settings.campaign.quiet || now - o->started < 1 || now - shown < 0.3 ||
        !terminal_obeys(STDERR_FILENO))
        return;
    shown = now;
    fprintf(stderr, "\r\033[Ksite %zu of %zu, %" PRIu64 " variants, %" PRIu64 " executions", o->at_site + 1,
            o->sites.all.len, o->variants, o->executions);
}

void orders_hide_progress(void)
{
    if (shown > 0)
        fputs("\r\033[K", stderr);
    shown = 0;
}

/* ------------------------------------------------------------------ the end */

void orders_add_repair(struct text *out, const struct orders *o)
{
    for (size_t k = 0; k < o->repair.count; k++) {
        const struct order_change *c = &o->repair.list[k];
        text_puts(out, k == 0 ? "" : k + 1 == o->repair.count ? " and " : ", ");
        order_site_add_name(&o->sites.all.data[c->site], out);
        text_printf(out, " %s -> %s", order_word(c->from), order_word(c->to));
    }
}

/* In lines of the terminal. */
static void add_repair_lines(struct text *out, const struct orders *o)
{
    for (size_t k = 0; k < o->repair.count; k++) {
        const struct order_change *c = &o->repair.list[k];
        text_puts(out, k ? "    and " : "  repair: ");
        order_site_add_name(&o->sites.all.data[c->site], out);
        text_printf(out, " %s -> %s\n", order_word(c->from), order_word(c->to));
    }
}

/* Sites that have to be stronger beside the others than alone. */
static void add_together(struct text *out, const struct orders *o)
{
    size_t stronger = 0, changed = 0, asked = 0;
    for (size_t k = 0; k < o->sites.all.len; k++) {
        const struct order_result *r = &o->results[k];
        unsigned order = r->together == ORDER_PLAIN ? o->sites.all.data[k].order : r->together;
        changed += order != o->sites.all.data[k].order;
        asked += r->is_asked;
        if (!r->is_asked || order == r->weakest[0])
            continue;
        text_puts(out, stronger++      ? ""
                       : o->is_minimal ? "  together, these have to be stronger:\n"
                                       : "  together, these are stronger; weaker ones are not decided:\n");
        text_puts(out, "    ");
        order_site_add_name(&o->sites.all.data[k], out);
        text_printf(out, " %s\n", order_word(order));
    }
    if (changed && !stronger)
        text_puts(out, "  together, all of these orders are accepted\n");
    if (o->is_minimal && asked)
        text_printf(out, "  %s: every weaker order of a site is violated\n",
                    changed ? "weakest for these tests" : "these tests need every order as written");
}

static void add_violated(struct text *out, const struct orders *o)
{
    text_puts(out, "  as written: ");
    terminal_add_safe(out, o->base.text);
    if (o->tests[o->base.test])
        text_printf(out, " in test %s", o->tests[o->base.test]);
    text_puts(out, "\n");
    if (o->repair.answer == ORDERS_ACCEPTED) {
        add_repair_lines(out, o);
        text_printf(out, "  with it all tests hold; no smaller set of orders is enough%s\n",
                    o->repair.is_minimal ? "" : ", but weaker orders of these are not decided");
    } else
        text_printf(out, "  no repair: %s\n", o->repair.why);
}

static void add_counts(struct text *out, const struct orders *o)
{
    text_printf(out, "%zu site%s, %zu test%s, ", o->sites.all.len, o->sites.all.len == 1 ? "" : "s",
                o->test_count, o->test_count == 1 ? "" : "s");
    prose_number(out, o->variants);
    text_printf(out, " variant%s, ", o->variants == 1 ? "" : "s");
    prose_number(out, o->executions);
    text_puts(out, o->executions == 1 ? " execution" : " executions");
}

char *orders_unshown(const struct orders_run *r)
{
    bool holds = r->verdict == VERDICT_HOLDS && r->orders.program;
    return holds ? compiled_unshown(&r->orders.program->record, false) : NULL;
}

static void add_libraries(struct text *out, const struct orders *o)
{
    uint32_t count = o->sites.in_libraries;
    if (count)
        text_printf(out, "  %" PRIu32 " atomic access%s in functions of library headers %s not examined\n",
                    count, count == 1 ? "" : "es", count == 1 ? "is" : "are");
}

void orders_print_end(const struct orders_run *r)
{
    const struct orders *o = &r->orders;
    struct text t = {0};
    orders_hide_progress();
    if (!r->prints)
        return;
    if (!r->settings.campaign.quiet) {
        if (o->base.answer == ORDERS_VIOLATED)
            add_violated(&t, o);
        else if (o->joint.answer == ORDERS_ACCEPTED)
            add_together(&t, o);
        add_libraries(&t, o);
    }
    terminal_add_safe(&t, r->files.data[0]);
    text_printf(&t, ": %s (", verdict_name(r->verdict));
    add_counts(&t, o);
    if (r->limits.len) {
        text_puts(&t, "; ");
        terminal_add_safe(&t, r->limits.data);
    }
    OWNED char *unshown = orders_unshown(r);
    if (unshown)
        text_printf(&t, "; not examined %s", unshown);
    text_puts(&t, ")\n");
    output_text(stdout, &t);
    text_free(&t);
}
