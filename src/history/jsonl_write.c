/* SPDX-License-Identifier: Apache-2.0 */
#include "history/jsonl.h"

#include "history/value_text.h"

#include <string.h>

static void write_value(struct text *t, const struct history *h, const char *name, plumb_value v)
{
    text_puts(t, name);
    value_print(t, h->values, v);
}

static void write_stamp(struct text *t, const char *name, int64_t stamp)
{
    text_puts(t, name);
    value_print_int(t, stamp);
}

void jsonl_write_op(FILE *out, const struct history *h, size_t index)
{
    const struct history_op *op = history_at(h, index);
    plumb_value object = h->object_names.data[history_object_of(h, index)];
    const char *name = h->op_names.data[op->op];
    struct text t = {0};
    write_value(&t, h, "{\"thread\":", h->thread_names.data[op->thread]);
    if (object != PLUMB_NONE)
        write_value(&t, h, ",\"object\":", object);
    text_puts(&t, ",\"op\":");
    value_print_string(&t, name, strlen(name));
    if (op->arg != PLUMB_OK)
        write_value(&t, h, ",\"arg\":", op->arg);
    if (!op->pending && op->result != PLUMB_OK)
        write_value(&t, h, ",\"result\":", op->result);
    write_stamp(&t, ",\"call\":", op->call);
    if (!op->pending)
        write_stamp(&t, ",\"return\":", op->ret);
    text_puts(&t, "}\n");
    fwrite(t.data, 1, t.len, out);
    text_free(&t);
}
