/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb check` on litmus tests. */
#ifndef CLI_CHECK_LITMUS_H
#define CLI_CHECK_LITMUS_H

#include "campaign/campaign_run.h"

/* By its name. */
bool check_litmus_is(const char *file);

enum cli_exit check_litmus(const struct operand_list *files, const struct campaign_options *options);

#endif
