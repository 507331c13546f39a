/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes: the reader refuses them with a place, or what it read can be
 * ranked, written and read again to the same operations. */
#include "base/check.h"
#include "history/jsonl.h"
#include "history/order.h"
#include "history/value_text.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* Words of different pools are compared as text. */
static void check_same_value(const struct history *a, plumb_value x, const struct history *b, plumb_value y)
{
    struct text one = {0}, other = {0};
    value_print(&one, a->values, x);
    value_print(&other, b->values, y);
    CHECK(plumb_tag_of(x) == plumb_tag_of(y));
    CHECK(one.len == other.len && memcmp(one.data, other.data, one.len) == 0);
    text_free(&one);
    text_free(&other);
}

static void check_same_op(const struct history *a, const struct history *b, size_t i)
{
    const struct history_op *x = history_at(a, i), *y = history_at(b, i);
    CHECK(x->call == y->call && x->pending == y->pending && (x->pending || x->ret == y->ret));
    CHECK(x->thread == y->thread && x->op == y->op);
    CHECK(strcmp(a->op_names.data[x->op], b->op_names.data[y->op]) == 0);
    check_same_value(a, x->arg, b, y->arg);
    check_same_value(a, x->result, b, y->result);
    check_same_value(a, a->thread_names.data[x->thread], b, b->thread_names.data[y->thread]);
    CHECK(history_object_of(a, i) == history_object_of(b, i));
    check_same_value(a, a->object_names.data[history_object_of(a, i)], b,
                     b->object_names.data[history_object_of(b, i)]);
}

static void check_round_trip(const struct history *h)
{
    char *bytes = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&bytes, &length);
    CHECK(out);
    for (size_t i = 0; i < h->ops.len; i++)
        jsonl_write_op(out, h, i);
    fclose(out);
    struct history *again = history_create();
    struct diagnostic d = {0};
    CHECK(jsonl_read_memory(again, bytes, length, &d));
    CHECK(again->ops.len == h->ops.len && again->skipped_lines.len == 0);
    for (size_t i = 0; i < h->ops.len; i++)
        check_same_op(h, again, i);
    history_destroy(again);
    free(bytes);
}

static void check_ranks(const struct history *h)
{
    struct order o;
    struct diagnostic d = {0};
    if (!order_rank(h, &o, &d)) {
        CHECK(d.code == PL_TWO_OPEN && d.line >= 1);
        return;
    }
    for (uint32_t i = 0; i < o.count; i++) {
        CHECK(o.event[o.call[i]] == i << 1);
        CHECK(o.ret[i] == ORDER_NEVER || (o.ret[i] > o.call[i] && o.event[o.ret[i]] == (i << 1 | 1)));
    }
    order_free(&o);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct history *h = history_create();
    struct diagnostic d = {0};
    if (jsonl_read_memory(h, (const char *)bytes, length, &d)) {
        CHECK(d.code == 0 && h->ops.len);
        check_ranks(h);
        check_round_trip(h);
    } else {
        CHECK(d.code != 0 && d.message[0]);
        CHECK(d.code == PL_EMPTY_FILE || (d.line >= 1 && d.column >= 1 && d.column <= length + 1));
    }
    history_destroy(h);
    return 0;
}
