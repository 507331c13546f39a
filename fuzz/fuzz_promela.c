/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes: the reader refuses them with a place, or they are a model whose first states have steps. */
#include "base/check.h"
#include "promela/promela.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void check_step(const struct refine_system *s, const struct refine_step *step)
{
    CHECK(step->kind <= REFINE_FAULT);
    CHECK(step->thread < s->threads || step->thread == REFINE_NO_THREAD);
    for (uint32_t i = 0; step->kind == REFINE_CALL && i < step->arg_count; i++)
        CHECK(step->args[i] < s->location_count);
    CHECK(step->kind == REFINE_INTERNAL || step->kind == REFINE_FAULT || step->op < s->op_count);
    struct refine_place at = s->describe(s, step->place);
    CHECK(!at.file || (at.text && at.line >= 1 && at.column >= 1));
}

/* A walk of a few steps that takes now the first, now the last. */
static void walk(const struct refine_system *s)
{
    uint8_t *state = NEW_ZEROED(uint8_t, s->state_size + 1);
    struct refine_steps out = {0};
    s->initial(s, state);
    for (uint32_t n = 0; n < 20; n++) {
        refine_steps_clear(&out);
        s->steps(s, state, &out);
        CHECK(out.states.len == out.steps.len * s->state_size);
        for (size_t i = 0; i < out.steps.len; i++)
            check_step(s, &out.steps.data[i]);
        size_t taken = out.steps.len - 1;
        if (out.steps.len == 0 || out.steps.data[n % 2 ? taken : 0].kind == REFINE_FAULT)
            break;
        memcpy(state, out.states.data + (n % 2 ? taken : 0) * s->state_size, s->state_size);
    }
    char text[100];
    if (s->print)
        s->print(s, state, text, sizeof text);
    refine_steps_free(&out);
    free(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct promela_settings settings = {.keep_dead = length % 2};
    struct diagnostic d = {0};
    if (memmem(bytes, length, "include", 7))
        return 0; /* other files are none of its business */
    struct refine_system *s = promela_load_text("m.pml", (const char *)bytes, length, &settings, &d);
    if (!s) {
        CHECK(d.code >= PL_MODEL_SYNTAX && d.code <= PL_MODEL_MEANING);
        CHECK(d.message[0] && d.line >= 1 && d.column >= 1);
        return 0;
    }
    CHECK(d.code == 0);
    walk(s);
    promela_is_data_independent(s, false, &d);
    s->destroy(s);
    return 0;
}
