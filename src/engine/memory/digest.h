/* SPDX-License-Identifier: Apache-2.0 */
/* A number for the contents of several ranges of memory. */
#ifndef ENGINE_DIGEST_H
#define ENGINE_DIGEST_H

#include "base/hash.h"

struct digest {
    uint64_t value;
    size_t bytes, bytes_max; /* more than so many are not looked at */
};

static inline void digest_add(struct digest *d, const void *at, size_t size)
{
    d->bytes += size;
    if (d->bytes <= d->bytes_max)
        d->value = hash_word(d->value ^ hash_bytes(at, size));
}

#endif
