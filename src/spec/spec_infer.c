/* SPDX-License-Identifier: Apache-2.0 */
/* Which specification does an object follow? Every built-in one is a
 * candidate until an operation does not fit; one bit each. */
#include "base/check.h"
#include "spec/registry.h"
#include "spec/shape.h"

#include <string.h>

struct candidates {
    uint32_t by_name, by_shape;
};

/* Operation number of each (name of the history, specification), or UINT32_MAX. */
static uint32_t *infer_number_names(const struct history *h)
{
    uint32_t *numbers = NEW_ARRAY(uint32_t, h->op_names.len * spec_count);
    for (size_t i = 0; i < h->op_names.len; i++)
        for (unsigned s = 0; s < spec_count; s++)
            numbers[i * spec_count + s] = spec_operation(spec_all[s], h->op_names.data[i]);
    return numbers;
}

static void infer_narrow(struct candidates *c, const struct history *h, size_t i, const uint32_t *numbers)
{
    const struct history_op *op = &h->ops.data[i];
    for (uint32_t left = c->by_name; left; left &= left - 1) {
        unsigned s = (unsigned)__builtin_ctz(left);
        uint32_t number = numbers[op->op * spec_count + s];
        if (number == UINT32_MAX)
            c->by_name &= ~(1u << s);
        else if ((c->by_shape >> s & 1) && !shape_fits(h->values, &spec_all[s]->operations[number], op))
            c->by_shape &= ~(1u << s);
    }
    c->by_shape &= c->by_name;
}

static void infer_no_spec(const struct history *h, uint32_t object, struct diagnostic *d)
{
    struct text message = {0};
    text_puts(&message, "no specification has all of these operations:");
    bool *told = NEW_ZEROED(bool, h->op_names.len);
    for (size_t i = 0; i < h->ops.len; i++) {
        uint16_t name = h->ops.data[i].op;
        if (history_object_of(h, i) != object || told[name] || message.len > 400)
            continue;
        told[name] = true;
        text_puts(&message, " ");
        shape_print_name(&message, h->op_names.data[name]);
    }
    text_puts(&message, "; name one");
    diagnostic_set(d, PL_NO_SPEC, 0, 0, "%s", message.data);
    free(told);
    text_free(&message);
}

/* If the names fit but no shape does, the first by name: spec_bind then tells which line is wrong. */
static const struct plumb_spec *infer_choose(const struct history *h, uint32_t object, struct candidates c,
                                             struct diagnostic *d)
{
    uint32_t fitting = c.by_shape ? c.by_shape : c.by_name;
    if (fitting)
        return spec_all[__builtin_ctz(fitting)];
    infer_no_spec(h, object, d);
    return NULL;
}

static struct candidates infer_everything(void)
{
    CHECK(spec_count < 32);
    uint32_t all = (1u << spec_count) - 1;
    return (struct candidates){all, all};
}

const struct plumb_spec *spec_infer(const struct history *h, uint32_t object, struct diagnostic *d)
{
    struct candidates c = infer_everything();
    uint32_t *numbers = infer_number_names(h);
    for (size_t i = 0; i < h->ops.len; i++)
        if (history_object_of(h, i) == object)
            infer_narrow(&c, h, i, numbers);
    free(numbers);
    return infer_choose(h, object, c, d);
}

bool spec_infer_all(const struct history *h, const struct plumb_spec **specs, struct diagnostic *d)
{
    size_t objects = h->object_names.len ? h->object_names.len : 1;
    uint32_t *numbers = infer_number_names(h);
    struct candidates *c = NEW_ARRAY(struct candidates, objects);
    for (size_t o = 0; o < objects; o++)
        c[o] = infer_everything();
    for (size_t i = 0; i < h->ops.len; i++)
        infer_narrow(&c[history_object_of(h, i)], h, i, numbers);
    bool found = true;
    for (uint32_t o = 0; o < objects && found; o++)
        found = (specs[o] = infer_choose(h, o, c[o], d)) != NULL;
    free(c);
    free(numbers);
    return found;
}
