/* SPDX-License-Identifier: Apache-2.0 */
/* The calls and returns of a history one after the other, for formats that have events. */
#ifndef FORMATS_EVENT_LIST_H
#define FORMATS_EVENT_LIST_H

#include "history/history.h"

struct event_list {
    uint32_t *event; /* operation << 1 | is_return */
    size_t count;
};

/* By stamp, and inside a thread in program order. What overlaps only because stamps are equal is expressed by
 * the stamps, not by the order. False: the history is none (two operations of a thread are open at once). */
bool event_list_by_stamp(const struct history *h, struct event_list *out, struct diagnostic *d);

/* So that the order alone says which operations precede which. False also when no order does. */
bool event_list_by_rank(const struct history *h, struct event_list *out, struct diagnostic *d);

void event_list_free(struct event_list *l);

/* Are the stamps just the places in the list? */
bool event_list_is_ranked(const struct event_list *l, const struct history *h);

static inline int64_t event_list_stamp(const struct event_list *l, const struct history *h, size_t i)
{
    return history_event_stamp(h, l->event[i]);
}

#endif
