/* SPDX-License-Identifier: Apache-2.0 */
/* Plain memory that a thread has written since it last did something that others can see, with what was there before: a
 * round of a loop that leaves all of it as it was has changed nothing (docs/internals/explore/loops.md). */
#ifndef ENGINE_UNDO_H
#define ENGINE_UNDO_H

#include "base/hash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UNDO_ENTRIES = 64 };

struct undo_entry {
    uint64_t address; /* of eight bytes, aligned */
    uint64_t before;
    uint64_t written; /* 0xff for each byte that was */
    /* and for those that were only by updates which make no other use of what they find */
    uint64_t counted;
};

struct undo {
    uint64_t filter; /* a bit for some addresses: most are not there yet */
    uint32_t count;
    struct undo_entry entries[UNDO_ENTRIES];
};

static inline void undo_forget(struct undo *u)
{
    u->filter = 0;
    u->count = 0;
}

/* The thread is about to write. False: there is no room to remember what was there. `counts`: it updates what is there, and makes
 * no other use of it. */
bool undo_note(struct undo *u, uint64_t address, size_t size, bool counts);

/* Of what is there now and was not there before, in whatever order it was written; 0, 0: nothing. */
struct hash_wide undo_hash(const struct undo *u, bool counters);
static inline struct hash_wide undo_changes(const struct undo *u)
{
    return u->count ? undo_hash(u, true) : (struct hash_wide){0};
}

/* The same, but for what was only counted. */
static inline struct hash_wide undo_changes_but_counters(const struct undo *u)
{
    return u->count ? undo_hash(u, false) : (struct hash_wide){0};
}

#endif
