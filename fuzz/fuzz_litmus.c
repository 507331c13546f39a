/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes: the reader refuses them with a place, or what it read is a program that can be run. */
#include "base/check.h"
#include "litmus/litmus.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void check_register(int32_t number, int32_t least)
{
    CHECK(number >= least && number < PROGRAM_REGISTERS_MAX);
}

static void check_instruction(const struct program *p, const struct instruction *i, size_t length)
{
    CHECK(i->expression < p->expressions.len && i->location <= p->location_count);
    CHECK(i->destination <= length);
    check_register(i->target, i->kind == INSTRUCTION_AWAIT || i->kind == INSTRUCTION_SET ? 0 : -1);
    check_register(i->expected_register, i->kind == INSTRUCTION_CAS ? 0 : -1);
    CHECK(i->order <= ORDER_PLAIN && i->failure_order <= ORDER_PLAIN);
    int64_t registers[PROGRAM_REGISTERS_MAX] = {0};
    program_evaluate(p, i->expression, registers);
}

static void check_test(const struct litmus_test *t)
{
    const struct program *p = &t->program;
    CHECK(t->name && p->thread_count >= 1 && t->condition < t->formulas.len);
    for (uint32_t n = 0; n < p->thread_count; n++)
        for (size_t k = 0; k < p->threads[n].code.len; k++)
            check_instruction(p, &p->threads[n].code.data[k], p->threads[n].code.len);
    int64_t *state = NEW_ZEROED(int64_t, t->observed.len + 1);
    litmus_holds(t, t->condition, state);
    if (t->filter != LITMUS_NO_FORMULA)
        litmus_holds(t, t->filter, state);
    free(state);
}

/* What is printed of the condition is read again as the same. */
static void check_condition(const struct litmus_test *t)
{
    struct text once = {0}, again = {0}, source = {0};
    litmus_print_condition(&once, t);
    text_puts(&source, "C t\n{");
    for (uint32_t n = 0; n < t->program.location_count; n++)
        text_printf(&source, "%s;", t->locations[n]);
    text_puts(&source, "}\n");
    for (uint32_t n = 0; n < t->program.thread_count; n++) {
        text_printf(&source, "P%u (void) {", n);
        for (uint32_t k = 0; k < PROGRAM_REGISTERS_MAX; k++)
            if (t->registers[n][k])
                text_printf(&source, "int %s;", t->registers[n][k]);
        text_puts(&source, "}\n");
    }
    text_puts(&source, once.data);
    struct litmus_test other;
    struct diagnostic d = {0};
    bool fine = litmus_parse(&other, source.data, source.len, &d);
    /* Only the depth may grow, by the parentheses, and names may be words of the condition. */
    if (fine) {
        litmus_print_condition(&again, &other);
        CHECK(other.quantifier != t->quantifier || strcmp(once.data, again.data) == 0);
    }
    litmus_free(&other);
    text_free(&once);
    text_free(&again);
    text_free(&source);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct litmus_test t;
    struct diagnostic d = {0};
    if (litmus_parse(&t, (const char *)bytes, length, &d)) {
        CHECK(d.code == 0);
        check_test(&t);
        check_condition(&t);
    } else {
        CHECK(d.code == PL_LITMUS_SYNTAX || d.code == PL_LITMUS_UNSUPPORTED);
        CHECK(d.message[0] && d.line >= 1 && d.column >= 1 && d.column <= length + 1);
    }
    litmus_free(&t);
    return 0;
}
