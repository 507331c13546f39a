/* SPDX-License-Identifier: Apache-2.0 */
/* Small ranges are copied back. In a large one the whole pages become private mappings of a file that
 * holds the image: the kernel gives a page a copy of its own at its first change, by any writer (the
 * program, the C library, a system call), and says which pages have one. Those pages, once found, are
 * copied back before every execution, and no page can join them without a page fault: while the number of
 * faults stands still there is nothing to look for. */
#include "engine/memory/image.h"

#include "base/vec.h"
#include "engine/real.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE = 4096, LARGE = 1 << 15, ENTRIES = 512 };

struct image {
    char *at;
    const char *copy;
    size_t size;
};

struct page {
    char *at;
    const char *copy;
};

static VEC(struct image) small;  /* copied as a whole */
static VEC(struct image) large;  /* whole pages */
static VEC(struct page) changed; /* pages of the large ones that have a copy of their own */
static long faults;              /* when they were looked for */
static int page_table = -1;      /* /proc/self/pagemap */
static struct stat page_table_file;

/* ------------------------------------------------------------------ taking */

static void keep_small(char *at, size_t size)
{
    if (!size)
        return;
    char *copy = base_alloc(size);
    real.memcpy(copy, at, size);
    vec_push(&small, ((struct image){at, copy, size}));
}

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
static bool keep_pages(char *at, size_t size)
{
    int fd = memfd_create("plumb-image", MFD_CLOEXEC);
    void *copy = MAP_FAILED;
    if (fd >= 0 && write_all(fd, at, size))
        copy = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
    bool done = copy != MAP_FAILED &&
                mmap(at, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, fd, 0) != MAP_FAILED;
    if (fd >= 0)
        close(fd);
    if (done)
        vec_push(&large, ((struct image){at, copy, size}));
    return done;
}

static void open_page_table(void)
{
    page_table = sysconf(_SC_PAGESIZE) == PAGE ? open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC) : -1;
    if (page_table >= 0)
        fstat(page_table, &page_table_file);
}

/* The program may close descriptors that are not its own, and get their numbers for other files. */
static void check_page_table(void)
{
    struct stat now;
    if (fstat(page_table, &now) != 0 || now.st_dev != page_table_file.st_dev ||
        now.st_ino != page_table_file.st_ino)
        open_page_table();
}

void image_keep(void *at, size_t size)
{
    char *from = (char *)(((uintptr_t)at + PAGE - 1) & ~(uintptr_t)(PAGE - 1));
    char *to = (char *)(((uintptr_t)at + size) & ~(uintptr_t)(PAGE - 1)), *end = (char *)at + size;
    if (size >= LARGE && page_table < 0)
        open_page_table();
    if (size < LARGE || page_table < 0 || !keep_pages(from, (size_t)(to - from))) {
        keep_small(at, size);
        return;
    }
    keep_small(at, (size_t)(from - (char *)at));
    keep_small(to, (size_t)(end - to));
    faults = -1;
}

/* ------------------------------------------------------------------ putting back */

static bool is_own_copy(uint64_t entry)
{
    bool present = entry >> 63 & 1, swapped = entry >> 62 & 1, of_file = entry >> 61 & 1;
    return (present || swapped) && !of_file;
}

static void copy_page(struct page p)
{
    real.memcpy(p.at, p.copy, PAGE);
}

static void find_changed(const struct image *image)
{
    uint64_t entries[ENTRIES];
    for (size_t offset = 0; offset < image->size;) {
        size_t left = (image->size - offset) / PAGE, count = left < ENTRIES ? left : ENTRIES;
        off_t where = (off_t)(((uintptr_t)image->at + offset) / PAGE * sizeof *entries);
        ssize_t got = pread(page_table, entries, count * sizeof *entries, where);
        for (size_t k = 0; k < count; k++, offset += PAGE) /* what cannot be read counts as changed */
            if (got < (ssize_t)((k + 1) * sizeof *entries) || is_own_copy(entries[k]))
                vec_push(&changed, ((struct page){image->at + offset, image->copy + offset}));
    }
}

static long count_faults(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_minflt + usage.ru_majflt : -1;
}

static void restore_pages(void)
{
    if (count_faults() != faults || faults < 0) {
        vec_clear(&changed);
        check_page_table();
        for (size_t k = 0; k < large.len; k++)
            find_changed(&large.data[k]);
        faults = count_faults(); /* the look itself may have caused some */
    }
    for (size_t k = 0; k < changed.len; k++)
        copy_page(changed.data[k]);
}

void image_restore_all(void)
{
    for (size_t k = 0; k < small.len; k++)
        real.memcpy(small.data[k].at, small.data[k].copy, small.data[k].size);
    if (large.len)
        restore_pages();
}

/* The first byte from `from` on that differs. */
static size_t find_difference(const struct image *image, size_t from)
{
    enum { PART = 32 };
    while (from + PART <= image->size && memcmp(image->at + from, image->copy + from, PART) == 0)
        from += PART;
    while (from < image->size && image->at[from] == image->copy[from])
        from++;
    return from;
}

static bool is_range_changed(const struct image *image, uint64_t (*excepted)(uint64_t address))
{
    for (size_t k = 0; (k = find_difference(image, k)) < image->size;) {
        uint64_t end = excepted((uint64_t)&image->at[k]);
        if (!end)
            return true;
        k = end - (uint64_t)image->at;
    }
    return false;
}

bool image_is_changed(uint64_t (*excepted)(uint64_t address))
{
    bool is_changed = large.len > 0;
    for (size_t k = 0; k < small.len && !is_changed; k++)
        is_changed = is_range_changed(&small.data[k], excepted);
    return is_changed;
}

void image_digest(struct digest *d)
{
    for (size_t k = 0; k < small.len; k++)
        digest_add(d, small.data[k].at, small.data[k].size);
    for (size_t k = 0; k < large.len; k++)
        digest_add(d, large.data[k].at, large.data[k].size);
}
