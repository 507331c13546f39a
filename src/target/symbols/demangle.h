/* SPDX-License-Identifier: Apache-2.0 */
/* Names of C++ functions as their source has them. */
#ifndef TARGET_DEMANGLE_H
#define TARGET_DEMANGLE_H

#include <stddef.h>

/* Replaces a mangled name, as far as there is room; others stay. */
void demangle_in_place(char *name, size_t room);

#endif
