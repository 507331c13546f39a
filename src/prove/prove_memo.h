/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of states that were expanded lately: a state stands beside several sets of explanations, and native steps are what costs.
 * Private to this folder. */
#ifndef PROVE_MEMO_H
#define PROVE_MEMO_H

#include "refine/system.h"

/* Appends the steps that are kept for the state; false: none are. */
bool prove_memo_get(const uint8_t *state, uint32_t state_size, struct refine_steps *out);
/* Keeps what was appended to `out` since it had so many steps, instead of something older. */
void prove_memo_put(const uint8_t *state, uint32_t state_size, const struct refine_steps *out, size_t from);
void prove_memo_clear(void);

#endif
