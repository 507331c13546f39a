/* SPDX-License-Identifier: Apache-2.0 */
/* The test that is asked for: its operations, and the specifications they are judged by. */
#include "engine/race/clocks.h"
#include "engine/shared/worker_result.h"
#include "rt/start.h"
#include "spec/registry.h"
#include "spec/serial/serial.h"
#include "spec/quasi/spec_quasi.h"
#include "spec/spec_user.h"
#include "worker/tables/tables.h"
#include "worker/harness/harness_state.h"
#include "worker/verdict/verdict_history.h"

#include <stdio.h>
#include <string.h>

static bool is_named_by_some_object(const char *spec)
{
    for (size_t i = 0; i < harness.parts.len; i++)
        if (harness.parts.data[i]->kind == PLUMB_PART_OBJECT &&
            strcmp(harness.parts.data[i]->text, spec) == 0)
            return true;
    return false;
}

/* The name of the specification that counts instead of what objects say; empty: there is none. One in a C file is only
 * made known when some object asks for it by name. */
static const char *wanted_spec(void)
{
    const struct worker_config *c = &harness.shared->config;
    if (!*c->spec_library)
        return c->spec;
    const char *name = spec_added()->name;
    return is_named_by_some_object(name) ? "" : name;
}

static void load_user_spec(void)
{
    struct diagnostic d = {0};
    const struct worker_config *c = &harness.shared->config;
    if (*c->spec_library && !spec_user_load(c->spec_library, &d))
        harness_refuse("%s: %s", c->spec, d.message);
}

static const struct plumb_spec *choose_spec(const struct plumb_part *operation)
{
    const struct plumb_part *object = harness_find_part(PLUMB_PART_OBJECT, operation->object, "");
    const char *wanted = wanted_spec();
    const char *name = *wanted ? wanted : object ? object->text : "";
    if (*harness.shared->config.serials_in || harness.shared->config.serial == SERIAL_ALL)
        name = "";
    if (!*name && !object && *operation->object)
        harness_refuse_at(operation,
                          "the object '%s' of operation '%s' is not declared: "
                          "add PLUMB_OBJECT_NAMED(%s, queue) or the like",
                          operation->object, operation->name, operation->object);
    if (!*name)
        return NULL;
    const struct plumb_spec *spec = spec_find(name);
    if (!spec)
        harness_refuse_at(*wanted ? NULL : object, "%s", spec_find_complaint(name));
    return spec;
}

const char *harness_spec_of(const struct plumb_part *operation)
{
    const struct worker_config *c = &harness.shared->config;
    const struct plumb_part *object = harness_find_part(PLUMB_PART_OBJECT, operation->object, "");
    if (*c->spec)
        return *c->spec_library ? "" : c->spec;
    return object ? object->text : "";
}

/* All that is derived is one object, without a name. */
static uint32_t add_object(const struct plumb_part *operation, const struct plumb_spec *spec)
{
    const char *name = spec ? operation->object : "";
    uint32_t object = history_object(harness.history,
                                     *name ? plumb_string(harness_values(), name, strlen(name)) : PLUMB_NONE);
    if (object == harness.specs.len)
        vec_push(&harness.specs, spec);
    return object;
}

/* Operations of several objects that are one need names that differ. */
static const char *name_of(const struct plumb_part *operation, bool derived)
{
    struct text name = {0};
    if (!derived || !*operation->object)
        return operation->name;
    text_printf(&name, "%s.%s", operation->object, operation->name);
    return text_take(&name);
}

static void add_operations(struct matrix_range range, uint32_t thread)
{
    struct history *h = harness.history;
    for (uint32_t i = range.from; i < range.to; i++) {
        const struct matrix_op *op = &harness.matrix.ops.data[i];
        const struct plumb_spec *spec = choose_spec(op->operation);
        const char *name = name_of(op->operation, !spec);
        uint32_t object = add_object(op->operation, spec);
        if (spec)
            harness.specs.data[object] = spec_with_operation(harness.specs.data[object], name);
        derive_add_op(&harness.derivation, thread, name, op->value, !spec);
        struct history_op entry = {.call = i,
                                   .arg = op->value,
                                   .result = PLUMB_ANY,
                                   .thread = history_thread(h, plumb_int(harness_values(), thread)),
                                   .op = history_op_name(h, name, strlen(name)),
                                   .pending = 1};
        history_add(h, entry, object);
    }
}

/* For reports: the events of an operation have only its number. */
static void list_test(void)
{
    char *out = harness.shared->operations, *end = out + sizeof harness.shared->operations - 1;
    for (size_t i = 0; i < harness.matrix.ops.len; i++) {
        const struct matrix_op *op = &harness.matrix.ops.data[i];
        for (size_t k = 0; k < op->length && out < end; k++)
            *out++ = (unsigned char)op->text[k] < ' ' ? ' ' : op->text[k];
        if (out < end)
            *out++ = '\n';
    }
    *out = 0;
}

/* `own`: the part of the harness that the test is from, or null. */
static void read_test(const char *test, const struct plumb_part *own)
{
    struct diagnostic d = {0};
    struct matrix *m = &harness.matrix;
    struct matrix_vocabulary vocabulary = {harness.operations.data, harness.operations.len};
    if (!matrix_parse(m, test, &vocabulary, harness_values(), &d))
        harness_refuse_at(own, "the test '%.60s%s', column %u: %s", test, strlen(test) > 60 ? "..." : "",
                          (unsigned)d.column, d.message);
    if (m->columns.len >= CLOCKS_THREADS_MAX)
        harness_refuse_at(own, "the test has %zu threads; at most %d are possible", m->columns.len,
                          CLOCKS_THREADS_MAX - 1);
    harness_check_test_roles(own);
    derive_begin(&harness.derivation, harness_values());
    add_operations(m->init, 0);
    for (uint32_t k = 0; k < m->columns.len; k++)
        add_operations(m->columns.data[k], k + 1);
    harness_find_alike();
    add_operations(m->final, 0);
    list_test();
}

static void read_serials(void)
{
    struct diagnostic d = {0};
    const char *path = harness.shared->config.serials_in;
    if (!*path || !derive_is_needed(&harness.derivation))
        return;
    if (!derive_read(&harness.derivation, path, &d))
        harness_refuse("%s:%u:%u: %s", path, (unsigned)d.line, (unsigned)d.column, d.message);
    derive_end(&harness.derivation, harness.shared, &d);
    serials_fold(&harness.derivation.serials);
}

/* The test that was named, or else the harness' own: then *own is where it stands. */
static const char *find_test(const struct plumb_part **own)
{
    struct worker_shared *s = harness.shared;
    *own = *s->config.test ? NULL : harness_find_part(PLUMB_PART_TEST, "", "");
    if (!*own)
        return s->config.test;
    if (strlen((*own)->text) >= sizeof s->config.test)
        harness_refuse_at(*own, "the harness' test is too long");
    memcpy(s->config.test, (*own)->text, strlen((*own)->text) + 1);
    return s->config.test;
}

/* An item that is never taken could be late, or lost: only tests that take away as much as they add can distinguish that. */
static void check_well_formed(uint32_t object)
{
    const struct history *h = harness.history;
    const struct plumb_spec *spec = harness.specs.data[object];
    unsigned counts[3] = {0};
    for (size_t i = 0; i < h->ops.len; i++)
        if (history_object_of(h, i) == object)
            counts[spec_quasi_role(spec, history_get(h, i).op)]++;
    harness.shared->ill_formed = counts[PLUMB_ADDS] != counts[PLUMB_REMOVES];
    if (harness.shared->ill_formed)
        harness_refuse(
            "--quasi: the test adds %u item%s to the %s and takes away %u: it needs as many removals "
            "as additions, for instance behind the last =>",
            counts[PLUMB_ADDS], counts[PLUMB_ADDS] == 1 ? "" : "s", spec->name, counts[PLUMB_REMOVES]);
}

static void relax_specs(const char *factor)
{
    struct diagnostic d = {0};
    uint32_t objects = (uint32_t)harness.specs.len;
    if (!spec_quasi_check(factor, harness.specs.data, objects, &d))
        harness_refuse("%s", d.message);
    for (uint32_t i = 0; i < objects; i++)
        check_well_formed(i);
    spec_quasi_relax(harness.history, harness.specs.data, factor, &d);
}

/* For the scope of the verdict. */
static void name_specs(void)
{
    char *to = harness.shared->judges, *end = to + sizeof harness.shared->judges;
    *to = 0;
    for (size_t i = 0; i < harness.specs.len && to < end; i++)
        to += snprintf(to, (size_t)(end - to), "%s\n", harness.specs.data[i]->name);
}

bool harness_prepare(struct worker_shared *shared)
{
    struct diagnostic d = {0};
    harness.shared = shared;
    tables_register(&shared->config);
    if (shared->config.list == LIST_CALLS)
        harness_list_calls();
    const struct plumb_part *own;
    const char *test = find_test(&own);
    if (shared->config.list == LIST_TEST)
        worker_result_end(shared, WORKER_DONE);
    if (!*test && *shared->config.quasi)
        harness_refuse("--quasi judges the operations of a test: name one with --test");
    if (!*test)
        return false;
    if (!harness.operations.len)
        harness_refuse_at(
            harness_any_part(),
            "a test was named, but the program has no operations: write them with PLUMB_OP of plumb.h");
    harness_check_parts();
    load_user_spec();
    read_test(test, own);
    ending_in_test = true;
    if (shared->config.wants_serials && !derive_is_needed(&harness.derivation))
        harness_refuse("--observations: there are none, because every object of the test has a specification "
                       "(PLUMB_OBJECT() has none)");
    for (size_t i = 0; i < harness.specs.len; i++)
        if (!harness.specs.data[i])
            harness.specs.data[i] = spec_derived(&harness.derivation.serials, harness.history);
    name_specs();
    read_serials();
    if (!judge_prepare(harness.history, harness.specs.data, &d))
        harness_refuse_operation(&d);
    if (*shared->config.quasi)
        relax_specs(shared->config.quasi);
    harness_read_sync();
    return true;
}
