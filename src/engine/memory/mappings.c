/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/memory/mappings.h"

#include "base/vec.h"
#include "engine/engine.h"
#include "engine/memory/image.h"

#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, KEPT_LANE = CLOCKS_THREADS_MAX, LANES = KEPT_LANE + 1 };

#define LANE_SIZE (UINT64_C(1) << 36)

struct mapping {
    char *from, *to;
    bool writable;
};

static uint64_t used[LANES];         /* bytes from the start of the lane */
static uint64_t used_lanes;          /* of threads */
static VEC(struct mapping) mappings; /* in the last lane */
static bool kept;

static char *lane_start(uint32_t number)
{
    return (char *)MAPPINGS_BASE + number * LANE_SIZE;
}

/* Behind each mapping there is a page without one. */
void *mappings_place(size_t size, size_t alignment)
{
    uint32_t number = engine_active || kept ? engine_current() : KEPT_LANE;
    uint64_t from = (used[number] + alignment - 1) & ~(uint64_t)(alignment - 1);
    if (size > LANE_SIZE || from + size + 2 * PAGE > LANE_SIZE)
        return NULL;
    used[number] = ((from + size + PAGE - 1) & ~(uint64_t)(PAGE - 1)) + PAGE;
    if (number != KEPT_LANE)
        used_lanes |= UINT64_C(1) << number;
    return lane_start(number) + from;
}

static bool meets(const void *at, size_t size, uint64_t base, uint64_t room)
{
    uint64_t from = (uint64_t)at;
    return from < base + room && size > 0 && from + size > base;
}

bool mappings_contain(const void *at, size_t size)
{
    return meets(at, size, MAPPINGS_BASE, LANES * LANE_SIZE);
}

bool mappings_are_kept(const void *at, size_t size)
{
    return meets(at, size, (uint64_t)lane_start(KEPT_LANE), LANE_SIZE);
}

void mappings_note(void *at, size_t size, bool writable)
{
    char *from = at;
    mappings_forget(at, size);
    vec_push(&mappings, ((struct mapping){from, from + size, writable}));
}

/* What is cut out of the middle of a mapping leaves two. */
void mappings_forget(const void *at, size_t size)
{
    char *from = (char *)at, *to = from + ((size + PAGE - 1) & ~(size_t)(PAGE - 1));
    for (size_t k = 0, count = mappings.len; k < count; k++) {
        struct mapping *m = &mappings.data[k], old = *m;
        if (old.to <= from || to <= old.from)
            continue;
        *m = (struct mapping){old.from, old.from < from ? from : old.from, old.writable};
        if (to < old.to)
            vec_push(&mappings, ((struct mapping){to, old.to, old.writable}));
    }
}

void mappings_keep(void)
{
    kept = true;
    for (size_t k = 0; k < mappings.len; k++) {
        const struct mapping *m = &mappings.data[k];
        if (m->writable && m->from < m->to)
            image_keep(m->from, (size_t)(m->to - m->from));
    }
}

void mappings_reset(void)
{
    for (uint64_t left = used_lanes; left; left &= left - 1) {
        uint32_t number = (uint32_t)__builtin_ctzll(left);
        syscall(SYS_munmap, lane_start(number), used[number]);
        used[number] = 0;
    }
    used_lanes = 0;
}

/* The program may not be able to read them: nothing is known of what they hold. */
void mappings_digest(struct digest *d)
{
    if (used_lanes || mappings.len)
        d->bytes = d->bytes_max + 1;
}
