/* SPDX-License-Identifier: Apache-2.0 */
#include "prove/prove_memo.h"

#include "base/hash.h"

#include <string.h>

enum { PLACES = 1 << 13 };

/* A place for each value of some bits of the hash; what comes later has it. */
static struct place {
    VEC(uint8_t) key;
    VEC(struct refine_step) steps;
    VEC(uint8_t) states;
} places[PLACES];

static struct place *place_of(const uint8_t *state, uint32_t size)
{
    return &places[hash_bytes(state, size) % PLACES];
}

#define COPY(to, from, count)                                                  \
    do {                                                                       \
        vec_reserve(&(to), (to).len + (count));                                \
        if (count)                                                             \
            memcpy((to).data + (to).len, (from), (count) * sizeof *(to).data); \
        (to).len += (count);                                                   \
    } while (0)

bool prove_memo_get(const uint8_t *state, uint32_t size, struct refine_steps *out)
{
    const struct place *p = place_of(state, size);
    if (p->key.len != size || memcmp(p->key.data, state, size) != 0)
        return false;
    COPY(out->steps, p->steps.data, p->steps.len);
    COPY(out->states, p->states.data, p->states.len);
    return true;
}

void prove_memo_put(const uint8_t *state, uint32_t size, const struct refine_steps *out, size_t from)
{
    struct place *p = place_of(state, size);
    p->key.len = p->steps.len = p->states.len = 0;
    COPY(p->key, state, size);
    COPY(p->steps, out->steps.data + from, out->steps.len - from);
    COPY(p->states, out->states.data + from * size, out->states.len - from * size);
}

void prove_memo_clear(void)
{
    for (size_t i = 0; i < PLACES; i++)
        places[i].key.len = 0;
}
