/* SPDX-License-Identifier: Apache-2.0 */
/* The sentence about an error of a program: what the worker says, with the names of its source. */
#ifndef EXPLAIN_EXPLAIN_REASON_H
#define EXPLAIN_EXPLAIN_REASON_H

#include "explain/program/explain_story.h"

/* After the events were walked, so that memory of the heap has its names. */
void explain_reason(struct story *t);

#endif
