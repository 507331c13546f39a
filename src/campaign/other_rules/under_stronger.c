/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/other_rules/under_stronger.h"

#include "explain/program/explain_events.h"
#include "graph/model.h"

#include <inttypes.h>

void under_sc_ask(const struct target_program *program, const struct campaign_options *options,
                  const struct worker_shared *shown, const char *cause, double left, struct other_rules *out)
{
    *out = (struct other_rules){0};
    /* Races, synchronization, and frees where races are allowed, depend on orders, not only on values. */
    bool by_values = shown->error.kind != WORKER_ERROR_RACE && shown->error.kind != WORKER_ERROR_SYNC &&
                     !campaign_goes_on(options) && !options->volatiles;
    if (shown->relation_count && !explain_stale_count(shown) && by_values) {
        out->answer = RULES_TOO;
        return;
    }
    struct campaign_options sc = *options;
    sc.memory = model_position(&model_sc);
    other_rules_ask(program, sc, shown, cause, left, out);
}

/* Does the store continue a release sequence in C11 that it does not in C++20? */
static bool continues_sequence(const struct worker_shared *s, uint32_t store)
{
    const struct event *w = &s->events[store];
    for (uint32_t k = 0; k < store; k++) {
        const struct event *e = &s->events[k];
        bool writes = e->kind == EVENT_WRITE || e->kind == EVENT_UPDATE;
        if (writes && e->thread == w->thread && graph_is_release(e->order) &&
            e->address < w->address + w->size && w->address < e->address + e->size)
            return true;
    }
    return false;
}

void under_c11_ask(const struct target_program *program, const struct campaign_options *options,
                   const struct worker_shared *shown, const char *cause, double left, struct other_rules *out)
{
    *out = (struct other_rules){0};
    bool differs = false;
    for (uint32_t k = 0; k < shown->event_count && !differs; k++) {
        const struct event *e = &shown->events[k];
        bool writes = e->kind == EVENT_WRITE || e->kind == EVENT_UPDATE;
        differs = writes && !graph_is_release(e->order) && continues_sequence(shown, k);
    }
    if (!differs)
        return;
    struct campaign_options c11 = *options;
    c11.release_sequence = 1;
    other_rules_ask(program, c11, shown, cause, left, out);
    other_rules_free(out); /* what is shown stays as it is */
}

void under_sc_add_text(const struct other_rules *sc, struct text *out)
{
    switch (sc->answer) {
    case RULES_NOT_ASKED: return;
    case RULES_NEVER:
        text_printf(out, "Under sc this error does not happen (all %" PRIu64 " execution%s).", sc->executions,
                    sc->executions == 1 ? "" : "s");
        return;
    case RULES_TOO:
        text_puts(out, sc->worker ? "It needs no weak memory: this execution happens under sc, too."
                                  : "It also happens under sc.");
        return;
    case RULES_UNKNOWN:
        text_printf(out, "Whether it also happens under sc is not known (%s).", sc->why);
        return;
    }
}

void under_c11_add_text(const struct other_rules *c11, struct text *out)
{
    if (c11->answer == RULES_NEVER)
        text_printf(
            out,
            "With the release sequences of C11 (--release-sequence=c11) it does not happen (all %" PRIu64
            " execution%s).",
            c11->executions, c11->executions == 1 ? "" : "s");
}

const char *under_stronger_word(const struct other_rules *sc)
{
    static const char *const words[] = {NULL, "never", "too", "unknown"};
    return words[sc->answer];
}
