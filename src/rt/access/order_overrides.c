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

/* Its number in the table; order_count: it is not there. */
static uint32_t find_call(const void *pc)
{
    const struct worker_config *c = &shared->config;
    uint64_t place = (uint64_t)pc - base;
    uint32_t low = 0, high = c->order_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (c->orders[middle].pc < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->order_count && c->orders[low].pc == place ? low : c->order_count;
}

static unsigned clean_order(unsigned order)
{
    unsigned o = order & ORDER_MASK;
    return o <= ORDER_SEQ_CST ? o : ORDER_SEQ_CST;
}

static void note(uint32_t call, bool failure, unsigned order)
{
    if (shared->config.watch_orders)
        shared->orders_seen[call][failure] |= (uint8_t)(1u << order);
}

unsigned hook_order_beyond(unsigned order, bool failure, const void *pc)
{
    unsigned written = clean_order(order);
    uint32_t call = hook_order_limit ? 0 : find_call(pc);
    if (hook_order_limit || call == shared->config.order_count)
        return written;
    if (!failure) /* whether it fails is not known yet */
        note(call, false, written);
    unsigned used = failure ? shared->config.orders[call].failure : shared->config.orders[call].order;
    return used <= ORDER_SEQ_CST ? used : written;
}

void hook_note_failure(int order, const void *pc)
{
    uint32_t call = hook_order_limit ? 0 : find_call(pc);
    if (!hook_order_limit && call < shared->config.order_count)
        note(call, true, clean_order((unsigned)order));
}
