/* SPDX-License-Identifier: Apache-2.0 */
/* One history, which need not be serial, in the form of the file: Line-Up's report of a violation (figure 7, bottom). */
#include "history/order.h"
#include "spec/serial/observations.h"

#include <string.h>

/* Operations by thread and call get the numbers 1, 2, ... */
struct numbering {
    const struct history *h;
    const struct order *order;
    uint32_t *number; /* by operation of the history */
    uint32_t count;
};

static int64_t thread_name(const struct history *h, uint32_t thread)
{
    return plumb_int_of(h->values, h->thread_names.data[thread]);
}

/* The thread with the smallest name above `last`, or UINT32_MAX. */
static uint32_t next_thread(const struct history *h, int64_t last)
{
    uint32_t next = UINT32_MAX;
    for (uint32_t t = 0; t < h->thread_names.len; t++)
        if (thread_name(h, t) > last && (next == UINT32_MAX || thread_name(h, t) < thread_name(h, next)))
            next = t;
    return next;
}

/* Gives the operations of the thread their numbers and prints both. */
static void add_thread(struct numbering *n, uint32_t thread, const char *indent, struct text *threads,
                       struct text *ops)
{
    const struct history *h = n->h;
    const char *space = "";
    text_printf(threads, "%s<thread id=\"", indent);
    observations_add_thread_name(threads, (uint32_t)thread_name(h, thread));
    text_puts(threads, "\">");
    for (uint32_t e = 0; e < n->order->event_count; e++) {
        uint32_t i = order_event_op(n->order->event[e]);
        const struct history_op *op = history_at(h, i);
        if (order_event_returns(n->order->event[e]) || op->thread != thread)
            continue;
        n->number[i] = ++n->count;
        text_printf(threads, "%s%u%s", space, n->number[i], op->pending ? "B" : "");
        struct serial_op entry = {h->op_names.data[op->op], op->arg};
        text_puts(ops, indent);
        observations_add_op(ops, h->values, n->number[i], &entry, op->pending ? PLUMB_ANY : op->result);
        space = " ";
    }
    text_puts(threads, "</thread>\n");
}

static void add_events(struct text *out, const struct numbering *n)
{
    bool stuck = false;
    for (uint32_t e = 0; e < n->order->event_count; e++) {
        uint32_t i = order_event_op(n->order->event[e]);
        const char *space = e ? " " : "";
        if (order_event_returns(n->order->event[e]))
            text_printf(out, "%s]%u", space, n->number[i]);
        else
            text_printf(out, "%s%u[", space, n->number[i]);
        stuck |= history_get(n->h, i).pending;
    }
    text_puts(out, stuck ? " #" : "");
}

static const char set_end[] = "</observationset>\n";

bool observations_add_violation(struct text *file, const struct text *history)
{
    size_t length = strlen(set_end);
    if (file->len < length || memcmp(file->data + file->len - length, set_end, length) != 0)
        return false;
    file->len -= length;
    text_printf(file, "  <violation>\n%s  </violation>\n%s", history->data, set_end);
    return true;
}

bool observations_add_history(struct text *out, const struct history *h, const char *indent,
                              struct diagnostic *d)
{
    struct order order;
    struct text ops = {0};
    if (!order_rank(h, &order, d))
        return false;
    struct numbering n = {.h = h, .order = &order, .number = NEW_ZEROED(uint32_t, h->ops.len + 1)};
    for (uint32_t t = next_thread(h, -1); t != UINT32_MAX; t = next_thread(h, thread_name(h, t)))
        add_thread(&n, t, indent, out, &ops);
    text_add(out, ops.data, ops.len);
    text_printf(out, "%s<history>", indent);
    add_events(out, &n);
    text_puts(out, "</history>\n");
    text_free(&ops);
    free(n.number);
    order_free(&order);
    return true;
}
