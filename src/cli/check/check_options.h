/* SPDX-License-Identifier: Apache-2.0 */
/* The options of `plumb check`, which `plumb auto` shares. */
#ifndef CLI_CHECK_OPTIONS_H
#define CLI_CHECK_OPTIONS_H

#include "campaign/campaign_options.h"
#include "cli/common/command.h"
#include "cli/common/report_files.h"
#include "target/build.h"

/* Do they go together, and can the files be written? Not EXIT_HOLDS: after a diagnostic. */
enum cli_exit check_options_fit(struct campaign_options *o);

/* How many of the words are the command's: those behind "--" are the compiler's. */
int check_own_words(int count, char *const *words);
/* With --compdb and --no-annotations: the command's `run`, guarded (cli/common/spec_guard.h). */
enum cli_exit check_run_guarded(const struct campaign_options *o, struct target_source *source,
                                enum cli_exit (*run)(void *context), void *context);
struct target_source check_source(const struct operand_list *files, int count, char *const *words);

#endif
