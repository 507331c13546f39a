/* SPDX-License-Identifier: Apache-2.0 */
#include "promela/promela.h"
#include "promela/promela_code.h"
#include "promela/promela_parser.h"

#include <string.h>

static void destroy(struct refine_system *system)
{
    struct promela_system *s = promela_of(system);
    for (size_t i = 0; i < s->graphs.len; i++)
        promela_graph_free(&s->graphs.data[i]);
    vec_free(&s->graphs);
    vec_free(&s->processes);
    vec_free(&s->steps);
    vec_free(&s->code);
    vec_free(&s->code_places);
    vec_free(&s->locations);
    vec_free(&s->location_items);
    vec_free(&s->thread_offsets);
    vec_free(&s->faults);
    vec_free(&s->model.runs);
    vec_free(&s->model.operations);
    vec_free(&s->model.calls);
    vec_free(&s->answers);
    vec_free(&s->model.mtypes);
    vec_free(&s->model.places);
    promela_text_free(&s->model.text);
    free(s);
}

/* File 0 is the model: errors without a place are there. */
static void read_text(struct promela_text *t, const struct promela_settings *settings)
{
    static const char *const known[] = {"PLUMB", "NONE=0", "OK=254", "FULL=255"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        promela_define(t, known[i]);
    for (uint32_t i = 0; i < settings->define_count; i++)
        promela_define(t, settings->defines[i]);
    promela_preprocess(t, 0);
    struct promela_token end = {.kind = TOKEN_END, .starts_line = true, .place = {0, 1, 1}};
    for (const char *c = t->files.data[0].text; *c; c++) {
        end.place.column = *c == '\n' ? 1 : end.place.column + 1;
        end.place.line += *c == '\n';
    }
    vec_push(&t->tokens, end);
}

/* Initial values are expressions: they can go wrong. */
static void try_start(struct promela_system *s)
{
    uint8_t *state = promela_alloc(&s->model.text, s->system.state_size + 1);
    if (promela_start(s, state) != FAULT_NONE)
        promela_fail(&s->model.text, PL_MODEL_MEANING, (struct promela_place){0, 1, 1},
                     "an initial value cannot be computed: division by zero, or an index out of range");
}

static void publish(struct promela_system *s)
{
    struct refine_system *system = &s->system;
    system->name = s->model.text.files.data[0].path;
    system->ops = s->model.operations.data;
    system->op_count = (uint32_t)s->model.operations.len;
    system->locations = s->locations.data;
    system->location_count = (uint32_t)s->locations.len;
    system->thread_offsets = s->thread_offsets.data;
    system->initial = promela_initial;
    system->steps = promela_steps;
    system->describe = promela_describe;
    system->print = s->model.globals || s->model.types->variables ? promela_print : NULL;
    system->changes = promela_changes;
    system->is_final = promela_is_final;
    system->destroy = destroy;
}

/* Reads the file if there is no text. */
static struct refine_system *load(const char *path, const char *text, size_t length,
                                  const struct promela_settings *settings, struct diagnostic *d)
{
    struct promela_system *s = NEW(struct promela_system);
    promela_text_open(&s->model.text, d);
    if (setjmp(s->model.text.on_error)) {
        destroy(&s->system);
        return NULL;
    }
    if (text)
        promela_add_file(&s->model.text, path, text, length);
    else
        promela_open_file(&s->model.text, path, NULL);
    read_text(&s->model.text, settings);
    promela_parse(&s->model);
    promela_compile(s, settings);
    promela_name_faults(s);
    try_start(s);
    publish(s);
    return &s->system;
}

struct refine_system *promela_load(const char *path, const struct promela_settings *settings,
                                   struct diagnostic *d)
{
    return load(path, NULL, 0, settings, d);
}

struct refine_system *promela_load_text(const char *name, const char *text, size_t length,
                                        const struct promela_settings *settings, struct diagnostic *d)
{
    return load(name, text, length, settings, d);
}
