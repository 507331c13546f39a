/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a transition system: refused with a place, or a system whose first states have steps. */
#include "base/check.h"
#include "base/memory.h"
#include "refine/automata/aut.h"
#include "support/bytes_file.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* A few steps, now the first, now the last. */
static void walk(const struct refine_system *s)
{
    uint8_t *state = NEW_ZEROED(uint8_t, s->state_size + 1);
    struct refine_steps out = {0};
    s->initial(s, state);
    for (uint32_t n = 0; n < 20; n++) {
        refine_steps_clear(&out);
        s->steps(s, state, &out);
        CHECK(out.states.len == out.steps.len * s->state_size);
        for (size_t i = 0; i < out.steps.len; i++) {
            const struct refine_step *step = &out.steps.data[i];
            CHECK(step->kind <= REFINE_FAULT);
            CHECK(step->kind == REFINE_INTERNAL || step->op < s->op_count);
            CHECK(step->thread < s->threads || step->thread == REFINE_NO_THREAD);
        }
        if (out.steps.len == 0)
            break;
        memcpy(state, out.states.data + (n % 2 ? out.steps.len - 1 : 0) * s->state_size, s->state_size);
    }
    char text[100];
    if (s->print)
        s->print(s, state, text, sizeof text);
    refine_steps_free(&out);
    free(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static int file = -1;
    char path[32];
    struct diagnostic d = {0};
    bytes_file(&file, path, bytes, length);
    struct refine_system *s = aut_load(path, &d);
    if (s) {
        CHECK(d.code == 0);
        walk(s);
        s->destroy(s);
    } else {
        CHECK(d.code == PL_AUT_SYNTAX && d.message[0] && d.line >= 1);
    }
    return 0;
}
