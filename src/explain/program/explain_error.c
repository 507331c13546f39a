/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/program/explain_error.h"

#include "explain/program/explain_calls.h"
#include "graph/model.h"
#include "target/symbols/symbols.h"

static const struct {
    const char *word, *text;
} error_kinds[] = {
#define X(name, word, text) {word, text},
    WORKER_ERRORS(X)
#undef X
};

enum { ERROR_KINDS = sizeof error_kinds / sizeof *error_kinds };

const char *error_word(uint32_t kind)
{
    return kind < ERROR_KINDS ? error_kinds[kind].word : "unknown";
}

const char *error_text(uint32_t kind)
{
    return kind < ERROR_KINDS ? error_kinds[kind].text : "unknown error";
}

const char *phase_word(uint32_t phase)
{
    switch (phase) {
    case WORKER_STARTING:
    case WORKER_PREPARING: return "start";
    case WORKER_SETUP: return "setup";
    default: return "execution";
    }
}

/* ------------------------------------------------------------------ places */

struct symbols *explain_symbols(const struct worker_shared *s)
{
    struct diagnostic ignored = {0};
    return symbols_open(s->modules, s->module_count, &ignored);
}

static const char *phase_text(uint32_t phase)
{
    switch (phase) {
    case WORKER_STARTING:
    case WORKER_PREPARING: return " before main";
    case WORKER_SETUP: return " in the set-up of the harness";
    default: return "";
    }
}

uint64_t explain_find_place(struct symbols *symbols, const struct worker_stack *stack)
{
    uint32_t count = stack->count < PROTOCOL_STACK ? stack->count : PROTOCOL_STACK;
    return symbols_choose_place(symbols, stack->pcs, count);
}

void explain_add_headline(struct text *out, const struct worker_shared *s, struct symbols *symbols)
{
    const struct memory_model *model = model_find(s->config.memory);
    bool serial = s->error.kind == WORKER_ERROR_NONDETERMINISTIC; /* the memory model has no part in it */
    if (explain_calls_are_known(s))
        explain_calls_headline(s, symbols, out);
    else
        text_printf(out, "%s%s", error_text(s->error.kind), phase_text(s->error.phase));
    if (model && model != &model_sc && !serial) /* an execution of sc is one of every model */
        text_printf(out, " under %s", model->name);
}

static char *take_place(struct symbols *symbols, uint64_t pc)
{
    struct text t = {0};
    if (pc)
        symbols_add_place(symbols, pc, &t);
    symbols_close(symbols);
    return t.len ? text_take(&t) : NULL;
}

char *code_function(const struct worker_shared *shared, uint64_t pc)
{
    struct symbols *symbols = explain_symbols(shared);
    struct symbol_place place = {0};
    struct text t = {0};
    symbols_line(symbols, pc, &place);
    if (place.shown.function)
        text_printf(&t, "%s at ", place.shown.function);
    symbols_add_place(symbols, pc, &t);
    symbols_close(symbols);
    return text_take(&t);
}

char *code_place(const struct worker_shared *shared, uint64_t pc)
{
    return take_place(explain_symbols(shared), pc);
}

char *error_place(const struct worker_shared *shared)
{
    struct symbols *symbols = explain_symbols(shared);
    return take_place(symbols, explain_find_place(symbols, &shared->error.stacks[0]));
}
