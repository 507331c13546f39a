/* SPDX-License-Identifier: Apache-2.0 */
/* Small mistakes in the text of a model: a statement dropped, a number or an operator changed, one variable used for another,
 * steps that are no longer atomic. The text stays well formed more often than not. */
#ifndef TESTS_MODEL_MUTANTS_H
#define TESTS_MODEL_MUTANTS_H

#include "explore/schedules/prng.h"

/* A new text, for free(). */
char *model_mutant(const char *text, struct prng *random);

/* The same text without POINT marks: some mistakes leave them where they are not allowed. For free(). */
char *model_without_points(const char *text);

#endif
