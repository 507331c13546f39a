/* SPDX-License-Identifier: Apache-2.0 */
/* What the process answers. */
#ifndef PROVE_ANSWER_H
#define PROVE_ANSWER_H

#include "prove/prove_shared.h"
#include "refine/refine.h"

void prove_say(enum prove_answer answer, const char *why);

/* The run of a violated search is run once more, from the beginning; its answers have to be the same. */
void prove_answer_violated(const struct refine_result *r);

#endif
