/* SPDX-License-Identifier: Apache-2.0 */
/* What operations of a register, or of one key of a map or kv, write and see. Private to core.c. */
#ifndef MONITOR_CORE_WRITERS_H
#define MONITOR_CORE_WRITERS_H

#include "monitor/part.h"

/* A cas that may have exchanged two values, but cannot have failed: if it did, it need not have been there. */
bool core_is_exchange(const struct part *p, uint32_t i);

/* PLUMB_OK: none. */
plumb_value core_written_value(const struct part *p, uint32_t i);
plumb_value core_seen_value(const struct part *p, uint32_t i);

/* Only reads, writes and exchanges? */
bool core_has_plain_writers(const struct part *p);

/* Of keyed objects, parts with equal stamps have several. */
bool core_has_one_key(const struct part *p);

/* Marks the writers of a part with plain writers and one key that no operation can have read from in any legal order: each operation that saw their
 * value had returned before, or was called after another writer that came after this one. */
void core_find_unread(const struct part *p, uint8_t *unread);

#endif
