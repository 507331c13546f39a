/* SPDX-License-Identifier: Apache-2.0 */
/* The specification that the serial histories of a test are (spec/serial/serial.h). It tells operations by the thread that calls
 * them: each thread calls those of the test, in their order. */
#ifndef SPEC_SPEC_DERIVED_H
#define SPEC_SPEC_DERIVED_H

#include <plumb/spec.h>

#include "history/history.h"
#include "spec/serial/serial.h"

#define SPEC_DERIVED_NAME "serial run"

/* The specification of `s`, which stays in use; there is one at a time. Threads of `h` are known by their
 * names, integers as in the test. */
const struct plumb_spec *spec_derived(const struct serials *s, struct history *h);

#endif
