/* SPDX-License-Identifier: Apache-2.0 */
/* Which part of its capacity a container uses, and memory resources of std::pmr that only one thread at a time may
 * use: their virtual functions. */
#include "rt/cxx/watched_memory.h"

/* Any allocation or deallocation changes the pools; the pointer to them stands for all. */
struct pool_resource {
    void *vtable;
    size_t options[2];
    void *unpooled[4];
    int pool_count;
    void *pools;
};

EXPORT void *_ZNSt3pmr28unsynchronized_pool_resource11do_allocateEmm(struct pool_resource *r, size_t size,
                                                                     size_t alignment)
{
    watched_access(&r->pools, sizeof r->pools, true, CALLER);
    return NEXT(_ZNSt3pmr28unsynchronized_pool_resource11do_allocateEmm)(r, size, alignment);
}

EXPORT void _ZNSt3pmr28unsynchronized_pool_resource13do_deallocateEPvmm(struct pool_resource *r, void *block,
                                                                        size_t size, size_t alignment)
{
    watched_access(&r->pools, sizeof r->pools, true, CALLER);
    NEXT(_ZNSt3pmr28unsynchronized_pool_resource13do_deallocateEPvmm)(r, block, size, alignment);
}

EXPORT void _ZNSt3pmr28unsynchronized_pool_resource7releaseEv(struct pool_resource *r)
{
    watched_access(&r->pools, sizeof r->pools, true, CALLER);
    NEXT(_ZNSt3pmr28unsynchronized_pool_resource7releaseEv)(r);
}

/* ------------------------------------------------------------------ monotonic_buffer_resource */

struct monotonic_resource {
    void *vtable;
    char *current;
    size_t available, next_size;
    void *upstream, *original;
    size_t original_size;
    void *head;
};

/* In the C++ library, if the program has it. */
#define OF_THE_LIBRARY __attribute__((weak))
OF_THE_LIBRARY void _ZNSt3pmr25monotonic_buffer_resource13_M_new_bufferEmm(struct monotonic_resource *r,
                                                                           size_t size, size_t alignment);
OF_THE_LIBRARY void _ZNSt3pmr25monotonic_buffer_resourceD1Ev(struct monotonic_resource *r);
OF_THE_LIBRARY void _ZNSt3pmr25monotonic_buffer_resourceD0Ev(struct monotonic_resource *r);
OF_THE_LIBRARY extern const char _ZTINSt3pmr25monotonic_buffer_resourceE[];

/* The next block of the buffer; null: it does not fit. */
static char *fitting(const struct monotonic_resource *r, size_t size, size_t alignment)
{
    uintptr_t from = ((uintptr_t)r->current + alignment - 1) & ~(uintptr_t)(alignment - 1);
    size_t skipped = from - (uintptr_t)r->current;
    return skipped <= r->available && size <= r->available - skipped ? (char *)from : NULL;
}

static void *monotonic_allocate(struct monotonic_resource *r, size_t size, size_t alignment)
{
    size += !size; /* blocks differ */
    watched_access(&r->current, sizeof r->current, true, CALLER);
    watched_access(&r->available, sizeof r->available, true, CALLER);
    char *block = fitting(r, size, alignment);
    if (!block) {
        _ZNSt3pmr25monotonic_buffer_resource13_M_new_bufferEmm(r, size, alignment);
        block = r->current;
    }
    r->available -= (size_t)(block - r->current) + size;
    r->current = block + size;
    return block;
}

static void monotonic_deallocate(struct monotonic_resource *r, void *block, size_t size, size_t alignment)
{
}

static bool monotonic_is_equal(const struct monotonic_resource *r, const void *other)
{
    return r == other;
}

/* The table of virtual functions: the library's has functions in it that cannot be replaced. */
EXPORT const void *const _ZTVNSt3pmr25monotonic_buffer_resourceE[] = {
    NULL,
    _ZTINSt3pmr25monotonic_buffer_resourceE,
    (const void *)_ZNSt3pmr25monotonic_buffer_resourceD1Ev,
    (const void *)_ZNSt3pmr25monotonic_buffer_resourceD0Ev,
    (const void *)monotonic_allocate,
    (const void *)monotonic_deallocate,
    (const void *)monotonic_is_equal,
};

/* Of the memory from `from` to `end` a container uses what lies below `now`. Vectors say so, as AddressSanitizer has
 * it (include/plumb/libstdc++/bits/c++config.h). */
EXPORT void __sanitizer_annotate_contiguous_container(const char *from, const char *end, const char *before,
                                                      const char *now)
{
    (void)before;
    if (from < end)
        heap_use(from, (size_t)(end - from), (size_t)(now - from));
}
