/* SPDX-License-Identifier: Apache-2.0 */
#include "target/capture.h"

#include "base/memory.h"

#include <string.h>

void capture_add(struct capture *c, const char *bytes, size_t length)
{
    if (!c->ring)
        c->ring = base_alloc(CAPTURE_SIZE);
    if (length > CAPTURE_SIZE) {
        c->total += length - CAPTURE_SIZE;
        bytes += length - CAPTURE_SIZE;
        length = CAPTURE_SIZE;
    }
    size_t at = c->total % CAPTURE_SIZE;
    size_t first = length < CAPTURE_SIZE - at ? length : CAPTURE_SIZE - at;
    memcpy(c->ring + at, bytes, first);
    memcpy(c->ring, bytes + first, length - first);
    c->total += length;
}

const char *capture_text(struct capture *c, size_t *length, uint64_t *lost)
{
    *length = c->total < CAPTURE_SIZE ? (size_t)c->total : CAPTURE_SIZE;
    *lost = c->total - *length;
    if (!c->ring)
        return "";
    if (!c->unrolled)
        c->unrolled = base_alloc(CAPTURE_SIZE + 1);
    size_t begin = *lost % CAPTURE_SIZE;
    size_t first = *length < CAPTURE_SIZE - begin ? *length : CAPTURE_SIZE - begin;
    memcpy(c->unrolled, c->ring + begin, first);
    memcpy(c->unrolled + first, c->ring, *length - first);
    c->unrolled[*length] = 0;
    return c->unrolled;
}

void capture_free(struct capture *c)
{
    free(c->ring);
    free(c->unrolled);
    *c = (struct capture){0};
}
