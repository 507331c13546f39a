/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb auto`: what it prints and writes. */
#ifndef CLI_AUTO_H
#define CLI_AUTO_H

#include "autotest/autotest.h"
#include "campaign/campaign.h"
#include "cli/common/command.h"

/* Reads sizes and shares. Not EXIT_HOLDS: after a diagnostic, these options do not go together or a file cannot be written. */
enum cli_exit auto_options_fit(struct autotest *a);

/* What there is to say besides the verdict, a sentence each. */
void auto_print_notes(const struct autotest *a);
void auto_add_json_notes(struct json_writer *w, const struct autotest *a);

/* "9 tests up to 2x2, 120 executions", and what was left out and why, each behind a semicolon. */
void auto_add_size(struct text *t, const struct autotest *a);
void auto_add_counts(struct text *t, const struct autotest *a);
void auto_add_reasons(struct text *t, const struct autotest *a);
/* The same numbers, and what was compared, as members of the JSON document. */
void auto_add_json_counts(struct json_writer *w, const struct autotest *a);

/* The result when no test failed, and when one did: that one is shown as by `plumb check`. */
enum cli_exit auto_report_passed(struct autotest *a);
enum cli_exit auto_report_failed(const struct autotest *a);

/* Runs parts of the tests for another process, until that has enough: campaign/cluster/cluster_frames.h. */
enum cli_exit auto_serve(struct autotest *a, int descriptor);

/* --result: what came of a shard; `failing`: the campaign of its smallest failing test, or null. False: after a diagnostic. */
bool auto_write_shard(const struct autotest *a, const struct campaign *failing);

/* What --compare and --report-weak have found, on stdout. */
void auto_print_compared(const struct autotest *a);

#endif
