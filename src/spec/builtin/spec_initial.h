/* SPDX-License-Identifier: Apache-2.0 */
/* "semaphore(3)": a specification that starts from another value than usual. */
#ifndef SPEC_SPEC_INITIAL_H
#define SPEC_SPEC_INITIAL_H

#include <plumb/spec.h>

/* `base` from the value that `text` is: an integer, null, true or false. Null: it is none, or not one that `base` can start
 * from. The same arguments find the same specification; it stays for good. */
const struct plumb_spec *spec_initial_find(const struct plumb_spec *base, const char *text, size_t length);

#endif
