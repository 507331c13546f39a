/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/error_cause.h"

#include "explain/program/explain_error.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int compare_texts(const void *a, const void *b)
{
    const struct text *ta = a, *tb = b;
    return strcmp(ta->data, tb->data);
}

/* In the order of their texts, each once: whose access came second says nothing. */
static void add_places(struct text *out, struct symbols *symbols, const struct worker_finding *f)
{
    struct text places[PROTOCOL_PLACES] = {0};
    for (uint32_t k = 0; k < f->place_count; k++) {
        symbols_add_place(symbols, f->places[k], &places[k]);
        text_puts(&places[k], "");
    }
    qsort(places, f->place_count, sizeof *places, compare_texts);
    for (uint32_t k = 0; k < f->place_count; k++)
        if (k == 0 || strcmp(places[k].data, places[k - 1].data) != 0)
            text_printf(out, " %s", places[k].data);
    for (uint32_t k = 0; k < f->place_count; k++)
        text_free(&places[k]);
}

/* An array is one variable. Memory from malloc has no name here: its addresses say nothing. */
static void add_variable(struct text *out, struct symbols *symbols, uint64_t address)
{
    struct text name = {0};
    symbols_location(symbols, address, 0, &name);
    if (name.len && strncmp(name.data, "0x", 2) != 0)
        text_printf(out, " %.*s", (int)strcspn(name.data, "["), name.data);
    text_free(&name);
}

char *error_cause(struct symbols *symbols, const struct worker_finding *f)
{
    const struct worker_error *e = &f->error;
    struct text t = {0};
    text_printf(&t, "%s %s", phase_word(e->phase), error_word(e->kind));
    bool by_hash = e->kind == WORKER_ERROR_NOT_LINEARIZABLE || e->kind == WORKER_ERROR_POINTS ||
                   e->kind == WORKER_ERROR_CONDITION || e->kind == WORKER_ERROR_SYNC;
    if (by_hash)
        text_printf(&t, " %016" PRIx64, f->cause);
    else if (f->place_count)
        add_places(&t, symbols, f);
    else if (e->stacks[0].count)
        text_puts(&t, " "), symbols_add_place(symbols, explain_find_place(symbols, &e->stacks[0]), &t);
    if (e->kind == WORKER_ERROR_RACE)
        add_variable(&t, symbols, e->address);
    return text_take(&t);
}
