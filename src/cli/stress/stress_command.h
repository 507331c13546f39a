/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb stress`: what its files share. */
#ifndef CLI_STRESS_COMMAND_H
#define CLI_STRESS_COMMAND_H

#include "campaign/verdict_scope.h"
#include "cli/common/command.h"
#include "cli/common/report_files.h"
#include "base/json_writer.h"
#include "stress/handover.h"
#include "stress/stress.h"

struct stress_settings {
    uint64_t threads, keys, noise, ops, rounds, seed;
    double time, hang, handover;
    const char *spec, *init, *quasi, *mix, *record, *json, *out, *cc, *cxx;
    uint64_t memory_limit;
    int stamps, color;
    bool quiet, verbose, no_handover, sandbox;
    struct report_paths files;
};

struct stress_command {
    struct stress_settings settings;
    struct operand_list files;
    struct target_source source;
    struct stress_run run;
    struct handover handover;
    bool was_handed_over;
    char *save; /* file for the history of a violation */
    double started;
    bool prints; /* on stdout is more than a JSON document */
};

#define STRESS_OPS_NOT_GIVEN UINT64_MAX

/* Do they go together? Not EXIT_HOLDS: after a diagnostic. */
enum cli_exit stress_options_fit(struct stress_command *c);

/* Lets the explorer run what was found, if that is wanted; what it says as text and as a member of the document; and the
 * counterexample of its own, or null. */
void stress_hand_over(struct stress_command *c);
void stress_add_handover(struct text *out, const struct stress_command *c);
void stress_add_handover_json(struct json_writer *w, const struct stress_command *c);
const struct report_counterexample *stress_explored(const struct stress_command *c);

/* The line with the verdict, and what was found. */
void stress_print(const struct stress_command *c);
/* "1,204 rounds, ..." */
void stress_add_summary(struct text *out, const struct stress_result *r);

/* Shown on a terminal while it runs. */
void stress_show_progress(void *command, const struct stress_result *so_far);
void stress_hide_progress(void);

/* What the verdict is about. */
void stress_fill_scope(struct verdict_scope *s, const struct stress_command *c);

/* --json; --html and so on. False: after a diagnostic. */
bool stress_write_json(const struct stress_command *c);
bool stress_write_documents(struct stress_command *c);

#endif
