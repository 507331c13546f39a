/* SPDX-License-Identifier: Apache-2.0 */
/* States and places for readers. */
#include "promela/promela_code.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

static const char *const fault_texts[FAULT_KINDS] = {
    [FAULT_NONE] = "",
    [FAULT_INDEX] = "an index is out of range",
    [FAULT_DIVISION] = "division by zero",
    [FAULT_ASSERTION] = "the assertion is violated",
    [FAULT_BLOCKED] = "the d_step has to wait inside",
    [FAULT_ENDLESS] = "the atomic sequence never ends",
    [FAULT_LONG] = "the atomic sequence is too long for us",
    [FAULT_POINTS] = "two linearization points in one step",
};

/* Numbers beyond those of the places stand for faults there. */
struct refine_place promela_describe(const struct refine_system *system, uint32_t place)
{
    const struct promela_system *s = promela_of(system);
    uint32_t count = (uint32_t)s->model.places.len;
    if (count == 0 || place % count == 0)
        return (struct refine_place){0};
    const struct promela_written *w =
        place < count ? &s->model.places.data[place] : &s->faults.data[place - count];
    return (struct refine_place){.file = s->model.text.files.data[w->place.file].path,
                                 .line = w->place.line,
                                 .column = w->place.column,
                                 .text = w->text};
}

void promela_name_faults(struct promela_system *s)
{
    for (uint32_t kind = 1; kind < FAULT_KINDS; kind++) {
        for (size_t i = 0; i < s->model.places.len; i++) {
            struct promela_written w = s->model.places.data[i];
            struct text t = {0};
            text_printf(&t, "%s: %s", w.text, fault_texts[kind]);
            w.text = promela_intern(&s->model.text, t.data, t.len)->text;
            text_free(&t);
            vec_push(&s->faults, w);
        }
    }
}

static int32_t read_value(const struct promela_variable *v, const uint8_t *at)
{
    switch (promela_width(v)) {
    case 1: return at[0];
    case 2: return v->type == TYPE_SHORT ? (int16_t)(at[0] | at[1] << 8) : at[0] | at[1] << 8;
    default: return (int32_t)(at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24);
    }
}

static void print_value(const struct promela_system *s, const struct promela_variable *v, const uint8_t *at,
                        struct text *out)
{
    int32_t value = read_value(v, at);
    if (v->is_mtype && value >= 1 && (size_t)value <= s->model.mtypes.len)
        text_puts(out, s->model.mtypes.data[value - 1]->text);
    else
        text_printf(out, "%d", value);
}

static void print_variables(const struct promela_system *s, const struct promela_variable *list,
                            const uint8_t *base, const char *prefix, struct text *out);

static void print_element(const struct promela_system *s, const struct promela_variable *v, const uint8_t *at,
                          struct text *out)
{
    if (v->type == TYPE_STRUCT) {
        text_puts(out, "{");
        print_variables(s, v->record->fields, at, "", out);
        text_puts(out, "}");
    } else {
        print_value(s, v, at, out);
    }
}

static void print_variables(const struct promela_system *s, const struct promela_variable *list,
                            const uint8_t *base, const char *prefix, struct text *out)
{
    const char *separator = prefix;
    for (const struct promela_variable *v = list; v; v = v->next, separator = ", ") {
        text_printf(out, "%s%s = ", separator, v->name->text);
        for (uint32_t i = 0; i < v->count; i++) {
            text_puts(out, i ? " " : v->is_array ? "[" : "");
            print_element(s, v, base + v->offset + i * promela_width(v), out);
        }
        text_puts(out, v->is_array ? "]" : "");
    }
}

size_t promela_print(const struct refine_system *system, const uint8_t *state, char *buffer, size_t size)
{
    const struct promela_system *s = promela_of(system);
    OWNED struct text out = {0};
    print_variables(s, s->model.globals, state, "", &out);
    for (size_t i = 0; i < s->processes.len; i++) {
        const struct promela_process *p = &s->processes.data[i];
        if (!p->type->variables || !promela_stand(s, p, state))
            continue;
        text_printf(&out, "%s%s %u: ", out.len ? "; " : "", p->name, p->number);
        print_variables(s, p->type->variables, state + p->offset + s->place_width, "", &out);
    }
    size_t length = out.len;
    snprintf(buffer, size, "%s", out.data ? out.data : "");
    return length;
}

/* --- what a step changed -------------------------------------------------------------------------- */

struct difference {
    const struct promela_system *s;
    const uint8_t *before, *after;
    struct text *out;
};

static void add_differences(const struct difference *d, const struct promela_variable *v, size_t at,
                            const char *prefix)
{
    for (uint32_t i = 0; i < v->count; i++, at += promela_width(v)) {
        if (!memcmp(d->before + at, d->after + at, promela_width(v)))
            continue;
        struct text name = {0};
        text_printf(&name, "%s%s", prefix, v->name->text);
        if (v->is_array)
            text_printf(&name, "[%u]", i);
        if (v->type == TYPE_STRUCT) {
            text_puts(&name, ".");
            for (const struct promela_variable *f = v->record->fields; f; f = f->next)
                add_differences(d, f, at + f->offset, name.data);
        } else {
            text_printf(d->out, "%s%s = ", d->out->len ? ", " : "", name.data);
            print_value(d->s, v, d->after + at, d->out);
        }
        text_free(&name);
    }
}

/* Where the process stands: what is never read again was set to 0 by us. */
static const uint64_t *live_at(const struct promela_system *s, const struct promela_process *p,
                               uint32_t stand)
{
    for (size_t i = 0; i < s->graphs.len; i++) {
        const struct promela_graph *g = &s->graphs.data[i];
        for (size_t n = 0; g->type == p->type && n < g->nodes.len; n++)
            if (g->nodes.data[n].is_reachable && g->nodes.data[n].number == stand)
                return g->nodes.data[n].live;
    }
    return NULL;
}

static void add_process_differences(const struct difference *d, const struct promela_process *p)
{
    const uint64_t *live = live_at(d->s, p, promela_stand(d->s, p, d->after));
    for (const struct promela_variable *v = p->type->variables; v && live; v = v->next)
        if (live[v->number / 64] >> v->number % 64 & 1)
            add_differences(d, v, p->offset + d->s->place_width + v->offset, "");
}

size_t promela_changes(const struct refine_system *system, const uint8_t *before, const uint8_t *after,
                       char *buffer, size_t size)
{
    OWNED struct text out = {0};
    struct difference d = {promela_of(system), before, after, &out};
    for (const struct promela_variable *v = d.s->model.globals; v; v = v->next)
        add_differences(&d, v, v->offset, "");
    for (size_t i = 0; i < d.s->processes.len; i++)
        add_process_differences(&d, &d.s->processes.data[i]);
    size_t length = out.len;
    snprintf(buffer, size, "%s", out.data ? out.data : "");
    return length;
}
