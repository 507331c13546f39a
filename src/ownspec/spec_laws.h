/* SPDX-License-Identifier: Apache-2.0 */
/* What everything that decides relies on when it uses a specification (docs/internals/histories/specifications.md), tried out:
 * on the initial state and along random sequences of calls. Finds most mistakes of specifications, and proves nothing. */
#ifndef OWNSPEC_SPEC_LAWS_H
#define OWNSPEC_SPEC_LAWS_H

#include "spec/registry.h"

/* False: *d names a law that is broken, and the call (PL_BAD_SPEC). The same calls every time. */
bool spec_laws_hold(const struct plumb_spec *spec, struct diagnostic *d);

#endif
