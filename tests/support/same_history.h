/* SPDX-License-Identifier: Apache-2.0 */
/* Do two histories have the same operations? As text, because words of different pools mean different values. */
#ifndef TESTS_SAME_HISTORY_H
#define TESTS_SAME_HISTORY_H

#include "history/order.h"
#include "history/value_text.h"

#include <stdio.h>
#include <string.h>

static inline int same_history_compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static inline void same_history_add(struct text *t, const struct history *h, plumb_value v)
{
    text_puts(t, " ");
    value_print(t, h->values, v);
}

/* Events of the other kind before position `to`: which of several calls in a row is first means nothing. */
static inline long long same_history_place(const struct order *o, uint32_t to)
{
    long long count = 0;
    bool returns = to != ORDER_NEVER && order_event_returns(o->event[to]);
    for (uint32_t e = 0; to != ORDER_NEVER && e < to; e++)
        count += order_event_returns(o->event[e]) != returns;
    return count;
}

/* An operation. `order` null: with stamps; else with what it precedes and follows. */
static inline char *same_history_line(const struct history *h, size_t i, const struct order *o)
{
    const struct history_op *op = history_at(h, i);
    struct text t = {0};
    long long call = o ? same_history_place(o, o->call[i]) : (long long)op->call;
    long long ret = op->pending ? -1 : o ? same_history_place(o, o->ret[i]) : (long long)op->ret;
    text_printf(&t, "%020lld %020lld %d %s", call, ret, op->pending, h->op_names.data[op->op]);
    same_history_add(&t, h, h->thread_names.data[op->thread]);
    same_history_add(&t, h, h->object_names.data[history_object_of(h, i)]);
    same_history_add(&t, h, op->arg);
    same_history_add(&t, h, op->result);
    return text_take(&t);
}

/* All operations, sorted; the caller frees the text. Null: not a history. */
static inline char *same_history_text(const struct history *h, bool ranked)
{
    struct order o;
    struct diagnostic d = {.code = 0};
    if (!order_rank(h, &o, &d))
        return NULL;
    char **lines = NEW_ARRAY(char *, h->ops.len + 1);
    struct text all = {0};
    for (size_t i = 0; i < h->ops.len; i++)
        lines[i] = same_history_line(h, i, ranked ? &o : NULL);
    qsort(lines, h->ops.len, sizeof *lines, same_history_compare);
    for (size_t i = 0; i < h->ops.len; i++) {
        text_puts(&all, lines[i]);
        text_puts(&all, "\n");
        free(lines[i]);
    }
    for (size_t i = 0; i < h->marks.len; i++) {
        if (!ranked)
            text_printf(&all, "mark %lld", (long long)h->marks.data[i].stamp);
        same_history_add(&all, h, h->marks.data[i].who);
        same_history_add(&all, h, h->marks.data[i].what);
        same_history_add(&all, h, h->marks.data[i].value);
        text_puts(&all, "\n");
    }
    free(lines);
    order_free(&o);
    return text_take(&all);
}

#endif
