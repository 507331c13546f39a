/* SPDX-License-Identifier: Apache-2.0 */
/* Operations that are only for a thread that has called another one before, or has not: a lock is released by its holder, and its
 * holder does not acquire it again unless it is recursive. */
#ifndef SPEC_HOLDING_H
#define SPEC_HOLDING_H

#include <stdbool.h>
#include <stdint.h>

enum spec_hold { SPEC_HOLDS_NOTHING = 0, SPEC_TAKES = '+', SPEC_MAY_TAKE = '?', SPEC_GIVES_UP = '-' };

struct spec_holding {
    enum spec_hold hold;
    uint32_t part; /* of what, if there are several such pairs */
    bool nests;    /* a thread that holds this part may take it again */
    bool shared;   /* several threads may hold this part, and no one else another part */
};

/* What the operation of the built-in specification does to what its thread holds, as far as is known before it answers. */
struct spec_holding spec_holding_of(const char *spec, const char *operation);

#endif
