/* SPDX-License-Identifier: Apache-2.0 */
/* Which specification does an object follow? Every built-in one is a
 * candidate until an operation does not fit; one bit each. */
#include "base/check.h"
#include "spec/aliases.h"
#include "spec/registry.h"
#include "spec/shape.h"

#include <string.h>

/* The basic ones first: what these explain needs no other. */
static const struct plumb_spec *candidate(unsigned number)
{
    return number < spec_count ? spec_all[number] : spec_extensions[number - spec_count];
}

static unsigned candidate_count(void)
{
    return spec_count + spec_extension_count;
}

struct candidates {
    uint32_t by_name, by_shape;
};

/* The specifications that have an operation of one name, accept each class of arguments for it, and
 * each class of results. */
struct infer_name {
    uint32_t known;
    uint32_t by_arg[SHAPE_ARG_CLASSES];
    uint32_t by_result[SHAPE_CLASSES];
};

static void infer_add_spec(struct infer_name *name, unsigned s, const struct plumb_operation *o)
{
    struct shape shape = shape_of(o);
    CHECK(!shape.deep ||
          shape.transaction); /* of no other built-in operation; spec_bind looks closer at these */
    name->known |= 1u << s;
    for (unsigned class = 0; class < SHAPE_ARG_CLASSES; class ++)
        name->by_arg[class] |= (uint32_t)(shape.args >> class & 1) << s;
    for (unsigned class = 0; class < SHAPE_CLASSES; class ++)
        name->by_result[class] |= (uint32_t)(shape.results >> class & 1) << s;
}

typedef uint32_t find_operation(const struct plumb_spec *spec, const char *name);

static struct infer_name *infer_name_table(const struct history *h, find_operation *find)
{
    CHECK(candidate_count() < 32);
    struct infer_name *names = NEW_ZEROED(struct infer_name, h->op_names.len);
    for (size_t i = 0; i < h->op_names.len; i++)
        for (unsigned s = 0; s < candidate_count(); s++) {
            uint32_t number = find(candidate(s), h->op_names.data[i]);
            if (number != UINT32_MAX)
                infer_add_spec(&names[i], s, &candidate(s)->operations[number]);
        }
    return names;
}

static void infer_narrow(struct candidates *c, const struct history *h, size_t i,
                         const struct infer_name *names)
{
    const struct history_op *op = history_at(h, i);
    const struct infer_name *name = &names[op->op];
    c->by_name &= name->known;
    c->by_shape &= name->by_arg[shape_arg_class(h->values, op->arg)] &
                   name->by_result[shape_result_class(h->values, op)];
}

/* By its other half. */
static bool is_listed_already(uint32_t meant, unsigned s)
{
    for (unsigned k = 0; s >= spec_count && k < spec_count; k++)
        if ((meant >> k & 1) && spec_all[k]->operations == candidate(s)->operations)
            return true;
    return false;
}

/* "--spec queue (enq, deq, peek)" */
static void add_spec(struct text *out, unsigned s)
{
    text_printf(out, "--spec %s (", candidate(s)->name);
    spec_list_operations(candidate(s), out);
    text_puts(out, ")");
}

/* "; --spec queue (enq, deq) or --spec stack (push, pop) takes them under other names" */
static void add_meant(struct text *out, uint32_t meant)
{
    for (unsigned s = 0, listed = 0; s < candidate_count(); s++)
        if ((meant >> s & 1) && !is_listed_already(meant, s)) {
            text_puts(out, listed++ ? " or " : "; ");
            add_spec(out, s);
        }
    text_puts(out, " takes them under other names");
}

/* The specification that has most of the listed operations, perhaps under other names. */
static void add_nearest(struct text *out, const struct history *h, const bool *listed)
{
    unsigned best = 0, most = 0;
    for (unsigned s = 0; s < candidate_count(); s++) {
        unsigned known = 0;
        for (size_t i = 0; i < h->op_names.len; i++)
            if (listed[i])
                known += 2 * (spec_operation_meant(candidate(s), h->op_names.data[i]) != UINT32_MAX) +
                         (spec_operation(candidate(s), h->op_names.data[i]) != UINT32_MAX);
        if (known > most) {
            most = known;
            best = s;
        }
    }
    text_puts(out, most ? "; the nearest is " : "; name one with --spec ('plumb specs' lists them)");
    if (most)
        add_spec(out, best);
}

static void infer_no_spec(const struct history *h, uint32_t object, uint32_t meant, struct diagnostic *d)
{
    OWNED struct text message = {0};
    text_puts(&message, "no specification has all of these operations:");
    OWNED bool *listed = NEW_ZEROED(bool, h->op_names.len);
    for (size_t i = 0; i < h->ops.len; i++) {
        uint16_t name = history_get(h, i).op;
        if (history_object_of(h, i) != object || listed[name] || message.len > 200)
            continue;
        listed[name] = true;
        text_puts(&message, " ");
        shape_print_name(&message, h->op_names.data[name]);
        const char *nearest = meant ? NULL : spec_nearest_operation(NULL, h->op_names.data[name]);
        if (nearest)
            text_printf(&message, " (did you mean %s?)", nearest);
    }
    if (meant)
        add_meant(&message, meant);
    else
        add_nearest(&message, h, listed);
    diagnostic_set(d, PL_NO_SPEC, 0, 0, "%s", message.data);
}

/* If the names fit but no shape does, the first by name: spec_bind then says which line is wrong. */
static const struct plumb_spec *infer_choose(const struct history *h, uint32_t object,
                                             struct candidates exact, struct candidates meant,
                                             struct diagnostic *d)
{
    uint32_t fitting = exact.by_shape ? exact.by_shape : exact.by_name;
    if (fitting)
        return candidate((unsigned)__builtin_ctz(fitting));
    infer_no_spec(h, object, meant.by_shape ? meant.by_shape : meant.by_name, d);
    return NULL;
}

/* The candidates of each object; the caller's. */
static struct candidates *infer_candidates(const struct history *h, size_t objects, find_operation *find)
{
    OWNED struct infer_name *names = infer_name_table(h, find);
    struct candidates *c = NEW_ARRAY(struct candidates, objects);
    for (size_t o = 0; o < objects; o++)
        c[o].by_name = c[o].by_shape = (1u << candidate_count()) - 1;
    for (size_t i = 0; i < h->ops.len; i++)
        infer_narrow(&c[history_object_of(h, i)], h, i, names);
    return c;
}

bool spec_infer_all(const struct history *h, const struct plumb_spec **specs, struct diagnostic *d)
{
    size_t objects = h->object_names.len ? h->object_names.len : 1;
    OWNED struct candidates *exact = infer_candidates(h, objects, spec_operation);
    OWNED struct candidates *meant = infer_candidates(h, objects, spec_operation_meant);
    bool found = true;
    for (uint32_t o = 0; o < objects && found; o++)
        found = (specs[o] = infer_choose(h, o, exact[o], meant[o], d)) != NULL;
    return found;
}
