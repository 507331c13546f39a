/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that the program maps: an address depends only on (thread, how many bytes that thread mapped before), as on the
 * heap, is never used twice in one execution, and everything is unmapped when the execution is over. */
#ifndef ENGINE_MAPPINGS_H
#define ENGINE_MAPPINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct digest;

#define MAPPINGS_BASE UINT64_C(0x620000000000)

/* Room at the next address; null: there is none left. */
void *mappings_place(size_t size, size_t alignment);

/* Something of these bytes was given out, or could be. */
bool mappings_contain(const void *at, size_t size);
bool mappings_are_kept(const void *at, size_t size); /* of before the first execution */

/* Before the first execution: which bytes there are, and are to be put back before each. */
void mappings_note(void *at, size_t size, bool writable);
void mappings_forget(const void *at, size_t size);
void mappings_keep(void);

void mappings_reset(void);
void mappings_digest(struct digest *d);

#endif
