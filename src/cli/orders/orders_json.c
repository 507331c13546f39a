/* SPDX-License-Identifier: Apache-2.0 */
/* The answers of `plumb orders` as JSON (docs/json.md) and as a page. */
#include "base/budget.h"
#include "cli/common/json_document.h"
#include "cli/common/report_files.h"
#include "cli/orders/orders_command.h"
#include "explain/program/explain_error.h"

#include <stdlib.h>

static const char *answer_word(enum order_answer answer)
{
    static const char *const words[] = {
        [ORDERS_ACCEPTED] = "holds", [ORDERS_VIOLATED] = "violated", [ORDERS_UNDECIDED] = "inconclusive"};
    return words[answer];
}

static void add_name(struct json_writer *w, const char *key, const struct order_site *site)
{
    struct text name = {0};
    order_site_add_name(site, &name);
    json_member(w, key, name.data);
    text_free(&name);
}

static void add_tried(struct json_writer *w, const struct orders_run *r, size_t site, unsigned order)
{
    const struct order_outcome *t = &r->orders.results[site].tried[order];
    struct text command = {0};
    json_open_object(w);
    json_member(w, "order", order_word(order));
    json_member(w, "answer", answer_word(t->answer));
    if (t->answer == ORDERS_VIOLATED)
        json_member(w, "error", error_word(t->error));
    if (t->text)
        json_member(w, "message", t->text);
    if (t->text && r->orders.tests[t->test])
        json_member(w, "test", r->orders.tests[t->test]);
    if (t->answer == ORDERS_VIOLATED) {
        orders_add_command(&command, r, t->test, site, order);
        json_member(w, "command", command.data);
    }
    json_close_object(w);
    text_free(&command);
}

static void add_result(struct json_writer *w, const struct orders_run *r, size_t k)
{
    const struct order_result *result = &r->orders.results[k];
    json_key(w, "decided"), json_bool(w, result->is_decided);
    JSON_ARRAY(w, "weakest", i, result->weakest_count)
        json_string(w, order_word(result->weakest[i]));
    unsigned together =
        result->together == ORDER_PLAIN ? r->orders.sites.all.data[k].order : result->together;
    if (r->orders.joint.answer == ORDERS_ACCEPTED)
        json_member(w, "together", order_word(together));
    json_key(w, "tried"), json_open_array(w);
    for (unsigned order = 0; order <= ORDER_SEQ_CST; order++)
        if (result->tried[order].answer)
            add_tried(w, r, k, order);
    json_close_array(w);
}

static void add_site(struct json_writer *w, const struct orders_run *r, size_t k)
{
    const struct order_site *site = &r->orders.sites.all.data[k];
    json_open_object(w);
    add_name(w, "site", site);
    json_member(w, "file", site->file);
    json_key(w, "line"), json_uint(w, site->line);
    if (site->column)
        json_key(w, "column"), json_uint(w, site->column);
    if (site->function)
        json_member(w, "function", site->function);
    json_member(w, "access", site->failure ? "CAS failure" : orders_access_word(site));
    json_member(w, "order", order_word(site->order));
    json_key(w, "executed"), json_bool(w, site->ran);
    if (r->orders.base.answer == ORDERS_ACCEPTED && r->orders.results[k].is_asked)
        add_result(w, r, k);
    json_close_object(w);
}

static void add_repair(struct json_writer *w, const struct orders *o)
{
    json_key(w, "repair"), json_open_object(w);
    json_member(w, "answer",
                o->repair.answer == ORDERS_ACCEPTED   ? "found"
                : o->repair.answer == ORDERS_VIOLATED ? "none"
                                                      : "inconclusive");
    if (o->repair.why)
        json_member(w, "message", o->repair.why);
    if (o->repair.answer == ORDERS_ACCEPTED)
        json_key(w, "minimal"), json_bool(w, o->repair.is_minimal);
    JSON_ARRAY(w, "changes", k, o->repair.count) {
        json_open_object(w);
        add_name(w, "site", &o->sites.all.data[o->repair.list[k].site]);
        json_member(w, "from", order_word(o->repair.list[k].from));
        json_member(w, "to", order_word(o->repair.list[k].to));
        json_close_object(w);
    }
    json_close_object(w);
}

static void add_base(struct json_writer *w, const struct orders *o)
{
    json_key(w, "as_written"), json_open_object(w);
    json_member(w, "answer", answer_word(o->base.answer));
    if (o->base.answer == ORDERS_VIOLATED)
        json_member(w, "error", error_word(o->base.error));
    if (o->base.text)
        json_member(w, "message", o->base.text);
    if (o->base.text && o->tests[o->base.test])
        json_member(w, "test", o->tests[o->base.test]);
    json_close_object(w);
}

bool orders_write_json(const struct orders_run *r)
{
    const struct orders *o = &r->orders;
    struct text t = {0};
    struct json_writer writer = {.out = &t}, *w = &writer;
    json_document_open(w, "orders", r->verdict);
    json_key(w, "limits"), json_open_array(w);
    if (r->limits.len)
        json_string(w, r->limits.data);
    json_close_array(w);
    struct verdict_scope scope = {0};
    OWNED char *unshown = orders_unshown(r);
    if (unshown) {
        scope_say(&scope, SCOPE_NOT_EXAMINED, "%s", unshown);
        scope_json(w, &scope);
    }
    scope_free(&scope);
    json_key(w, "tests"), json_open_array(w);
    for (size_t k = 0; k < o->test_count; k++)
        if (o->tests[k])
            json_string(w, o->tests[k]);
    json_close_array(w);
    json_key(w, "variants"), json_uint(w, o->variants);
    json_key(w, "executions"), json_uint(w, o->executions);
    add_base(w, o);
    JSON_ARRAY(w, "sites", k, o->sites.all.len)
        add_site(w, r, k);
    if (o->joint.answer)
        json_key(w, "minimal"), json_bool(w, o->is_minimal);
    if (o->repair.answer)
        add_repair(w, o);
    json_document_open_stats(w, base_now() - r->started, RUSAGE_CHILDREN);
    json_document_close(w);
    return json_document_save(&t, r->settings.campaign.json);
}
