/* SPDX-License-Identifier: Apache-2.0 */
/* What writing and reading the forms of states share. Private to this folder. */
#ifndef PROVE_FORM_H
#define PROVE_FORM_H

#include "prove/prove_image.h"

#include <string.h>

enum { PROVE_TAG_SHIFT = 48, PROVE_OPEN_WORDS = 3 + PROVE_SAVED_COUNT + PROVE_ARGUMENT_COUNT };
#define PROVE_ADDRESS_MASK ((UINT64_C(1) << PROVE_TAG_SHIFT) - 1)

#define PROVE_PUT(vec, bytes, count)                      \
    do {                                                  \
        vec_reserve(&(vec), (vec).len + (count));         \
        memcpy((vec).data + (vec).len, (bytes), (count)); \
        (vec).len += (count);                             \
    } while (0)

/* Where blocks stand, one after the other. */
static inline uint64_t prove_first_cursor(const struct prove_dialect *d)
{
    return d->is_reversed ? d->arena + PROVE_ARENA_BYTES : d->arena + PROVE_LINE;
}
/* Where those of the next step stand, if blocks end before there. */
static inline uint64_t prove_middle(const struct prove_dialect *d)
{
    return d->arena + PROVE_ARENA_BYTES / 2;
}

static inline uint64_t prove_take_room(const struct prove_dialect *d, uint64_t *cursor,
                                       const struct prove_block *b)
{
    uint64_t step = prove_room_of(b->size), at = *cursor, shift = b->is_aligned ? 0 : d->shift;
    if (d->is_reversed)
        return (*cursor -= step) + shift;
    *cursor += step;
    return at + shift;
}

/* ---- prove_lines.c ---- */

/* Lines of globals that an image may have, ascending. */
extern struct prove_lines {
    uint32_t *data;
    size_t len, cap;
} prove_hot_lines __attribute__((visibility("hidden")));

/* Notes those that have changed now. */
void prove_lines_look(void);
/* Looks at their words, in a state of the search. */
void prove_lines_watch(void);
/* Is it part of an image whatever it holds? */
bool prove_line_is_always(uint32_t line);

#endif
