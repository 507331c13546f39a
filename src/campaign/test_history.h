/* SPDX-License-Identifier: Apache-2.0 */
/* The history that a worker found not linearizable, before the monitor of the tool. */
#ifndef CAMPAIGN_TEST_HISTORY_H
#define CAMPAIGN_TEST_HISTORY_H

#include "pipeline/pipeline.h"
#include "engine/shared/protocol.h"

/* Reads and decides the history; in->error says when that was not possible. To be freed with pipeline_free. */
void test_history_judge(struct pipeline_input *in, const char *name, const struct worker_shared *shared);

#endif
