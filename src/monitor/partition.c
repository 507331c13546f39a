/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/part.h"

#include "base/hash.h"

static void count_members(struct partition *p, const uint32_t *class_of)
{
    const struct order *o = &p->whole->order;
    for (uint32_t i = 0; i < o->count; i++) {
        p->first_op[class_of[i] + 1]++;
        p->first_event[class_of[i] + 1] += 1 + (o->ret[i] != ORDER_NEVER);
    }
    for (uint32_t k = 0; k < p->count; k++) {
        p->first_op[k + 1] += p->first_op[k];
        p->first_event[k + 1] += p->first_event[k];
    }
}

/* Of one class. */
struct seen {
    uint32_t ops, events;
};

/* Walks the events in time order; operations are numbered inside their class in the order of their calls. */
static uint32_t *distribute_events(struct partition *p, const uint32_t *class_of)
{
    const struct order *o = &p->whole->order;
    uint32_t *new_index = NEW_ARRAY(uint32_t, o->count);
    OWNED struct seen *seen = NEW_ZEROED(struct seen, p->count);
    for (uint32_t e = 0; e < o->event_count; e++) {
        uint32_t event = o->event[e], i = order_event_op(event), k = class_of[i];
        uint32_t now = seen[k].events++, first = p->first_op[k], index;
        if (order_event_returns(event)) {
            index = new_index[i];
            p->ret[first + index] = now;
        } else {
            index = new_index[i] = seen[k].ops++;
            p->member[first + index] = i;
            p->ops[first + index] = part_history_index(p->whole, i);
            p->ret[first + index] = ORDER_NEVER;
            p->call[first + index] = now;
        }
        p->event[p->first_event[k] + now] = index << 1 | (event & 1);
    }
    return new_index;
}

/* A predecessor in another class hands its own predecessor on. */
static void distribute_after(struct partition *p, const uint32_t *class_of, const uint32_t *new_index)
{
    const struct order *o = &p->whole->order;
    if (!o->after)
        return;
    p->after = NEW_ARRAY(uint32_t, o->count);
    for (uint32_t i = 0; i < o->count; i++) {
        uint32_t before = o->after[i];
        while (before != ORDER_NO_OP && class_of[before] != class_of[i])
            before = o->after[before];
        p->after[p->first_op[class_of[i]] + new_index[i]] =
            before == ORDER_NO_OP ? ORDER_NO_OP : new_index[before];
    }
}

void partition_split(struct partition *p, const struct part *whole, const uint32_t *class_of, uint32_t count)
{
    const struct order *o = &whole->order;
    *p = (struct partition){.whole = whole, .count = count};
    p->first_op = NEW_ZEROED(uint32_t, (size_t)count + 1);
    p->first_event = NEW_ZEROED(uint32_t, (size_t)count + 1);
    p->member = NEW_ARRAY(uint32_t, o->count);
    p->ops = NEW_ARRAY(uint32_t, o->count);
    p->call = NEW_ARRAY(uint32_t, o->count);
    p->ret = NEW_ARRAY(uint32_t, o->count);
    p->event = NEW_ARRAY(uint32_t, o->event_count);
    count_members(p, class_of);
    OWNED uint32_t *new_index = distribute_events(p, class_of);
    distribute_after(p, class_of, new_index);
}

void partition_free(struct partition *p)
{
    free(p->first_op);
    free(p->first_event);
    free(p->member);
    free(p->ops);
    free(p->call);
    free(p->ret);
    free(p->event);
    free(p->after);
}

struct part partition_get(const struct partition *p, uint32_t k)
{
    uint32_t op = p->first_op[k], event = p->first_event[k];
    return (struct part){
        .spec = p->whole->spec,
        .options = p->whole->options,
        .history = p->whole->history,
        .ops = p->ops + op,
        .order = {.count = p->first_op[k + 1] - op,
                  .event_count = p->first_event[k + 1] - event,
                  .call = p->call + op,
                  .ret = p->ret + op,
                  .event = p->event + event,
                  .after = p->after ? p->after + op : NULL},
    };
}

uint32_t partition_by_key(const struct part *whole, uint32_t *class_of)
{
    struct hash_map numbers = {0};
    for (uint32_t i = 0; i < whole->order.count; i++) {
        struct plumb_call call = part_call(whole, i);
        uint32_t *number = hash_map_at(&numbers, whole->spec->key(whole->history->values, &call));
        if (*number == HASH_NO_NUMBER)
            *number = (uint32_t)numbers.count - 1;
        class_of[i] = *number;
    }
    uint32_t count = (uint32_t)numbers.count;
    hash_map_free(&numbers);
    return count;
}
