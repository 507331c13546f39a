/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_COMPDB_OPTION_H
#define CLI_COMPDB_OPTION_H

#include "campaign/campaign_options.h"
#include "target/build.h"

/* --compdb: the flags of the database come before those of the user, and one line says whose they are. False: after a diagnostic. */
bool compdb_option_apply(const struct campaign_options *o, struct target_source *source);

#endif
