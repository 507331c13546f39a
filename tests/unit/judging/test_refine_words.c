/* SPDX-License-Identifier: Apache-2.0 */
/* Sequences of operations whose verdict is known, decided as systems that do nothing else. */
#include "oracle/refine_product.h"
#include "refine/refine.h"
#include "spec/registry.h"
#include "support/word_system.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum reading { CC, C };

struct word {
    const char *text, *spec, *quasi;
    enum reading reading;
    bool is_wrong;
};

static const struct word words[] = {
    /* A value does not come from the future, whatever projections of classes may allow. */
    {"deq=1 enq(1)", "queue", NULL, CC, true},
    {"deq=1 enq(1)", "queue", "deq=0", CC, true},
    {"deq=1 enq(1)", "queue", "deq=1", CC, true},
    {"enq(1) deq=2", "queue", "deq=1", CC, true},
    /* No item moves more than two places, though no window of five is a permutation by itself. */
    {"enq(1) enq(2) enq(3) enq(4) enq(5) enq(6) deq=2 deq=4 deq=1 deq=6 deq=3 deq=5", "queue", "deq=2", CC,
     false},
    {"enq(1) enq(2) enq(3) enq(4) enq(5) enq(6) deq=2 deq=4 deq=1 deq=6 deq=3 deq=5", "queue", "deq=2", C,
     false},
    {"enq(1) enq(2) enq(3) enq(4) enq(5) enq(6) deq=2 deq=4 deq=1 deq=6 deq=3 deq=5", "queue", "deq=1", CC,
     true},
    /* Additions stay where they are. */
    {"enq(2) enq(1) enq(3) deq=1 deq=3 deq=2", "queue", "deq=1", CC, true},
    {"enq(2) enq(1) enq(3) deq=1 deq=3 deq=2", "queue", "deq=2", CC, false},
    /* Stopping early is no fault, except for a reading that takes every history as complete. */
    {"enq(1) enq(2) deq=2", "queue", "deq=1", CC, false},
    {"enq(1) enq(2) deq=2", "queue", "deq=1", C, true},
    {"enq(1) enq(2) deq=2 deq=1", "queue", "deq=1", C, false},
    {"enq(1) enq(2) deq=2", "queue", NULL, CC, true},
    {"enq(1) enq(2) deq=0", "queue", "deq=2", CC, true},
    {"enq(1) enq(2) deq=2 deq=0", "queue", "deq=2", CC, true},
    {"enq(1) enq(2) deq=2 deq=1 deq=0", "queue", "deq=2", CC, false},
    /* The paper's figure 4, and the sequence of section 4 that overtakes forever. */
    {"enq(1) enq(2) enq(3) enq(4) deq=1 deq=2 deq=4 deq=3", "queue", "deq=1", CC, false},
    {"enq(1) enq(2) enq(3) enq(4) deq=2 deq=1 deq=3 deq=4", "queue", "deq=1", CC, false},
    {"enq(1) enq(2) enq(3) enq(4) deq=2 deq=1 deq=4 deq=3", "queue", "deq=1", CC, false},
    {"enq(1) enq(2) enq(3) enq(4) deq=2 deq=3", "queue", "deq=1", CC, true},
    {"enq(1) enq(2) enq(3) enq(4) deq=2 deq=3 deq=1", "queue", "deq=2", CC, false},
    /* What is buried too deep, or gets in front, cannot be excused. */
    {"push(1) push(2) pop=1", "stack", "pop=1", CC, false},
    {"push(1) push(2) pop=1 push(3)", "stack", "pop=1", CC, true},
    {"push(1) push(2) pop=1 push(3)", "stack", "pop=2", CC, false},
    {"insert(2) insert(3) delete_min=3", "pqueue", "delete_min=1", CC, false},
    {"insert(2) insert(3) delete_min=3 insert(1)", "pqueue", "delete_min=1", CC, true},
    {"insert(2) insert(3) delete_min=3 insert(4)", "pqueue", "delete_min=1", CC, false},
};

static struct refine_oracle_question question(const struct word *w, const struct word_system *system)
{
    return (struct refine_oracle_question){.system = &system->system,
                                           .spec = w->spec,
                                           .quasi = w->quasi,
                                           .complete = w->reading == C,
                                           .free_values = 6,
                                           .events = 2 * system->count};
}

/* The whole word as one history. */
static bool is_explained(const struct refine_oracle_question *q, const struct word_system *system)
{
    struct refine_oracle_event events[2 * WORD_OPERATIONS] = {0};
    for (uint32_t i = 0; i < system->count; i++) {
        events[2 * i].step = system->calls[i];
        events[2 * i].args[0] = system->calls[i].constants[0];
        events[2 * i + 1].step = system->returns[i];
    }
    return refine_oracle_explains(q, events, 2 * system->count);
}

static void the_definition_decides_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct word_system system;
        word_system_make(&system, words[i].text);
        struct refine_oracle_question q = question(&words[i], &system);
        if (is_explained(&q, &system) == words[i].is_wrong)
            fail_msg("%s, %s", words[i].text, words[i].quasi);
        if (words[i].reading == CC && refine_oracle(&q).violated != words[i].is_wrong)
            fail_msg("%s, %s", words[i].text, words[i].quasi);
    }
}

static void the_product_decides_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct word_system system;
        word_system_make(&system, words[i].text);
        struct refine_oracle_question q = question(&words[i], &system);
        if (words[i].reading == C)
            continue;
        struct refine_product_answer a = refine_product(&q);
        assert_false(a.gave_up);
        if (a.violated != words[i].is_wrong)
            fail_msg("%s, %s: %s", words[i].text, words[i].quasi, a.violated ? "violated" : "holds");
    }
}

static void the_checker_decides_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct word_system system;
        struct refine_result r;
        struct diagnostic d = {0};
        struct refine_settings settings = {.spec = spec_find(words[i].spec),
                                           .quasi = words[i].quasi,
                                           .free_values = 6,
                                           .plain = i % 2,
                                           .jobs = 1};
        if (words[i].reading == C)
            continue;
        word_system_make(&system, words[i].text);
        if (!refine_check(&system.system, &settings, &r, &d))
            fail_msg("%s: %s", words[i].text, d.message);
        if (r.verdict != (words[i].is_wrong ? VERDICT_VIOLATED : VERDICT_HOLDS))
            fail_msg("%s, %s: %d", words[i].text, words[i].quasi, (int)r.verdict);
        refine_result_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_definition_decides_words),
        cmocka_unit_test(the_product_decides_words),
        cmocka_unit_test(the_checker_decides_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
