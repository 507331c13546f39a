/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that SV-COMP's programs mean something by: bodies of __VERIFIER_atomic_NAME run as one atomic section,
 * and an abort in assume_abort_if_not is an assumption that fails. Both are found by name in the program's symbols. */
#ifndef RT_SECTIONS_H
#define RT_SECTIONS_H

#include <stdbool.h>

void sections_prepare(void); /* once: reads the symbols */

/* A function of that place is entered, or left. Only if sections_exist. */
extern bool sections_exist __attribute__((visibility("hidden")));
void sections_enter(const void *pc);
void sections_leave(const void *pc);

/* Is the place in a function in which abort means that an assumption failed? */
bool sections_assume(const void *pc);

#endif
