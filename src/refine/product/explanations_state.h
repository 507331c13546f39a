/* SPDX-License-Identifier: Apache-2.0 */
/* How explanations.c and explanations_form.c see members and sets. Private to these files. */
#ifndef REFINE_EXPLANATIONS_STATE_H
#define REFINE_EXPLANATIONS_STATE_H

#include "refine/product/explanations.h"

#include <string.h>

/* A member: a slot for each thread, then the state of R. */
enum slot_kind { SLOT_IDLE, SLOT_CALLED, SLOT_DONE, SLOT_UNBORN };
enum { SLOT_SIZE = 3, MEMBER_MAX = MACHINE_STATE_MAX + SLOT_SIZE * REFINE_THREADS_MAX, NO_OP = 0xff };

struct member {
    uint8_t bytes[MEMBER_MAX];
    size_t length;
};

/* What the members of a set have in common. */
struct header {
    uint8_t ops[REFINE_THREADS_MAX]; /* NO_OP: none is open */
    uint8_t item_count;              /* BY_RANK: names are 1..item_count */
    uint8_t live_count;
    uint8_t live[RENAMING_ITEMS_MAX + 1]; /* the system's items, ascending */
};

static inline uint8_t *slot_of(struct member *m, unsigned thread)
{
    return m->bytes + SLOT_SIZE * thread;
}

static inline size_t slots_size(const struct explanations *e)
{
    return SLOT_SIZE * e->threads;
}

static inline void get_draft(const struct explanations *e, uint32_t number, struct member *m)
{
    const uint8_t *bytes = intern_get(&e->drafts, number, &m->length);
    memcpy(m->bytes, bytes, m->length);
}

/* Every item of the member gets its new name. */
void explanations_rename_member(const struct explanations *e, struct member *m, struct renaming *naming);

/* The number of the set whose members are the drafts in e->made, after the names changed as the action says. */
uint32_t explanations_form_set(struct explanations *e, struct header *h, const struct action *a);

#endif
