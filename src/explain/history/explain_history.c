/* SPDX-License-Identifier: Apache-2.0 */
/* The whole history for pictures, or what surrounds the core of a long one. */
#include "base/check.h"
#include "explain/history/explain.h"
#include "history/order.h"
#include "history/value_text.h"

#include <string.h>

/* A browser draws more, but a file of that size is still pleasant to open. */
enum { PICTURE_OPS = 200000 };

struct picture {
    struct explanation *e;
    const struct pipeline_input *in;
    bool lines;
    struct order order;
    uint8_t *kept;        /* by operation */
    const char **threads; /* names, by thread */
};

static const char *label_op(struct picture *p, uint32_t id)
{
    const struct history *h = p->in->history;
    const struct history_op *op = history_at(h, id);
    uint32_t object = history_object_of(h, id);
    const struct plumb_operation *operation = &p->in->specs[object]->operations[op->op];
    struct text label = {0};
    if (h->object_names.len > 1 && h->object_names.data[object] != PLUMB_NONE) {
        value_print_short(&label, h->values, h->object_names.data[object]);
        text_puts(&label, ": ");
    }
    value_print_op(&label, h->values, operation->name, strlen(operation->args) > 1, op);
    return text_keep(&label, &p->e->arena);
}

static struct report_op draw_op(struct picture *p, uint32_t id)
{
    const struct history *h = p->in->history;
    const struct history_op *op = history_at(h, id);
    return (struct report_op){
        .id = id,
        .line = p->lines ? history_line(h, id) : 0,
        .thread = p->threads[op->thread],
        .thread_name = h->thread_names.data[op->thread],
        .call = op->call,
        .ret = op->ret,
        .pending = op->pending,
        .guilty = p->in->result.violation && id == p->in->result.violation->guilty,
        .label = label_op(p, id),
    };
}

/* Keeps the core, and as many others as there is room for on both sides of the guilty one; without a
 * violation, the first ones. */
static size_t choose_ops(struct picture *p)
{
    const struct monitor_violation *v = p->in->result.violation;
    const struct order *o = &p->order;
    size_t kept = 0;
    uint32_t middle = v ? o->call[v->guilty] : 0, left = middle, right = middle;
    for (size_t i = 0; v && i < v->core.len; i++)
        kept += !p->kept[v->core.data[i]], p->kept[v->core.data[i]] = 1;
    while (kept < PICTURE_OPS && (left > 0 || right < o->event_count)) {
        uint32_t at =
            left > 0 && (right >= o->event_count || middle - left <= right - middle) ? --left : right++;
        uint32_t op = order_event_op(o->event[at]);
        if (order_event_returns(o->event[at]))
            continue;
        kept += !p->kept[op];
        p->kept[op] = 1;
    }
    return kept;
}

static void name_threads(struct picture *p)
{
    const struct history *h = p->in->history;
    p->threads = arena_alloc(&p->e->arena, h->thread_names.len * sizeof *p->threads);
    for (size_t t = 0; t < h->thread_names.len; t++)
        p->threads[t] = explain_name(p->e, h, "T", h->thread_names.data[t]);
}

/* Those that are kept get positions without gaps. */
static void draw_ops(struct picture *p, struct report_history *out, size_t count)
{
    struct arena *arena = &p->e->arena;
    const struct order *o = &p->order;
    struct report_op *ops = arena_alloc(arena, count * sizeof *ops);
    uint32_t *call = arena_alloc(arena, count * sizeof *call), *ret = arena_alloc(arena, count * sizeof *ret);
    uint32_t *number = NEW_ARRAY(uint32_t, o->count), position = 0;
    for (uint32_t e = 0; e < o->event_count; e++) {
        uint32_t op = order_event_op(o->event[e]);
        if (!p->kept[op])
            continue;
        if (order_event_returns(o->event[e])) {
            ret[number[op]] = position++;
            continue;
        }
        number[op] = (uint32_t)out->count;
        ops[out->count] = draw_op(p, op);
        ret[out->count] = REPORT_NEVER;
        call[out->count++] = position++;
    }
    CHECK(out->count == count);
    free(number);
    out->ops = ops;
    out->call = call;
    out->ret = ret;
}

/* --- what happened beside the operations ----------------------------------------------------------- */

/* How many of the kept events come before `stamp`; `from` is where to go on, for stamps that ascend. */
struct walk {
    uint32_t event, position;
};

static uint32_t position_of(const struct picture *p, struct walk *w, int64_t stamp)
{
    const struct order *o = &p->order;
    for (; w->event < o->event_count; w->event++) {
        uint32_t op = order_event_op(o->event[w->event]);
        const struct history_op *at = history_at(p->in->history, op);
        if ((order_event_returns(o->event[w->event]) ? at->ret : at->call) >= stamp)
            break;
        w->position += p->kept[op];
    }
    return w->position;
}

/* Names that end what was going on, and begin nothing worth a band. */
static bool only_ends(const char *label)
{
    static const char *const words[] = {"stop", "heal", "end", "resume", "recover", "reset"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strncmp(label, words[i], strlen(words[i])))
            return true;
    return false;
}

/* Keywords of Clojure are kept as strings that begin with "~:". */
static const char *name_mark(struct picture *p, plumb_value name)
{
    const char *text = explain_name(p->e, p->in->history, "T", name);
    return strncmp(text, "~:", 2) ? text : text + 2;
}

static const char *label_mark(struct picture *p, const struct history_mark *m)
{
    struct text label = {0};
    text_printf(&label, "%s: %s", name_mark(p, m->who), name_mark(p, m->what));
    if (m->value != PLUMB_NONE && m->value != PLUMB_OK) {
        text_puts(&label, " ");
        value_print_short(&label, p->in->history->values, m->value);
    }
    return text_keep(&label, &p->e->arena);
}

/* A mark lasts until the next one of the process that left it, or to the end. */
static void draw_bands(struct picture *p, struct report_history *out)
{
    const struct history *h = p->in->history;
    struct walk w = {0};
    uint32_t *at = NEW_ARRAY(uint32_t, h->marks.len + 1);
    struct report_band *bands = arena_alloc(&p->e->arena, (h->marks.len + 1) * sizeof *bands);
    for (size_t i = 0; i < h->marks.len; i++)
        at[i] = position_of(p, &w, h->marks.data[i].stamp);
    uint32_t last = position_of(p, &w, INT64_MAX);
    for (size_t i = 0; i < h->marks.len; i++) {
        size_t next = i + 1;
        while (next < h->marks.len && h->marks.data[next].who != h->marks.data[i].who)
            next++;
        uint32_t to = next < h->marks.len ? at[next] : last;
        if (!only_ends(name_mark(p, h->marks.data[i].what)) && to > at[i])
            bands[out->band_count++] = (struct report_band){at[i], to, label_mark(p, &h->marks.data[i])};
    }
    out->bands = bands;
    free(at);
}

void explain_history(struct explanation *e, const struct pipeline_input *in, bool lines)
{
    struct picture p = {.e = e, .in = in, .lines = lines};
    struct diagnostic ignored = {0};
    CHECK(order_rank(in->history, &p.order, &ignored)); /* it was judged */
    p.kept = NEW_ZEROED(uint8_t, in->history->ops.len);
    name_threads(&p);
    size_t count = choose_ops(&p);
    e->history.left_out = in->history->ops.len - count;
    draw_ops(&p, &e->history, count);
    draw_bands(&p, &e->history);
    e->counterexample.history = &e->history;
    free(p.kept);
    order_free(&p.order);
}
