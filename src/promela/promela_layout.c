/* SPDX-License-Identifier: Apache-2.0 */
/* The state vector: globals, then for every process its place and its variables. No gaps. */
#include "promela/promela_code.h"

enum { STATE_MAX = 60000 };

static void add_locations(struct promela_system *s, const struct promela_variable *v, uint32_t offset,
                          const struct promela_variable *root, uint32_t leaf)
{
    for (uint32_t i = 0; i < v->count; i++) {
        uint32_t at = offset + i * promela_width(v);
        if (v->type == TYPE_STRUCT) {
            for (const struct promela_variable *f = v->record->fields; f; f = f->next)
                add_locations(s, f, at + f->offset, root, leaf + f->offset);
            continue;
        }
        struct refine_location location = {.offset = at, .width = (uint8_t)promela_width(v)};
        s->locations_at[at] = (uint16_t)s->locations.len;
        vec_push(&s->locations, location);
        vec_push(&s->location_items, &root->holds_items[leaf]);
    }
}

static void add_all(struct promela_system *s, const struct promela_variable *list, uint32_t base)
{
    for (const struct promela_variable *v = list; v; v = v->next)
        add_locations(s, v, base + v->offset, v, 0);
}

static void place_processes(struct promela_system *s)
{
    uint64_t size = s->model.globals_size;
    for (size_t i = 0; i < s->processes.len && size <= STATE_MAX; i++) {
        struct promela_process *p = &s->processes.data[i];
        p->offset = (uint32_t)size;
        size += s->place_width + (uint64_t)p->type->frame;
    }
    if (size > STATE_MAX)
        promela_fail(&s->model.text, PL_MODEL_MEANING, (struct promela_place){0, 1, 1},
                     "the variables take more than %d bytes", STATE_MAX);
    s->system.state_size = (uint32_t)size;
}

/* Threads can be swapped if they run the same text from the beginning and never ask who they are. */
static bool is_symmetric(const struct promela_system *s)
{
    const struct promela_process *first = NULL;
    for (size_t i = 0; i < s->processes.len; i++) {
        const struct promela_process *p = &s->processes.data[i];
        if (p->thread == REFINE_NO_THREAD)
            continue;
        if (!first)
            first = p;
        if (p->type != first->type || i >= s->active_count || p->type->asks_pid)
            return false;
    }
    return first && !s->like_spin;
}

static void find_threads(struct promela_system *s)
{
    for (size_t i = 0; i < s->processes.len; i++) {
        const struct promela_process *p = &s->processes.data[i];
        if (p->thread == REFINE_NO_THREAD)
            continue;
        vec_push(&s->thread_offsets, p->offset);
        s->system.thread_size = s->place_width + p->type->frame;
    }
    s->system.symmetric = is_symmetric(s);
}

void promela_lay_out(struct promela_system *s)
{
    place_processes(s);
    s->locations_at = promela_alloc(&s->model.text, (s->system.state_size + 1) * sizeof(uint16_t));
    add_all(s, s->model.globals, 0);
    for (size_t i = 0; i < s->processes.len; i++)
        add_all(s, s->processes.data[i].type->variables, s->processes.data[i].offset + s->place_width);
    find_threads(s);
}
