/* SPDX-License-Identifier: Apache-2.0 */
/* The first step that a program did otherwise when an execution was repeated. */
#ifndef WORKER_DIVERGENCE_H
#define WORKER_DIVERGENCE_H

#include "engine/shared/protocol.h"
#include "explore/port.h"

/* Keeps the steps of the execution that has just ended, */
void divergence_keep(const struct worker_shared *s);
/* which came again: names the first difference, if there is one. */
void divergence_compare(struct worker_shared *s);

/* The same for one that the explorer of graphs has met. */
void divergence_name(struct worker_shared *s, const struct explorer *e);

#endif
