/* SPDX-License-Identifier: Apache-2.0 */
/* A specification that the user wrote in C (plumb/spec.h, PLUMB_SPECIFICATION), compiled to a shared library and
 * loaded: by the tool, and by the process under test, where it is a part of the judge. Its library is called
 * libplumb-spec.so there, by which the engine knows that what it allocates and stores is not the program's
 * (engine/memory/snapshot.c); its malloc is the C library's, as the judge's own is. */
#ifndef SPEC_SPEC_USER_H
#define SPEC_SPEC_USER_H

#include "spec/registry.h"

#define SPEC_USER_LIBRARY "libplumb-spec.so"

/* Of a name: it stands in reports, and in fields of the protocol with a factor around it. */
enum { SPEC_USER_NAME_MOST = 31 };

/* Loads the library and adds its specification to those that spec_find knows, with everything that was left out
 * filled in. False: *d says what it lacks (PL_BAD_SPEC), or why it cannot be loaded (PL_BUILD). */
bool spec_user_load(const char *library, struct diagnostic *d);

/* The same for one that is in memory. Only one can be in use. */
bool spec_user_adopt(const struct plumb_spec *own, struct diagnostic *d);

#endif
