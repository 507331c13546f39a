/* SPDX-License-Identifier: Apache-2.0 */
#include "prove/prove_alone.h"

#include "base/vec.h"

/* Of each image, by number: 1 + the next one; 0: not known. */
static VEC(uint32_t) next_of;
static VEC(uint8_t) marks;
enum mark { NOT_SEEN, ON_THE_WAY, ENDS, ENDLESS };

void prove_alone_clear(void)
{
    next_of.len = 0;
}

void prove_alone_note(uint32_t image, uint32_t next)
{
    while (next_of.len <= image)
        vec_push(&next_of, 0);
    next_of.data[image] = next >= PROVE_ALONE_WAITS ? next : next + 1;
}

/* What becomes of the thread that is in the image; an image of which nothing is known was left out by a bound. */
static enum mark end_of(uint32_t image)
{
    uint32_t at = image;
    enum mark end = NOT_SEEN;
    while (end == NOT_SEEN) {
        uint32_t next = at < next_of.len ? next_of.data[at] : 0;
        if (next == PROVE_ALONE_RETURNS || next == 0)
            end = ENDS;
        else if (next == PROVE_ALONE_WAITS || marks.data[at] == ON_THE_WAY)
            end = ENDLESS;
        else if (marks.data[at] != NOT_SEEN)
            end = (enum mark)marks.data[at];
        if (end == NOT_SEEN) {
            marks.data[at] = ON_THE_WAY;
            at = next - 1;
        }
    }
    return end;
}

static void mark_way(uint32_t image, enum mark end)
{
    while (image < next_of.len && (marks.data[image] == ON_THE_WAY || marks.data[image] == NOT_SEEN)) {
        uint32_t next = next_of.data[image];
        marks.data[image] = (uint8_t)end;
        if (next == 0 || next == PROVE_ALONE_RETURNS || next == PROVE_ALONE_WAITS)
            return;
        image = next - 1;
    }
}

bool prove_alone_find(void)
{
    bool found = false;
    marks.len = 0;
    for (uint32_t i = 0; i < next_of.len; i++)
        vec_push(&marks, NOT_SEEN);
    for (uint32_t i = 0; i < next_of.len; i++) {
        if (!next_of.data[i] || marks.data[i] != NOT_SEEN)
            continue;
        enum mark end = end_of(i);
        mark_way(i, end);
        found |= end == ENDLESS;
    }
    return found;
}

bool prove_alone_is_endless(uint32_t image)
{
    return image < marks.len && marks.data[image] == ENDLESS;
}
