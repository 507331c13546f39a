/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/image.h"

#include "base/memory.h"
#include "engine/real.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, LARGE = 1 << 16 };

static bool write_all(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(fd, bytes, size);
        if (written <= 0)
            return false;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

/* False: everything stays as it was. */
static bool map_pages(char *pages, size_t size)
{
    int fd = memfd_create("plumb-image", MFD_CLOEXEC);
    if (fd < 0)
        return false;
    bool done = write_all(fd, pages, size) &&
                mmap(pages, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, fd, 0) != MAP_FAILED;
    close(fd);
    return done;
}

void image_take(struct image *image, void *at, size_t size)
{
    uintptr_t from = ((uintptr_t)at + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
    uintptr_t to = ((uintptr_t)at + size) & ~(uintptr_t)(PAGE - 1);
    *image = (struct image){.at = at, .size = size, .pages = (char *)at + size};
    image->copy = base_alloc(size); /* what is not used of it is never touched, so it takes no memory */
    if (size > LARGE && map_pages((char *)from, to - from)) {
        image->pages = (char *)from;
        image->pages_size = to - from;
    }
    size_t before = (size_t)(image->pages - image->at), behind = before + image->pages_size;
    real.memcpy(image->copy, at, before);
    real.memcpy(image->copy + behind, image->at + behind, size - behind);
}

void image_restore(const struct image *image)
{
    size_t before = (size_t)(image->pages - image->at), behind = before + image->pages_size;
    real.memcpy(image->at, image->copy, before);
    if (!image->pages_size)
        return;
    real.memcpy(image->at + behind, image->copy + behind, image->size - behind);
    madvise(image->pages, image->pages_size, MADV_DONTNEED);
}
