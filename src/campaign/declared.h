/* SPDX-License-Identifier: Apache-2.0 */
/* Variables on the stack that were never written: the compiler fills them where they are declared, and announces that as it announces
 * a write of the program. The source distinguishes these. */
#ifndef CAMPAIGN_DECLARED_H
#define CAMPAIGN_DECLARED_H

#include "engine/shared/protocol.h"

#include <stdbool.h>

/* The trace ends with a read of uninitialised memory, and has the plain writes to it. Is the last one on a line that does nothing but
 * declare variables? If none was announced: is the filling no number of the source file? */
bool declared_only(const struct worker_shared *s);

/* Does the line, such as "    atomic_int x, y[3]; // both", do nothing else? */
bool declared_line(const char *line, size_t length);

/* Is no number of the source a filling of `size` bytes, nor its negative or complement? */
bool declared_unnumbered(const char *source, uint32_t size);

#endif
