/* SPDX-License-Identifier: Apache-2.0 */
/* A range of memory as it was at one moment, to be put back before each execution. */
#ifndef ENGINE_IMAGE_H
#define ENGINE_IMAGE_H

#include <stddef.h>

/* Small ranges are copied back. In a large one the whole pages are private mappings of a file that holds the image:
 * the kernel makes a copy of each page at its first change and drops these copies when asked to, whoever made the
 * change (the program, the C library, a system call). */
struct image {
    char *at;
    size_t size;
    char *copy; /* of the bytes outside of [pages, pages + pages_size) */
    char *pages;
    size_t pages_size;
};

void image_take(struct image *image, void *at, size_t size);
void image_restore(const struct image *image);

#endif
