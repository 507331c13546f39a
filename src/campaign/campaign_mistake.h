/* SPDX-License-Identifier: Apache-2.0 */
/* A harness, a test or a program that could not be run: what is wrong with it, and where. */
#ifndef CAMPAIGN_CAMPAIGN_MISTAKE_H
#define CAMPAIGN_CAMPAIGN_MISTAKE_H

#include "base/diagnostic.h"
#include "target/target.h"

/* What the worker that ended with TARGET_REFUSED said. `name`: the file to name when it said nothing about the place. */
void campaign_mistake(struct diagnostic *out, const char *name, const struct target_worker *worker);

#endif
