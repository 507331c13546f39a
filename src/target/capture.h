/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a stream of bytes: what a program printed, however much it was. */
#ifndef TARGET_CAPTURE_H
#define TARGET_CAPTURE_H

#include <stddef.h>
#include <stdint.h>

enum { CAPTURE_SIZE = 1 << 16 };

struct capture {
    char *ring;     /* CAPTURE_SIZE bytes once something came */
    char *unrolled; /* for capture_text */
    uint64_t total; /* bytes seen */
};

void capture_add(struct capture *c, const char *bytes, size_t length);

/* The bytes kept, terminated; valid until the next call. */
const char *capture_text(struct capture *c, size_t *length, uint64_t *lost);
void capture_free(struct capture *c);

#endif
