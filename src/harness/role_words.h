/* SPDX-License-Identifier: Apache-2.0 */
/* The operations that a role (PLUMB_ROLE) names: words with commas between, an operation or object.operation each. */
#ifndef HARNESS_ROLE_WORDS_H
#define HARNESS_ROLE_WORDS_H

#include <plumb.h>

/* Is the part a role? */
bool role_is(const struct plumb_part *part);

/* The next word of the list at `at`; null: there is none left. */
const char *role_next_word(const char *at, size_t *length);
/* Does the word name the operation? */
bool role_word_names(const char *word, size_t length, const struct plumb_part *operation);

bool role_has_operation(const struct plumb_part *role, const struct plumb_part *operation);

/* Sets of roles, as in spec/roles.h, numbered as they come among the parts: those that name the operation, or ROLES_ANY; those that
 * are for one thread. */
uint32_t roles_of_operation(const struct plumb_part *const *parts, size_t count,
                            const struct plumb_part *operation);
uint32_t roles_for_one(const struct plumb_part *const *parts, size_t count);

#endif
