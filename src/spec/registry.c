/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/registry.h"

#include "base/memory.h"
#include "base/options.h"
#include "spec/builtin/builtin.h"

#include <string.h>

const struct plumb_spec *const spec_all[] = {
    &spec_queue, &spec_stack,  &spec_deque,     &spec_pqueue,   &spec_set,     &spec_multiset,
    &spec_bag,   &spec_map,    &spec_kv,        &spec_register, &spec_counter, &spec_snapshot,
    &spec_lock,  &spec_rwlock, &spec_semaphore, &spec_event,    &spec_latch,   &spec_barrier,
};
const unsigned spec_count = sizeof spec_all / sizeof *spec_all;

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

char *spec_find_complaint(const char *name)
{
    char *complaint = NULL;
    find(name, &complaint);
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
