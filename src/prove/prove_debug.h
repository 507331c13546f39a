/* SPDX-License-Identifier: Apache-2.0 */
/* For tools/plumb-gdb.py: where a run is, and functions that do nothing, as places to stop. */
#ifndef PROVE_PROVE_DEBUG_H
#define PROVE_PROVE_DEBUG_H

#include <stdint.h>

/* So many events of the run have happened. */
void prove_debug_event(uint32_t count);
/* It is at its end, and wrong. */
void prove_debug_error(void);

#endif
