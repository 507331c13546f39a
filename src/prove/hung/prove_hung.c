/* SPDX-License-Identifier: Apache-2.0 */
#include "prove/hung/prove_hung.h"

#include "base/memory.h"
#include "base/vec.h"

struct edge {
    /* `next`: of the list of steps that lead to the same image; 0: none, else 1 + number */
    uint32_t to, next;
};

static VEC(struct edge) edges; /* `to` is where the step comes from: the way back is what is walked */
static VEC(uint32_t) incoming; /* of each image: 1 + its first edge */
static VEC(uint8_t) can_return;
static VEC(uint32_t) queue;

void prove_hung_clear(void)
{
    edges.len = incoming.len = can_return.len = queue.len = 0;
}

static void reach(uint32_t image)
{
    while (can_return.len <= image)
        vec_push(&can_return, 0);
    if (can_return.data[image])
        return;
    can_return.data[image] = 1;
    vec_push(&queue, image);
}

void prove_hung_note(uint32_t image, uint32_t next)
{
    if (next == PROVE_HUNG_RETURNS) {
        reach(image);
        return;
    }
    while (incoming.len <= next)
        vec_push(&incoming, 0);
    vec_push(&edges, ((struct edge){.to = image, .next = incoming.data[next]}));
    incoming.data[next] = (uint32_t)edges.len;
}

bool prove_hung_find(uint32_t count, bool (*is_open)(uint32_t image))
{
    for (size_t i = 0; i < queue.len; i++) {
        uint32_t image = queue.data[i];
        for (uint32_t e = image < incoming.len ? incoming.data[image] : 0; e; e = edges.data[e - 1].next)
            reach(edges.data[e - 1].to);
    }
    bool found = false;
    while (can_return.len < count)
        vec_push(&can_return, 0);
    for (uint32_t i = 0; i < count; i++) {
        bool returns = (i < can_return.len && can_return.data[i]) || !is_open(i);
        can_return.data[i] = returns;
        found |= !returns;
    }
    return found;
}

bool prove_hung_is(uint32_t image)
{
    return image < can_return.len && !can_return.data[image];
}
