/* SPDX-License-Identifier: Apache-2.0 */
/* Stores that no hook announced, to memory that other threads could look at: what memory has after a step differs from before only where something was announced.
 * Private to this folder. */
#ifndef PROVE_UNSEEN_H
#define PROVE_UNSEEN_H

#include <stdbool.h>
#include <stdint.h>

/* A step begins. */
void prove_unseen_begin(void);
/* Something is written there, as announced. */
void prove_unseen_announce(uint64_t address, uint64_t size);
/* It has ended, and lines that changed are known: was anything else written? */
bool prove_unseen_find(void);

#endif
