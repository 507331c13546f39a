/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb orders`: what its files share. */
#ifndef CLI_ORDERS_COMMAND_H
#define CLI_ORDERS_COMMAND_H

#include "cli/common/command.h"
#include "orders/order_tests.h"
#include "orders/orders.h"

struct orders_settings {
    struct campaign_options campaign;
    struct operand_list tests;
    const char *size, *explain, *patch;
    double per_variant;
    bool list;
};

/* All that is asked and answered. */
struct orders_run {
    struct orders_settings settings;
    struct operand_list files;
    struct target_source source;
    struct order_tests tests;
    struct orders orders;
    enum verdict verdict;
    struct text limits; /* what was not decided; empty: nothing */
    double started;
    bool prints; /* on stdout is more than a JSON document */
};

enum cli_exit orders_options_fit(struct orders_run *r);

/* The sites and no answers. */
void orders_print_list(const struct orders_run *r);

/* Rows are printed as they are found. */
void orders_print_header(const struct orders_run *r);
void orders_print_site(void *context, const struct orders *o, size_t site);
void orders_show_progress(void *context, const struct orders *o);
void orders_hide_progress(void);
void orders_print_end(const struct orders_run *r);

/* "load", "store", "update", "CAS", "CAS failure", "fence" */
const char *orders_access_word(const struct order_site *site);
/* What the line of a program that holds names: "with gcc: folded expressions, ..."; null: nothing. Owned. */
char *orders_unshown(const struct orders_run *r);
/* Adds "queue.c:12:5 relaxed -> release and queue.c:18:9 relaxed -> acquire". */
void orders_add_repair(struct text *out, const struct orders *o);
/* The command that shows what happens with that order at the site. */
void orders_add_command(struct text *out, const struct orders_run *r, size_t test, size_t site,
                        unsigned order);

/* The orders that the answer comes to: those of all sites together, or the repair; ORDER_PLAIN: as written. Freed by the caller. */
uint8_t *orders_answer(const struct orders *o);

/* --json and --html. False: after a diagnostic. */
bool orders_write_json(const struct orders_run *r);
bool orders_write_documents(const struct orders_run *r);
/* --patch: which orders of the source become others. False: after a diagnostic. */
bool orders_write_patch(const struct orders_run *r);

/* --explain: the error that the next weaker order leads to. */
enum cli_exit orders_explain(const struct orders_run *r);

#endif
