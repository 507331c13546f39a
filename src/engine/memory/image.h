/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of memory as they were at one moment, put back before each execution. */
#ifndef ENGINE_IMAGE_H
#define ENGINE_IMAGE_H

#include "base/hash.h"

#include <stdbool.h>

/* A number for the contents of several ranges of memory. */
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

void image_keep(void *at, size_t size);
void image_restore_all(void);
/* Does something differ from how it was? Not looked at: what begins with an address for which `excepted` says where it
 * ends (0: it is looked at). Large ranges count as changed. */
bool image_is_changed(uint64_t (*excepted)(uint64_t address));
void image_digest(struct digest *d); /* of the ranges as they are now */

#endif
