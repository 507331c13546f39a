/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/stream/stream_part.h"

#include "history/value_text.h"
#include "spec/registry.h"

#include <string.h>

enum { STATES_MOST = 256 };

/* ---- starting in the middle ---- */

static void *resume(const struct plumb_spec *spec, const struct plumb_spec_options *options)
{
    (void)options;
    const struct stream_resumed *r = (const struct stream_resumed *)spec;
    return spec->clone(r->state);
}

struct plumb_spec stream_resume(const struct plumb_spec *spec)
{
    struct plumb_spec resumed = *spec;
    resumed.init = NULL;
    resumed.init_of = resume;
    return resumed;
}

/* ---- containers ---- */

bool stream_part_counts(const struct stream_part *p)
{
    return !p->removed_unknown && spec_is_container(p->spec);
}

int stream_part_growth(const struct stream_part *p, const struct history_op *op)
{
    if (!spec_is_container(p->spec))
        return 0;
    switch (p->spec->operations[op->op].role) {
    case PLUMB_ADDS: return 1;
    case PLUMB_REMOVES: return op->result != PLUMB_NONE ? -1 : 0;
    default: return 0;
    }
}

/* ---- operations ---- */

void stream_part_call(struct stream_part *p, const struct history_op *op, uint64_t line)
{
    vec_push(&p->ops, *op);
    vec_push(&p->lines, line);
    vec_push(&p->empty_from, INT64_MIN);
}

void stream_part_return(struct stream_part *p, uint32_t index, const struct history_op *op)
{
    struct history_op *mine = &p->ops.data[index];
    int growth = stream_part_growth(p, op);
    *mine = *op;
    if (op->result == PLUMB_NONE && p->empty_from.data[index] > op->call)
        mine->call = p->empty_from.data[index];
    p->size += growth;
    p->last_return = op->ret;
    p->removed_unknown += growth < 0 && op->result == PLUMB_ANY;
}

void stream_part_print_loss(const struct stream_part *p, const struct history *names, struct text *out)
{
    plumb_value name = names->object_names.data[p->object];
    text_puts(out, "the object");
    if (name != PLUMB_NONE) {
        text_puts(out, " ");
        value_print_short(out, names->values, name);
    }
    if (p->key != PLUMB_OK) {
        text_puts(out, ", key ");
        value_print_short(out, names->values, p->key);
    }
    if (stream_part_counts(p))
        text_printf(out, " has %zu operations that cannot be forgotten", p->ops.len);
    else
        text_printf(out, " was not at rest for %zu operations", p->ops.len);
}

/* ---- judging ---- */

struct history stream_part_history(const struct stream_part *p, const struct history *names)
{
    struct history h = {.values = names->values};
    h.ops = rows_of(p->ops.data, p->ops.len);
    h.lines.data = p->lines.data;
    h.lines.len = p->lines.len;
    h.thread_names.data = names->thread_names.data;
    h.thread_names.len = names->thread_names.len;
    h.object_names.data = names->object_names.data + p->object;
    h.object_names.len = 1;
    return h;
}

static enum verdict judge_from(const struct stream_part *p, const struct history *h,
                               const struct plumb_spec_options *options, struct budget *budget,
                               const void *state, struct monitor_result *out)
{
    struct stream_resumed resumed = {stream_resume(p->spec), state};
    const struct plumb_spec *spec = state ? &resumed.spec : p->spec;
    struct monitor_settings settings = {.options = options, .specs = &spec, .budget = budget};
    struct diagnostic d = {0};
    if (!monitor_history(h, &settings, out, &d)) {
        monitor_result_free(out); /* the stream has checked what could be wrong with it */
        *out = (struct monitor_result){.verdict = VERDICT_INCONCLUSIVE,
                                       .limit = base_strndup(d.message, strlen(d.message))};
    }
    return out->verdict;
}

enum verdict stream_part_judge(const struct stream_part *p, const struct history *names,
                               const struct plumb_spec_options *options, struct budget *budget,
                               const void **which, struct monitor_result *out)
{
    struct history h = stream_part_history(p, names);
    *which = NULL;
    if (!p->states.len)
        return judge_from(p, &h, options, budget, NULL, out);
    for (size_t k = 0; k < p->states.len; k++) {
        struct monitor_result one;
        enum verdict verdict = judge_from(p, &h, options, budget, p->states.data[k], &one);
        if (k && out->verdict == VERDICT_INCONCLUSIVE && verdict != VERDICT_HOLDS) {
            monitor_result_free(&one);
            continue;
        }
        if (k)
            monitor_result_free(out);
        *out = one;
        *which = p->states.data[k];
        if (verdict == VERDICT_HOLDS)
            break;
    }
    return out->verdict;
}

/* ---- cuts ---- */

/* Moves what is new from `from` to `to`. */
static void merge_states(const struct plumb_spec *spec, struct state_list *to, struct state_list *from)
{
    for (size_t k = 0; k < from->len; k++) {
        bool known = false;
        for (size_t i = 0; i < to->len && !known; i++)
            known = spec->equal(to->data[i], from->data[k]);
        if (known)
            spec->destroy(from->data[k]);
        else
            vec_push(to, from->data[k]);
    }
    vec_free(from);
}

bool stream_part_ends(const struct stream_part *p, const struct history *names,
                      const struct plumb_spec_options *options, struct budget *budget,
                      struct state_list *ends)
{
    struct history h = stream_part_history(p, names);
    struct part part = {.spec = p->spec, .options = options, .history = &h};
    struct diagnostic d;
    bool fine = order_rank(&h, &part.order, &d);
    for (size_t k = 0; fine && k < (p->states.len ? p->states.len : 1); k++) {
        struct state_list more = {0};
        fine = search_final_states(&part, p->states.len ? p->states.data[k] : NULL, budget, &more);
        merge_states(p->spec, ends, &more);
        fine = fine && ends->len <= STATES_MOST;
    }
    order_free(&part.order);
    if (!fine)
        state_list_free(p->spec, ends);
    return fine;
}

static bool is_initial(const struct plumb_spec *spec, const struct plumb_spec_options *options,
                       const void *state)
{
    void *initial = spec_init(spec, options);
    bool same = spec->equal(initial, state);
    spec->destroy(initial);
    return same;
}

void stream_part_cut(struct stream_part *p, const struct plumb_spec_options *options,
                     struct state_list states)
{
    state_list_free(p->spec, &p->states);
    if (states.len == 1 && is_initial(p->spec, options, states.data[0]))
        state_list_free(p->spec, &states);
    p->states = states;
    p->settled += p->ops.len;
    vec_clear(&p->ops);
    vec_clear(&p->lines);
    vec_clear(&p->empty_from);
    p->check_at = p->cut_at = 0;
}

void stream_part_free(struct stream_part *p)
{
    if (p->spec)
        state_list_free(p->spec, &p->states);
    vec_free(&p->ops);
    vec_free(&p->lines);
    vec_free(&p->empty_from);
}
