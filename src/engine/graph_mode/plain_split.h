/* SPDX-License-Identifier: Apache-2.0 */
/* How plain accesses are cut into steps; what has to be known for that from the beginning. Private to plain_steps.c. */
#ifndef ENGINE_PLAIN_SPLIT_H
#define ENGINE_PLAIN_SPLIT_H

#include "base/vec.h"
#include "engine/engine.h"
#include "explore/graphs_memory.h"

/* One step's worth of an access. */
struct piece {
    uint64_t address;
    unsigned size;
    event_word value; /* found, or there before the write */
};
typedef VEC(struct piece) piece_list;

/* An access, of which `from` to `end` is still to be cut into pieces. */
struct cut {
    uint64_t address, from, end;
    bool single; /* one access for the machine, so one step */
};

struct cut plain_begin_cut(uint64_t address, size_t size, bool compiled);
struct piece plain_next_piece(struct cut *c);

/* An access that is one step. False: other steps, of other sizes, have some of its bytes. */
bool plain_fits(uint64_t address, unsigned size);
void plain_forget_ends(void); /* another explorer comes by the same knowledge in the same way */

bool plain_knows(enum graphs_fact fact, uint64_t address);
/* Everything begins again, with what was found out. */
_Noreturn void plain_find_out(enum graphs_fact fact, uint64_t address);
_Noreturn void plain_refuse(const char *what, const void *pc);

#endif
