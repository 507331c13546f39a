/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb check` of a program: what it prints and writes. */
#ifndef CLI_CHECK_PROGRAM_H
#define CLI_CHECK_PROGRAM_H

#include "campaign/campaign.h"
#include "cli/check/check_options.h"

/* Decides the program, prints and writes what came out: everything but the options. The caller frees the campaign. */
enum cli_exit check_program(struct campaign *c);

/* Of a sampled test whose history is not linearizable: looks for a smaller one, whose error replaces the one found. */
void check_shrink_test(struct campaign *c);
void check_free_smaller(struct campaign *c);

/* Of an error that is the memory model's doing: a smallest set of orders to strengthen, if it is found quickly. */
void check_find_repair(struct campaign *c);
void check_add_repair(struct text *out, const struct campaign *c);

/* The result as text, on stdout. */
void check_print(const struct campaign *c);

/* The result as a JSON document, in the file asked for. False: after a diagnostic. */
bool check_write_json(const struct campaign *c, double seconds);

/* --html, --junit and --sarif, as far as they are wanted. False: after a diagnostic. */
bool check_write_documents(const struct campaign *c, double seconds);
/* What they say of it. */
void check_add_case(struct report_documents *d, const struct campaign *c, double seconds);

/* Does pieces of the work for another process, until that has enough: campaign/cluster/cluster_frames.h. */
enum cli_exit check_serve(struct campaign *c, int descriptor);

/* --result: what came of a shard. False: after a diagnostic. */
bool check_write_shard(const struct campaign *c);

/* Adds all that is said about an error. */
void check_add_error(struct text *out, const struct campaign *c, const struct campaign_error *e,
                     const struct report_style *style);

/* Progress and estimates are printed, if that is wanted. */
void check_progress_listen(struct campaign_options *o);

/* "  there are roughly 420000 executions in all (310000 to 530000)", on stderr, when not all were run. */
void check_progress_add_done(struct text *t, const struct campaign_options *o,
                             const struct campaign_result *r);
void check_progress_add_json(struct json_writer *w, const struct campaign_result *r);

#endif
