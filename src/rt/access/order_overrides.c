/* SPDX-License-Identifier: Apache-2.0 */
/* Memory orders other than those that the program was compiled with, by the place of the call. */
#include "rt/hook.h"

#include <link.h>

unsigned hook_order_limit = ORDER_SEQ_CST + 1;

static struct worker_shared *shared;
static uint64_t base; /* where the program is loaded */

/* The program comes first. */
static int find_base(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    (void)data;
    base = info->dlpi_addr;
    return 1;
}

void hook_orders_prepare(struct worker_shared *s)
{
    shared = s;
    dl_iterate_phdr(find_base, NULL);
    hook_order_limit = s->config.order_count ? 0 : ORDER_SEQ_CST + 1;
}

static uint32_t find_call(uint64_t pc)
{
    uint32_t low = 0, high = shared->config.order_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (shared->config.orders[middle].pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

unsigned hook_order_beyond(unsigned order, bool failure, const void *pc)
{
    unsigned written = order <= ORDER_SEQ_CST ? order : ORDER_SEQ_CST;
    if (hook_order_limit)
        return written;
    uint64_t place = (uint64_t)pc - base;
    uint32_t at = find_call(place);
    const struct worker_order *o = &shared->config.orders[at];
    if (at == shared->config.order_count || o->pc != place)
        return written;
    if (shared->config.watch_orders)
        shared->orders_seen[at][failure] |= (uint8_t)(1u << written);
    unsigned used = failure ? o->failure : o->order;
    return used <= ORDER_SEQ_CST ? used : written;
}
