/* SPDX-License-Identifier: Apache-2.0 */
#include "refine/specification/machine.h"

#include "refine/specification/model_run.h"

#include <string.h>

struct model_machine {
    struct machine machine; /* first */
    const struct refine_system *system;
    enum refine_full full;
};

static size_t initial(struct machine *m, uint8_t *r)
{
    const struct refine_system *s = ((struct model_machine *)m)->system;
    s->initial(s, r);
    return s->state_size;
}

static void emit_ends(const struct machine_call *call, const struct intern *ends,
                      struct machine_outcomes *out)
{
    for (uint32_t i = 0; i < intern_count(ends); i++) {
        int32_t answer;
        size_t length;
        const uint8_t *bytes = intern_get(ends, i, &length);
        memcpy(&answer, bytes, sizeof answer);
        if (answer >= 0 && answer <= UINT8_MAX && (call->wanted < 0 || call->wanted == answer))
            machine_emit(out, (uint16_t)answer, false, bytes + sizeof answer, length - sizeof answer);
    }
}

static void act(struct machine *m, const uint8_t *r, size_t length, const struct machine_call *call,
                struct machine_outcomes *out)
{
    const struct model_machine *x = (const struct model_machine *)m;
    if (call->wanted == REFINE_FULL && x->full == REFINE_FULL_ANY && m->can_be_full[call->op]) {
        machine_emit(out, REFINE_FULL, false, r, length);
        return;
    }
    struct model_run run = {.system = x->system, .state = r, .op = call->op, .args = {call->args[0]}};
    model_run(&run);
    emit_ends(call, &run.ends, out);
    intern_free(&run.ends);
}

static bool accepts(struct machine *m, const uint8_t *r, size_t length)
{
    (void)m, (void)r, (void)length;
    return true;
}

static bool can_answer(struct machine *m, uint8_t op, int32_t answer)
{
    (void)m, (void)op;
    return answer >= 0 && answer <= UINT8_MAX;
}

static void rename_items(const struct machine *m, uint8_t *r, size_t length, struct renaming *naming)
{
    (void)length;
    renaming_apply(((const struct model_machine *)m)->system, r, naming);
}

static size_t footprint(const struct machine *m)
{
    (void)m;
    return sizeof(struct model_machine);
}

static void destroy(struct machine *m)
{
    free(m);
}

struct machine *model_machine_new(const struct refine_system *s, enum refine_full full, struct diagnostic *d)
{
    struct model_calls calls;
    model_look(s, &calls);
    if (!calls.only_items || s->state_size > MACHINE_STATE_MAX) {
        diagnostic_set(d, PL_USAGE, 0, 0, "the specification '%s' %s: use --values free:N", s->name,
                       calls.only_items ? "is too large to rename items in it" : "looks into its arguments");
        return NULL;
    }
    struct model_machine *x = NEW(struct model_machine);
    x->system = s;
    x->full = full;
    x->machine = (struct machine){
        .names = MACHINE_BY_PLACE,
        .initial = initial,
        .act = act,
        .accepts = accepts,
        .can_answer = can_answer,
        .rename = rename_items,
        .footprint = footprint,
        .destroy = destroy,
    };
    for (uint32_t i = 0; i < s->op_count && i < MACHINE_OPS_MAX; i++) {
        x->machine.roles[i] = calls.arg_counts[i] ? PLUMB_ADDS : PLUMB_NO_ROLE;
        x->machine.can_be_full[i] = calls.arg_counts[i] > 0;
    }
    return &x->machine;
}
