/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/registry.h"

#include "base/memory.h"
#include "base/options.h"
#include "spec/aliases.h"
#include "spec/builtin/builtin.h"

#include <string.h>

const struct plumb_spec *const spec_all[] = {
    &spec_queue,         &spec_stack,  &spec_deque,     &spec_pqueue,   &spec_set,     &spec_multiset,
    &spec_bag,           &spec_map,    &spec_kv,        &spec_register, &spec_counter, &spec_snapshot,
    &spec_lock,          &spec_rwlock, &spec_semaphore, &spec_event,    &spec_latch,   &spec_barrier,
    &spec_multiregister,
};
const unsigned spec_count = sizeof spec_all / sizeof *spec_all;

const struct plumb_spec *const spec_extensions[] = {
    &spec_queue_whole, &spec_stack_whole, &spec_deque_whole, &spec_pqueue_whole,
    &spec_set_whole,   &spec_bag_whole,   &spec_map_whole,
};
const unsigned spec_extension_count = sizeof spec_extensions / sizeof *spec_extensions;

static const struct plumb_spec *added;

void spec_add(const struct plumb_spec *spec)
{
    added = spec;
}

const struct plumb_spec *spec_added(void)
{
    return added;
}

static bool is_called(const struct plumb_spec *spec, const char *name, size_t length)
{
    return strlen(spec->name) == length && !memcmp(spec->name, name, length);
}

static const struct plumb_spec *find_by_name(const char *name, size_t length)
{
    if (added && is_called(added, name, length))
        return added;
    for (unsigned i = 0; i < spec_count; i++)
        if (is_called(spec_all[i], name, length))
            return spec_all[i];
    return NULL;
}

static const struct plumb_spec *find(const char *name, char **complaint)
{
    size_t length = strlen(name), before = strcspn(name, "( ");
    const char *open = name + before + strspn(name + before, " ");
    const struct plumb_spec *found = find_by_name(name, length);
    if (found || *open != '(' || name[length - 1] != ')')
        return found;
    const struct plumb_spec *base = find_by_name(name, before);
    size_t inside = (size_t)(name + length - 1 - (open + 1));
    return base ? spec_parameters_find(base, open + 1, inside, complaint) : NULL;
}

const struct plumb_spec *spec_find(const char *name)
{
    return find(name, NULL);
}

const char *spec_nearest(const char *name)
{
    OWNED const char **names = NEW_ARRAY(const char *, spec_count);
    for (unsigned i = 0; i < spec_count; i++)
        names[i] = spec_all[i]->name;
    return options_nearest(name, names, spec_count);
}

char *spec_parameters_complaint(const char *name)
{
    char *complaint = NULL;
    find(name, &complaint);
    return complaint;
}

char *spec_find_complaint(const char *name)
{
    char *complaint = spec_parameters_complaint(name);
    const char *nearest = complaint ? NULL : spec_nearest(name);
    struct text t = {0};
    if (complaint)
        return complaint;
    text_printf(&t, "there is no specification '%s'%s%s%s", name,
                nearest ? "; is '" : " ('plumb specs' lists all", nearest ? nearest : "",
                nearest ? "' meant?" : ")");
    return text_take(&t);
}

uint32_t spec_operation(const struct plumb_spec *spec, const char *name)
{
    for (uint32_t i = 0; i < spec->operation_count; i++)
        if (!strcmp(spec->operations[i].name, name))
            return i;
    return UINT32_MAX;
}

uint32_t spec_operation_that(const struct plumb_spec *spec, enum plumb_role role)
{
    for (uint32_t i = 0; i < spec->operation_count; i++)
        if (spec->operations[i].role == role)
            return i;
    return UINT32_MAX;
}

struct half {
    const struct plumb_spec *const *all;
    unsigned count;
};

/* One of `half` with the operations of `spec`: the two share a table of them. */
static const struct plumb_spec *find_in_half(struct half half, const struct plumb_spec *spec)
{
    for (unsigned i = 0; i < half.count; i++)
        if (half.all[i]->operations == spec->operations)
            return half.all[i];
    return NULL;
}

/* (A relaxed specification, for instance, has the operations of another, too, and is in no half.) */
static const struct plumb_spec *other_half(struct half from, struct half to, const struct plumb_spec *spec)
{
    const struct plumb_spec *root = spec_root(spec), *other = find_in_half(to, root);
    return other && find_in_half(from, root) == root ? spec_on_root(spec, other) : NULL;
}

static const struct half basics = {spec_all, sizeof spec_all / sizeof *spec_all};
static const struct half extensions = {spec_extensions, sizeof spec_extensions / sizeof *spec_extensions};

const struct plumb_spec *spec_extended(const struct plumb_spec *spec)
{
    return other_half(basics, extensions, spec);
}

const struct plumb_spec *spec_basic(const struct plumb_spec *spec)
{
    return other_half(extensions, basics, spec);
}

const struct plumb_spec *spec_with_operation(const struct plumb_spec *spec, const char *name)
{
    const struct plumb_spec *extended =
        spec_operation_meant(spec, name) == UINT32_MAX ? spec_extended(spec) : NULL;
    return extended && spec_operation_meant(extended, name) != UINT32_MAX ? extended : spec;
}

/* Names of three letters are near to many others. */
static bool begin_or_end_alike(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    return n && m && (a[0] == b[0] || a[n - 1] == b[m - 1]);
}

const char *spec_nearest_operation(const struct plumb_spec *spec, const char *name)
{
    VEC(const char *) names = {0};
    bool exists = false;
    for (unsigned s = 0; s < (spec ? 1 : spec_count); s++) {
        const struct plumb_spec *one = spec ? spec : spec_all[s], *extended = spec_extended(one);
        const struct plumb_spec *full = extended ? extended : one;
        for (uint32_t i = 0; i < full->operation_count; i++) {
            exists |= strcmp(full->operations[i].name, name) == 0;
            if (begin_or_end_alike(full->operations[i].name, name))
                vec_push(&names, full->operations[i].name);
        }
    }
    const char *nearest = exists ? NULL : options_nearest(name, names.data, names.len);
    vec_free(&names);
    return nearest;
}

void spec_list_operations(const struct plumb_spec *spec, struct text *out)
{
    const struct plumb_spec *extended = spec_extended(spec), *full = extended ? extended : spec;
    for (uint32_t i = 0; i < full->operation_count; i++)
        text_printf(out, "%s%s", i ? ", " : "", full->operations[i].name);
    if (!full->operation_count)
        text_puts(out, "none");
}

void spec_extend_all(const struct history *h, const struct plumb_spec **specs)
{
    const struct plumb_spec *const basic = specs[0];
    const struct plumb_spec *extended = spec_extended(basic);
    OWNED bool *needed = NEW_ZEROED(bool, h->op_names.len + 1);
    for (size_t k = 0; extended && k < h->op_names.len; k++)
        needed[k] = spec_with_operation(basic, h->op_names.data[k]) == extended;
    for (size_t i = 0; extended && i < h->ops.len; i++)
        if (needed[history_get(h, i).op])
            specs[history_object_of(h, i)] = extended;
}

void *spec_init(const struct plumb_spec *spec, const struct plumb_spec_options *options)
{
    return spec->init_of ? spec->init_of(spec, options) : spec->init(options);
}

bool spec_blocks(const struct plumb_spec *spec, const void *state, const struct plumb_call *call)
{
    if (spec->blocks)
        return spec->blocks(state, call);
    struct plumb_call any = *call;
    any.result = PLUMB_ANY;
    plumb_value result;
    void *trial = spec->clone(state);
    bool possible = spec->step(trial, &any, 0, &result);
    spec->destroy(trial);
    return !possible;
}

bool spec_accepts(const struct plumb_spec *spec, const void *state)
{
    return !spec->accept || spec->accept(state);
}

bool spec_effect_free(const struct plumb_spec *spec, const struct plumb_call *call)
{
    return spec->operations[call->op].reads || (spec->effect_free && spec->effect_free(call));
}

size_t spec_print_end(struct text *text, char *buffer, size_t size)
{
    size_t length = text->len;
    if (size) {
        size_t kept = length < size ? length : size - 1;
        memcpy(buffer, text->data, kept);
        buffer[kept] = 0;
    }
    text_free(text);
    return length;
}

bool spec_is_container(const struct plumb_spec *spec)
{
    switch (spec->kind) {
    case PLUMB_KIND_QUEUE:
    case PLUMB_KIND_STACK:
    case PLUMB_KIND_DEQUE:
    case PLUMB_KIND_PQUEUE:
    case PLUMB_KIND_BAG: return !spec->init_of;
    default: return false;
    }
}

bool spec_is_register(const struct plumb_spec *spec)
{
    return spec->kind == PLUMB_KIND_REGISTER || spec->kind == PLUMB_KIND_MAP || spec->kind == PLUMB_KIND_KV;
}
