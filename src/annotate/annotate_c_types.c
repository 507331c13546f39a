/* SPDX-License-Identifier: Apache-2.0 */
/* C: types of parameters and results, as variables outside of the function have them. */
#include "annotate/annotate_c_types.h"

#include <string.h>

static const char *type_text(struct unit *u, size_t begin, size_t end)
{
    static const char *const dropped[] = {"static",     "extern",        "inline",   "__inline", "__inline__",
                                          "_Noreturn",  "__extension__", "register", "auto",     "restrict",
                                          "__restrict", "__restrict__",  NULL};
    return unit_type_text(u, begin, end, dropped);
}

/* "int a[3][4]": [4]. */
static size_t inner_brackets(const struct unit *u, const struct parameter *p)
{
    return unit_next(u, unit_closing(u, unit_next(u, p->name)));
}

static bool is_array(const struct unit *u, const struct parameter *p)
{
    size_t after = unit_next(u, p->name);
    return after < p->end && unit_is(u, after, "[");
}

/* Is its size the value of the parameter `name`? "int a[n][m]" has m; n is not used. */
bool c_is_sized_by(const struct unit *u, const struct parameter *p, const char *name)
{
    for (size_t t = is_array(u, p) ? inner_brackets(u, p) : p->end; t < p->end; t = unit_next(u, t))
        if (name && unit_is(u, t, name))
            return true;
    return false;
}

bool c_is_sized_by_any(const struct unit *u, const struct function *f, const struct parameter *p)
{
    for (size_t k = 0; k < f->parameters.len; k++)
        if (c_is_sized_by(u, p, f->parameters.data[k].text))
            return true;
    return false;
}

/* A variable of a type as expressions have it: without qualifiers, no array. */
static const char *value_type(struct unit *u, const char *type)
{
    return unit_print(u, "__typeof__(((void)0, *(%s *)0))", type);
}

/* "int a[3][4]" is "int (*a)[4]", as in C's own rules for parameters; a function is a pointer to it. */
const char *c_variable_text(struct unit *u, const struct parameter *p)
{
    size_t after = unit_next(u, p->name);
    const char *type = type_text(u, p->begin, p->name);
    if (is_array(u, p))
        return unit_print(u, "%s (*%s)%s", type, p->text, type_text(u, inner_brackets(u, p), p->end));
    if (after < p->end && unit_is(u, after, "("))
        return unit_print(u, "%s (*%s)%s", type, p->text, type_text(u, after, p->end));
    if (after < p->end && unit_is(u, after, ")")) /* int (*a)[3] */
        return unit_print(u, "%s %s %s", type, p->text, type_text(u, after, p->end));
    return unit_print(u, "%s %s", value_type(u, type), p->text);
}

const char *c_member_text(struct unit *u, const struct function *f, const struct parameter *p)
{
    return c_is_sized_by_any(u, f, p) ? unit_print(u, "const void *%s", p->text) : c_variable_text(u, p);
}

const char *c_result_text(struct unit *u, const struct function *f)
{
    return value_type(u, type_text(u, f->begin, f->name_begin));
}

bool c_is_void(struct unit *u, const struct function *f)
{
    return !strcmp(type_text(u, f->begin, f->name_begin), "void");
}

bool c_returns_pointer(const struct unit *u, const struct function *f)
{
    for (size_t t = f->begin; t < f->name_begin; t = unit_next(u, t))
        if (unit_is(u, t, "*"))
            return true;
    return false;
}
