/* SPDX-License-Identifier: Apache-2.0 */
/* Ties operations of a history to those of specifications. */
#include "spec/aliases.h"
#include "spec/registry.h"
#include "spec/shape.h"

#include <string.h>

/* What one name of the history means in a specification. */
struct bind_name {
    struct shape shape;
    uint32_t number; /* UINT32_MAX: no such operation */
    bool takes_nothing;
    bool null_is_ok; /* a result null stands for "ok" */
    bool true_is_ok;
};

/* By the history's numbers of names. */
struct bind_table {
    const struct plumb_spec *spec;
    struct bind_name *names;
};

typedef VEC(struct bind_table) bind_tables;

static struct bind_name bind_resolve(const struct plumb_spec *spec, const char *name)
{
    uint32_t number = spec_operation_meant(spec, name);
    if (number == UINT32_MAX)
        return (struct bind_name){.number = number};
    const struct plumb_operation *o = &spec->operations[number];
    return (struct bind_name){.shape = shape_of(o),
                              .number = number,
                              .takes_nothing = !o->args[0],
                              .true_is_ok = shape_true_is_ok(o),
                              .null_is_ok = strchr(o->results, 'k') && !strpbrk(o->results, "vN")};
}

static const struct bind_table *bind_table_of(bind_tables *tables, const struct history *h,
                                              const struct plumb_spec *spec)
{
    for (size_t i = 0; i < tables->len; i++)
        if (tables->data[i].spec == spec)
            return &tables->data[i];
    struct bind_table table = {spec, NEW_ARRAY(struct bind_name, h->op_names.len)};
    for (size_t i = 0; i < h->op_names.len; i++)
        table.names[i] = bind_resolve(spec, h->op_names.data[i]);
    vec_push(tables, table);
    return &vec_last(tables);
}

static void bind_free(bind_tables *tables)
{
    for (size_t i = 0; i < tables->len; i++)
        free(tables->data[i].names);
    vec_free(tables);
}

static __attribute__((cold)) bool bind_unknown(const struct history *h, size_t i,
                                               const struct plumb_spec *spec, struct diagnostic *d)
{
    OWNED struct text message = {0};
    text_printf(&message, "%s has no operation '", spec->name);
    const char *name = h->op_names.data[history_get(h, i).op];
    shape_print_name(&message, name);
    const char *nearest = spec_nearest_operation(spec, name);
    OWNED struct text meant = {0};
    if (spec_alias_is_ambiguous(spec, name, &meant))
        text_printf(&message, "', which may mean %s; it has ", meant.data);
    else if (nearest)
        text_printf(&message, "', did you mean '%s'? It has ", nearest);
    else
        text_puts(&message, "'; it has ");
    spec_list_operations(spec, &message);
    diagnostic_set(d, PL_UNKNOWN_OPERATION, history_line(h, i), 1, "%s", message.data);
    return false;
}

static __attribute__((cold)) bool bind_misfit(const struct history *h, size_t i, const struct shape *shape,
                                              const struct plumb_spec *spec, struct diagnostic *d)
{
    OWNED struct text message = {0};
    shape_explain(&message, shape, h->values, history_at(h, i));
    if (history_get(h, i).result == PLUMB_FALSE && shape_true_is_ok(shape->operation) &&
        spec_can_be_full(spec))
        text_printf(&message, "; if false means that it was full, with room for N, it is a %s(cap=N)",
                    spec->name);
    diagnostic_set(d, PL_BAD_ARGUMENT, history_line(h, i), 1, "%s", message.data);
    return false;
}

static inline __attribute__((always_inline)) bool bind_op(struct history *h, size_t i,
                                                          const struct bind_table *table,
                                                          struct diagnostic *d)
{
    struct history_op *op = history_change(h, i);
    const struct bind_name *name = &table->names[op->op];
    if (name->number == UINT32_MAX)
        return bind_unknown(h, i, table->spec, d);
    if (name->true_is_ok && op->result == PLUMB_TRUE)
        op->result = PLUMB_OK;
    if (!shape_fits(&name->shape, h->values, op))
        return bind_misfit(h, i, &name->shape, table->spec, d);
    if (name->takes_nothing)
        op->arg = PLUMB_OK;
    if (name->null_is_ok && op->result == PLUMB_NONE)
        op->result = PLUMB_OK;
    op->op = (uint16_t)name->number;
    return true;
}

bool spec_bind(struct history *h, const struct plumb_spec *const *specs, struct diagnostic *d)
{
    bind_tables tables = {0};
    const struct bind_table *table = NULL;
    bool bound = true;
    for (size_t i = 0; i < h->ops.len && bound; i++) {
        const struct plumb_spec *spec = specs[history_object_of(h, i)];
        if (!table || table->spec != spec)
            table = bind_table_of(&tables, h, spec);
        bound = bind_op(h, i, table, d);
    }
    bind_free(&tables);
    return bound;
}

struct spec_binder {
    const struct history *names;
    size_t name_count; /* that the tables know */
    bind_tables tables;
};

struct spec_binder *spec_binder_create(const struct history *names)
{
    struct spec_binder *b = NEW(struct spec_binder);
    b->names = names;
    return b;
}

void spec_binder_destroy(struct spec_binder *b)
{
    bind_free(&b->tables);
    free(b);
}

bool spec_binder_bind(struct spec_binder *b, const struct plumb_spec *spec, struct history_op *op,
                      uint64_t line, struct diagnostic *d)
{
    if (b->name_count != b->names->op_names.len)
        bind_free(&b->tables);
    b->name_count = b->names->op_names.len;
    struct history one = *b->names; /* its tables, and this operation */
    one.ops = rows_of(op, 1);
    one.lines.data = &line;
    one.lines.len = 1;
    return bind_op(&one, 0, bind_table_of(&b->tables, &one, spec), d);
}
