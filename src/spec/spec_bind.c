/* SPDX-License-Identifier: Apache-2.0 */
/* Ties operations of a history to those of specifications. */
#include "spec/registry.h"
#include "spec/shape.h"

#include <string.h>

/* Operation numbers of one specification by the history's numbers of names. */
struct bind_names {
    const struct plumb_spec *spec;
    uint32_t *numbers;
};

typedef VEC(struct bind_names) bind_cache;

static const uint32_t *bind_numbers(bind_cache *cache, const struct history *h, const struct plumb_spec *spec)
{
    for (size_t i = 0; i < cache->len; i++)
        if (cache->data[i].spec == spec)
            return cache->data[i].numbers;
    struct bind_names names = {spec, NEW_ARRAY(uint32_t, h->op_names.len)};
    for (size_t i = 0; i < h->op_names.len; i++)
        names.numbers[i] = spec_operation(spec, h->op_names.data[i]);
    vec_push(cache, names);
    return names.numbers;
}

static void bind_free(bind_cache *cache)
{
    for (size_t i = 0; i < cache->len; i++)
        free(cache->data[i].numbers);
    vec_free(cache);
}

static bool bind_unknown(const struct history *h, size_t i, const struct plumb_spec *spec,
                         struct diagnostic *d)
{
    struct text message = {0};
    text_printf(&message, "%s has no operation '", spec->name);
    shape_print_name(&message, h->op_names.data[h->ops.data[i].op]);
    text_puts(&message, "'; it has ");
    for (uint32_t o = 0; o < spec->operation_count; o++)
        text_printf(&message, "%s%s", o ? ", " : "", spec->operations[o].name);
    diagnostic_set(d, PL_UNKNOWN_OPERATION, history_line(h, i), 1, "%s", message.data);
    text_free(&message);
    return false;
}

static bool bind_misfit(const struct history *h, size_t i, const struct plumb_operation *o,
                        struct diagnostic *d)
{
    struct text message = {0};
    shape_explain(&message, h->values, o, &h->ops.data[i]);
    diagnostic_set(d, PL_BAD_ARGUMENT, history_line(h, i), 1, "%s", message.data);
    text_free(&message);
    return false;
}

/* Null stands for "nothing" where nothing is what the operation takes or gives. */
static void bind_normalise(struct history_op *op, const struct plumb_operation *o)
{
    if (!o->args[0])
        op->arg = PLUMB_OK;
    if (op->result == PLUMB_NONE && strchr(o->results, 'k') && !strpbrk(o->results, "vN"))
        op->result = PLUMB_OK;
}

static bool bind_op(struct history *h, size_t i, const struct plumb_spec *spec, const uint32_t *numbers,
                    struct diagnostic *d)
{
    struct history_op *op = &h->ops.data[i];
    uint32_t number = numbers[op->op];
    if (number == UINT32_MAX)
        return bind_unknown(h, i, spec, d);
    const struct plumb_operation *o = &spec->operations[number];
    if (!shape_fits(h->values, o, op))
        return bind_misfit(h, i, o, d);
    bind_normalise(op, o);
    op->op = (uint16_t)number;
    return true;
}

bool spec_bind(struct history *h, const struct plumb_spec *const *specs, struct diagnostic *d)
{
    bind_cache cache = {0};
    bool bound = true;
    for (size_t i = 0; i < h->ops.len && bound; i++) {
        const struct plumb_spec *spec = specs[history_object_of(h, i)];
        bound = bind_op(h, i, spec, bind_numbers(&cache, h, spec), d);
    }
    bind_free(&cache);
    return bound;
}
