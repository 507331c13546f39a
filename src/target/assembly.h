/* SPDX-License-Identifier: Apache-2.0 */
/* Inline assembly that the compiler cannot announce. */
#ifndef TARGET_ASSEMBLY_H
#define TARGET_ASSEMBLY_H

#include <stdbool.h>

/* Does the code of the executable at `path` contain atomic instructions? In a program built by plumb-cc every atomic
 * access of C and C++ is a call, so that what is left comes from inline assembly. Asks objdump, which every compiler's
 * installation has; when it cannot tell, the answer is yes: nothing may go unseen. */
bool assembly_has_atomics(const char *path);

#endif
