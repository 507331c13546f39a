/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/monitor.h"
#include "monitor/part.h"
#include "monitor/quasi/quasi.h"

uint32_t monitor_quasi_least(const struct history *h, const struct monitor_settings *settings)
{
    struct diagnostic ignored = {0};
    struct part whole = {.spec = settings->specs[0], .options = settings->options, .history = h};
    uint32_t objects = (uint32_t)h->object_names.len, least = 0;
    if (!order_rank(h, &whole.order, &ignored))
        return 0;
    if (!h->objects.len) {
        least = quasi_lower_bound(&whole);
    } else {
        struct partition split;
        partition_split(&split, &whole, h->objects.data, objects);
        for (uint32_t k = 0; k < objects; k++) {
            struct part object = partition_get(&split, k);
            object.spec = settings->specs[k];
            uint32_t bound = object.order.count ? quasi_lower_bound(&object) : 0;
            least = bound > least ? bound : least;
        }
        partition_free(&split);
    }
    order_free(&whole.order);
    return least;
}
