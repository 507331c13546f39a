/* SPDX-License-Identifier: Apache-2.0 */
/* What an error of a program under test looks like to its author: where, why, the interleaving. */
#ifndef CLI_CHECK_REPORT_H
#define CLI_CHECK_REPORT_H

#include "cli/check_run.h"
#include "report/counterexample.h"

struct symbols;

/* The word of an error kind ("race") and its text ("data race"). */
const char *check_error_word(uint32_t kind);
const char *check_error_text(uint32_t kind);

/* When an error happened, for JSON: "start" (before main), "setup" (of the harness) or "execution". */
const char *check_phase_word(uint32_t phase);

/* Adds the report of the error in `shared` to `out`. `name`: of the program, for lines without a source place. */
void check_report_error(struct text *out, const char *name, const struct worker_shared *shared,
                        const struct report_style *style);

/* Adds "data race under rc11". */
void check_report_add_headline(struct text *out, const struct worker_shared *shared);

/* The source place of the error, "queue.c:12", or null; the caller frees it. */
char *check_report_place(const struct worker_shared *shared);

/* The names of the program's places. Without them reports show addresses, and nothing is suppressed. */
struct symbols *check_report_symbols(const struct worker_shared *s);

/* The innermost call whose line is known: libraries have none. */
uint64_t check_report_find_place(struct symbols *symbols, const struct worker_stack *stack);

/* The same of any place in the code. */
char *check_report_code_place(const struct worker_shared *shared, uint64_t pc);

/* The same with the function: "tick at clock.c:12". */
char *check_report_code_function(const struct worker_shared *shared, uint64_t pc);

#endif
