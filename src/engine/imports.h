/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_IMPORTS_H
#define ENGINE_IMPORTS_H

#include <stdbool.h>

/* Once, before the program's memory is copied. */
void imports_redirect(void);

/* Does the program call nothing but what compilers insert, and what starts, joins and ends threads? Known after that. */
extern bool imports_are_few;

#endif
