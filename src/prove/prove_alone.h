/* SPDX-License-Identifier: Apache-2.0 */
/* Does an operation end when no other one is open? From states with one open operation its thread goes on alone; where that comes back to a state where it was,
 * or to a mutex that no thread unlocks, it never returns. Private to this folder. */
#ifndef PROVE_ALONE_H
#define PROVE_ALONE_H

#include <stdbool.h>
#include <stdint.h>

enum { PROVE_ALONE_RETURNS = UINT32_MAX, PROVE_ALONE_WAITS = UINT32_MAX - 1 };

void prove_alone_clear(void);
/* The only open operation goes from image to image; or one of the above. */
void prove_alone_note(uint32_t image, uint32_t next);
/* After a search that was complete: does one of them never end? */
bool prove_alone_find(void);
/* Is this one of those, as was found? */
bool prove_alone_is_endless(uint32_t image);

#endif
