/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb check task.yml`: tasks of SV-COMP, property by property. */
#ifndef CLI_CHECK_TASK_H
#define CLI_CHECK_TASK_H

#include "campaign/campaign.h"
#include "cli/common/command.h"

enum cli_exit check_tasks(const struct campaign *c);

#endif
