/* SPDX-License-Identifier: Apache-2.0 */
#include "stress/stress_harness.h"

#include "base/text.h"
#include "harness/matrix.h"
#include "harness/role_words.h"
#include "native/stress_shared.h"
#include "ownspec/guard.h"
#include "spec/aliases.h"
#include "spec/registry.h"
#include "spec/roles.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { FIELDS = 7 }; /* of a line: kind, object, name, text, types, file, line */

/* ------------------------------------------------------------------ the list */

static bool fail_at(const struct plumb_part *p, struct diagnostic *d, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool fail_at(const struct plumb_part *p, struct diagnostic *d, const char *format, ...)
{
    OWNED struct text message = {0};
    va_list args;
    va_start(args, format);
    text_vprintf(&message, format, args);
    va_end(args);
    if (p)
        snprintf(d->file, sizeof d->file, "%s", p->file);
    return diagnostic_set(d, PL_HARNESS, p ? p->line : 0, 0, "%s", message.data);
}

static bool are_types(const char *types)
{
    return strlen(types) <= PLUMB_ARGUMENTS_MAX && strspn(types, "bcChHiIlLs") == strlen(types);
}

/* Of a line without its end; it is divided. Null: it is none. */
static const struct plumb_part *read_part(struct stress_harness *h, char *line)
{
    char *fields[FIELDS], *end;
    size_t count = 0;
    for (char *rest = line; rest && count < FIELDS; count++)
        fields[count] = strsep(&rest, "\t");
    if (count < FIELDS)
        return NULL;
    unsigned long kind = strtoul(fields[0], &end, 10), number = strtoul(fields[6], NULL, 10);
    if (*end || kind > PLUMB_PART_VALUES || !are_types(fields[4]))
        return NULL;
    struct plumb_part *p = arena_alloc(&h->arena, sizeof *p);
    *p = (struct plumb_part){.kind = (enum plumb_part_kind)kind,
                             .object = fields[1],
                             .name = fields[2],
                             .text = fields[3],
                             .file = fields[5],
                             .line = (unsigned)number};
    memcpy(p->types, fields[4], strlen(fields[4]) + 1);
    return p;
}

static bool read_list(struct stress_harness *h, const char *list, size_t size, struct diagnostic *d)
{
    char *rest = arena_copy(&h->arena, list, strnlen(list, size)), *line;
    while ((line = strsep(&rest, "\n"))) {
        const struct plumb_part *p = *line ? read_part(h, line) : NULL;
        if (*line && !p)
            return diagnostic_set(d, PL_CANNOT_RUN, 0, 0, "the list of the harness' parts cannot be read");
        if (p)
            vec_push(&h->parts, p);
    }
    return true;
}

static const struct plumb_part *find_part(const struct stress_harness *h, enum plumb_part_kind kind,
                                          const char *object, const char *name)
{
    for (size_t i = 0; i < h->parts.len; i++) {
        const struct plumb_part *p = h->parts.data[i];
        if (p->kind == kind && !strcmp(p->object, object) && !strcmp(p->name, name))
            return p;
    }
    return NULL;
}

/* ------------------------------------------------------------------ specifications */

static bool is_named_by_some_object(const struct stress_harness *h, const char *spec)
{
    for (size_t i = 0; i < h->parts.len; i++)
        if (h->parts.data[i]->kind == PLUMB_PART_OBJECT && !strcmp(h->parts.data[i]->text, spec))
            return true;
    return false;
}

/* The name of the one that counts instead of what objects say; "": there is none. One in a C file is only made known when some
 * object asks for it by name. */
static const char *wanted_spec(const struct stress_harness *h, const char *spec)
{
    if (!spec)
        return "";
    if (!guard_is_file(spec) || !spec_added())
        return spec;
    const char *name = spec_added()->name;
    return is_named_by_some_object(h, name) ? "" : name;
}

static bool find_spec(const struct stress_harness *h, const struct plumb_part *operation, const char *wanted,
                      struct stress_object *o, struct diagnostic *d)
{
    const struct plumb_part *object = find_part(h, PLUMB_PART_OBJECT, operation->object, "");
    o->spec_text = *wanted ? wanted : object ? object->text : "";
    if (!*o->spec_text && !object && *operation->object)
        return fail_at(operation, d,
                       "the object '%s' of operation '%s' is not declared: add PLUMB_OBJECT_NAMED(%s, queue) "
                       "or the like",
                       operation->object, operation->name, operation->object);
    if (!*o->spec_text || (o->spec = spec_find(o->spec_text)))
        return true;
    OWNED char *complaint = spec_find_complaint(o->spec_text);
    return fail_at(*wanted ? NULL : object, d, "%s", complaint);
}

static bool add_object(struct stress_harness *h, const struct plumb_part *operation, const char *wanted,
                       uint32_t *number, struct diagnostic *d)
{
    for (*number = 0; *number < h->objects.len; ++*number)
        if (!strcmp(h->objects.data[*number].name, operation->object))
            return true;
    struct stress_object o = {.name = operation->object};
    if (!find_spec(h, operation, wanted, &o, d))
        return false;
    vec_push(&h->objects, o);
    return true;
}

static bool fail_unknown(const struct plumb_part *p, const struct plumb_spec *spec, struct diagnostic *d)
{
    OWNED struct text names = {0};
    spec_list_operations(spec, &names);
    return fail_at(p, d, "%s has no operation '%s'; it has %s", spec->name, p->name, names.data);
}

static bool add_operation(struct stress_harness *h, const struct plumb_part *p, const char *wanted,
                          struct diagnostic *d)
{
    struct stress_operation o = {.part = p};
    if (find_part(h, PLUMB_PART_OP, p->object, p->name) != p)
        return fail_at(p, d, "operation '%s%s%s' is defined twice", p->object, *p->object ? "." : "",
                       p->name);
    if (h->operations.len == STRESS_OPERATIONS_MAX)
        return fail_at(p, d, "the harness has more than %d operations", STRESS_OPERATIONS_MAX);
    if (!add_object(h, p, wanted, &o.object, d))
        return false;
    const struct plumb_spec *spec = h->objects.data[o.object].spec;
    if (spec)
        spec = h->objects.data[o.object].spec = spec_with_operation(spec, p->name);
    uint32_t number = spec ? spec_operation_meant(spec, p->name) : UINT32_MAX;
    if (spec && number == UINT32_MAX)
        return fail_unknown(p, spec, d);
    o.specified = spec ? &spec->operations[number] : NULL;
    vec_push(&h->operations, o);
    return true;
}

/* ------------------------------------------------------------------ the rest */

static bool check_role(const struct stress_harness *h, const struct plumb_part *role, struct diagnostic *d)
{
    size_t length;
    if (find_part(h, role->kind, role->object, role->name) != role)
        return fail_at(role, d, "the role '%s' is defined twice", role->name);
    for (const char *w = role->text; (w = role_next_word(w, &length)); w += length) {
        bool found = false;
        for (size_t i = 0; i < h->operations.len; i++)
            found |= role_word_names(w, length, h->operations.data[i].part);
        if (!found)
            return fail_at(role, d, "the role '%s' names an operation '%.*s' that the harness does not have",
                           role->name, (int)length, w);
    }
    return true;
}

static bool check_parts(const struct stress_harness *h, struct diagnostic *d)
{
    size_t roles = 0;
    for (size_t i = 0; i < h->parts.len; i++) {
        const struct plumb_part *p = h->parts.data[i];
        if (p->kind == PLUMB_PART_TRY && !find_part(h, PLUMB_PART_OP, p->object, p->name))
            return fail_at(p, d, "PLUMB_TRY names an operation '%s' that the harness does not have", p->name);
        if (role_is(p) && (!check_role(h, p, d) || ++roles > ROLES_MAX))
            return !d->code && fail_at(p, d, "there are more than %d roles", ROLES_MAX);
    }
    return h->operations.len || fail_at(h->parts.len ? h->parts.data[0] : NULL, d,
                                        "the program has no operations: write them with PLUMB_OP of plumb.h");
}

bool stress_harness_read(struct stress_harness *h, const char *list, size_t size, const char *spec,
                         struct diagnostic *d)
{
    *h = (struct stress_harness){0};
    if (!read_list(h, list, size, d))
        return false;
    const char *wanted = wanted_spec(h, spec);
    for (size_t i = 0; i < h->parts.len; i++)
        if (h->parts.data[i]->kind == PLUMB_PART_OP && !add_operation(h, h->parts.data[i], wanted, d))
            return false;
    return check_parts(h, d);
}

void stress_harness_free(struct stress_harness *h)
{
    vec_free(&h->parts);
    vec_free(&h->operations);
    vec_free(&h->objects);
    arena_free(&h->arena);
}

const char *stress_operation_name(struct stress_harness *h, uint32_t operation)
{
    const struct plumb_part *p = h->operations.data[operation].part;
    struct text name = {0};
    text_printf(&name, "%s%s%s", p->object, *p->object ? "." : "", p->name);
    return text_keep(&name, &h->arena);
}

static size_t count_judged(const struct stress_harness *h)
{
    size_t judged = 0;
    for (size_t i = 0; i < h->objects.len; i++)
        judged += h->objects.data[i].spec != NULL;
    return judged;
}

bool stress_harness_is_judged(const struct stress_harness *h)
{
    return count_judged(h) > 0;
}

bool stress_harness_is_judged_wholly(const struct stress_harness *h)
{
    return count_judged(h) == h->objects.len;
}
