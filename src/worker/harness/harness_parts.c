/* SPDX-License-Identifier: Apache-2.0 */
/* What the program says about itself: the parts of a harness, registered by the macros of plumb.h. */
#include "engine/engine.h"
#include "engine/shared/worker_result.h"
#include "rt/hook.h"
#include "rt/start.h"
#include "worker/harness/harness_state.h"
#include "worker/harness/invocations.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct harness harness;

struct plumb_values *harness_values(void)
{
    if (!harness.history)
        harness.history = history_create();
    return harness.history->values;
}

/* ------------------------------------------------------------------ what plumb.h calls */

EXPORT void plumb_register(const struct plumb_part *part)
{
    vec_push(&harness.parts, part);
    if (part->kind == PLUMB_PART_OP)
        vec_push(&harness.operations, part);
}

EXPORT plumb_value plumb_result_wide(int64_t i)
{
    bool active = engine_active;
    engine_active = false; /* what is allocated here outlives the execution */
    plumb_value v = plumb_int(harness_values(), i);
    engine_active = active;
    return v;
}

EXPORT plumb_value plumb_result_string(const char *s)
{
    if (!s)
        return PLUMB_NONE;
    bool active = engine_active;
    size_t length = strlen(s);
    if (active)
        hook_read_string(s, length + 1, CALLER);
    engine_active = false;
    plumb_value v = plumb_string(harness_values(), s, length);
    engine_active = active;
    return v;
}

EXPORT plumb_value plumb_result_array(const plumb_value *items, size_t count)
{
    bool active = engine_active;
    if (active && count)
        engine_plain((uint64_t)items, count * sizeof *items, false, CALLER);
    engine_active = false;
    plumb_value v = plumb_array(harness_values(), items, count);
    engine_active = active;
    return v;
}

/* ------------------------------------------------------------------ mistakes */

static _Noreturn void end_refused(const struct plumb_part *part, const char *format, va_list args)
{
    struct worker_shared *s = harness.shared;
    engine_active = false;
    vsnprintf(s->error.message, sizeof s->error.message, format, args);
    s->is_harness = harness.parts.len > 0;
    if (part) {
        snprintf(s->refused_file, sizeof s->refused_file, "%s", part->file);
        s->refused_line = part->line;
    }
    worker_result_end(s, WORKER_REFUSED);
}

_Noreturn void harness_refuse(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    end_refused(NULL, format, args);
}

_Noreturn void harness_refuse_at(const struct plumb_part *part, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    end_refused(part, format, args);
}

_Noreturn void harness_refuse_operation(const struct diagnostic *d)
{
    bool known = d->line >= 1 && d->line <= harness.matrix.ops.len;
    harness_refuse_at(known ? harness.matrix.ops.data[d->line - 1].operation : NULL, "%s", d->message);
}

const struct plumb_part *harness_any_part(void)
{
    return harness.parts.len ? harness.parts.data[0] : NULL;
}

static char *list_operations(void)
{
    struct text list = {0};
    text_puts(&list, "");
    for (size_t i = 0; i < harness.operations.len; i++) {
        text_puts(&list, i ? ", " : "");
        matrix_print_operation(&list, harness.operations.data[i]);
    }
    return text_take(&list);
}

int main(void);

/* A harness needs no main function; this one stands in. */
EXPORT __attribute__((weak)) int main(void)
{
    if (start_is_worker && harness.operations.len) {
        engine_active = false;
        harness_refuse(
            "the program has no main function: name a test of its operations (%s) with --test, or let "
            "'plumb auto' make tests",
            list_operations());
    }
    if (start_is_worker)
        harness_refuse_at(harness_any_part(),
                          "the program has neither a main function nor operations (PLUMB_OP)");
    fputs("This is a harness without a main function: run it with 'plumb check'.\n", stderr);
    return 2;
}

const struct plumb_part *harness_find_part(enum plumb_part_kind kind, const char *object, const char *name)
{
    for (size_t i = 0; i < harness.parts.len; i++) {
        const struct plumb_part *p = harness.parts.data[i];
        if (p->kind == kind && strcmp(p->object, object) == 0 && strcmp(p->name, name) == 0)
            return p;
    }
    return NULL;
}

static void check_tries(const struct plumb_part *part)
{
    OWNED matrix_calls calls = {0};
    struct diagnostic d = {0};
    const struct plumb_part *operation = harness_find_part(PLUMB_PART_OP, part->object, part->name);
    if (!operation)
        harness_refuse_at(part, "PLUMB_TRY names an operation '%s' that the harness does not have",
                          part->name);
    if (!matrix_parse_calls(&calls, part->text, operation, harness_values(), &d))
        harness_refuse_at(part, "PLUMB_TRY of '%s': %s", part->name, d.message);
}

void harness_check_values(const struct plumb_part *part)
{
    struct sample_values v;
    if (!harness_find_part(PLUMB_PART_OBJECT, part->object, ""))
        harness_refuse_at(part,
                          "PLUMB_VALUES is about the elements of an object, and there is no PLUMB_OBJECT%s%s",
                          *part->object ? "_NAMED of the name " : "", part->object);
    if (!sample_values_parse(&v, part->text))
        harness_refuse_at(part,
                          "PLUMB_VALUES takes the values that elements have, as in 1.. or 0..99 or -1.., "
                          "and 'distinct' behind a comma, not '%s'",
                          part->text);
}

struct sample_values harness_values_of(const struct plumb_part *operation)
{
    const struct plumb_part *part = harness_find_part(PLUMB_PART_VALUES, operation->object, "");
    const char *asked = harness.shared->config.values;
    struct sample_values v;
    sample_values_parse(&v, *asked ? asked : part ? part->text : "");
    return v;
}

/* "1.." or "left: 1.., right: 0..99" */
static void name_values(struct worker_shared *s)
{
    struct text names = {0};
    struct sample_values v;
    if (!sample_values_parse(&v, s->config.values))
        harness_refuse(
            "--values takes the values that elements have, as in 1.. or 0..99 or -1.., and 'distinct' "
            "behind a comma, not '%s'",
            s->config.values);
    text_puts(&names, s->config.values);
    for (size_t i = 0; i < harness.parts.len && !*s->config.values; i++) {
        const struct plumb_part *p = harness.parts.data[i];
        if (p->kind == PLUMB_PART_VALUES)
            text_printf(&names, "%s%s%s%s", names.len ? ", " : "", p->object, *p->object ? ": " : "",
                        p->text);
    }
    snprintf(s->values, sizeof s->values, "%s", names.len ? names.data : "");
    text_free(&names);
}

void harness_check_parts(void)
{
    for (size_t i = 0; i < harness.parts.len; i++) {
        const struct plumb_part *p = harness.parts.data[i];
        bool named = p->kind == PLUMB_PART_OP || p->kind == PLUMB_PART_OBJECT;
        const struct plumb_part *first = named ? harness_find_part(p->kind, p->object, p->name) : p;
        if (first != p)
            harness_refuse_at(p, "%s '%s%s%s' is defined twice, first at %s:%u",
                              p->kind == PLUMB_PART_OP ? "operation" : "object", p->object,
                              *p->object && *p->name ? "." : "", p->name, first->file, first->line);
        if (p->kind == PLUMB_PART_TRY)
            check_tries(p);
        if (p->kind == PLUMB_PART_ROLE || p->kind == PLUMB_PART_ROLE_MANY)
            harness_check_role(p);
        if (p->kind == PLUMB_PART_SYNC)
            harness_check_sync(p);
        if (p->kind == PLUMB_PART_VALUES)
            harness_check_values(p);
        if (p->kind == PLUMB_PART_INVARIANT)
            harness_check_invariant(p);
    }
}

/* Has some operation no object, and nothing else to be judged by? */
static bool is_any_unspecified(void)
{
    const struct worker_config *c = &harness.shared->config;
    for (size_t i = 0; i < harness.operations.len; i++)
        if (!*c->spec && !harness_find_part(PLUMB_PART_OBJECT, harness.operations.data[i]->object, ""))
            return true;
    return false;
}

_Noreturn void harness_list_calls(void)
{
    struct worker_shared *s = harness.shared;
    struct text list = {0};
    VEC(const struct plumb_part *) tries = {0};
    if (!harness.operations.len)
        harness_refuse_at(harness_any_part(),
                          "the program has no operations: write them with PLUMB_OP of plumb.h");
    harness_check_parts();
    for (size_t i = 0; i < harness.parts.len; i++)
        if (harness.parts.data[i]->kind == PLUMB_PART_TRY)
            vec_push(&tries, harness.parts.data[i]);
    struct matrix_vocabulary vocabulary = {harness.operations.data, harness.operations.len};
    invocations_list(&list, &vocabulary, tries.data, tries.len, harness_spec_of, harness_values());
    name_values(s);
    s->single_roles = harness_single_roles();
    s->is_unspecified = is_any_unspecified();
    if (list.len >= sizeof s->operations)
        harness_refuse("the harness names more calls (PLUMB_TRY) than can be listed");
    memcpy(s->operations, list.data, list.len + 1);
    worker_result_end(s, WORKER_DONE);
}
