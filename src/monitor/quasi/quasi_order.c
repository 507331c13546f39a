/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/quasi/quasi_queue.h"

#include "base/memory.h"
#include "monitor/quasi/quasi_items.h"

void quasi_order_reserve(struct quasi_order *o, uint32_t count)
{
    *o = (struct quasi_order){.count = count};
    o->value = NEW_ARRAY(uint32_t, count);
    o->call = NEW_ARRAY(uint32_t, count);
    o->ret = NEW_ARRAY(uint32_t, count);
    o->least_ret = NEW_ARRAY(uint32_t, (size_t)count + 1);
    o->slot = NEW_ARRAY(uint8_t, count);
}

void quasi_order_free(struct quasi_order *o)
{
    free(o->value);
    free(o->call);
    free(o->ret);
    free(o->least_ret);
    free(o->slot);
    free(o->latest);
}

static bool choose_slots(struct quasi_order *o)
{
    uint32_t busy_until[QUASI_SLOTS] = {0};
    for (uint32_t i = 0; i < o->count; i++) {
        uint32_t s = 0;
        while (s < o->slots && busy_until[s] > o->call[i])
            s++;
        if (s == QUASI_SLOTS)
            return false;
        o->slots += s == o->slots;
        busy_until[s] = o->ret[i];
        o->slot[i] = (uint8_t)s;
    }
    return true;
}

bool quasi_order_finish(struct quasi_order *o)
{
    o->least_ret[o->count] = QUASI_NEVER;
    for (uint32_t i = o->count; i-- > 0;)
        o->least_ret[i] = o->ret[i] < o->least_ret[i + 1] ? o->ret[i] : o->least_ret[i + 1];
    if (!choose_slots(o))
        return false;
    o->latest = NEW_ARRAY(uint32_t, (size_t)o->count * o->slots + 1);
    for (uint32_t i = 0; i < o->count; i++) {
        uint32_t *row = o->latest + (size_t)i * o->slots;
        for (uint32_t s = 0; s < o->slots; s++)
            row[s] = i ? row[s - (size_t)o->slots] : QUASI_NONE;
        row[o->slot[i]] = i;
    }
    return true;
}

/* The missing one in the lowest slot of `mask`. */
static uint32_t first_missing(const struct quasi_order *o, struct quasi_prefix s, uint64_t mask)
{
    return o->latest[(size_t)(s.length - 1) * o->slots + (uint32_t)__builtin_ctzll(mask)];
}

uint32_t quasi_prefix_latest_call(const struct quasi_order *o, struct quasi_prefix s)
{
    return s.length ? o->call[s.length - 1] : 0;
}

uint32_t quasi_prefix_least_return(const struct quasi_order *o, struct quasi_prefix s)
{
    uint32_t least = o->least_ret[s.length];
    for (uint64_t m = s.missing; m; m &= m - 1) {
        uint32_t ret = o->ret[first_missing(o, s, m)];
        least = ret < least ? ret : least;
    }
    return least;
}

uint32_t quasi_prefix_next(const struct quasi_order *o, struct quasi_prefix s, uint32_t *places)
{
    uint32_t count = 0, limit = quasi_prefix_least_return(o, s);
    for (uint64_t m = s.missing; m; m &= m - 1)
        places[count++] = first_missing(o, s, m);
    for (uint32_t i = s.length; i < o->count && o->call[i] < limit; i++)
        places[count++] = i;
    return count;
}

struct quasi_prefix quasi_prefix_take(const struct quasi_order *o, struct quasi_prefix s, uint32_t place)
{
    if (place < s.length) {
        s.missing &= ~(UINT64_C(1) << o->slot[place]);
        return s;
    }
    for (uint32_t i = s.length; i < place; i++)
        s.missing |= UINT64_C(1) << o->slot[i];
    s.length = place + 1;
    return s;
}

uint32_t quasi_prefix_left_before(const struct quasi_order *o, struct quasi_prefix s, uint32_t time,
                                  uint32_t most)
{
    uint32_t count = 0;
    for (uint64_t m = s.missing; m; m &= m - 1)
        count += o->ret[first_missing(o, s, m)] < time;
    for (uint32_t i = s.length; i < o->count && o->call[i] < time && count <= most; i++)
        count += o->ret[i] < time;
    return count;
}
