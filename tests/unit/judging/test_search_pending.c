/* SPDX-License-Identifier: Apache-2.0 */
/* Quick searches through histories with many pending operations never contradict the exact one, and decide histories
 * of the kind that crashes leave behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "explore/schedules/prng.h"
#include "support/history_text.h"
#include "monitor/search/search.h"
#include "support/part_builder.h"

/* ---- small ones, against the exact search ---- */

static void add_random_op(struct builder *b, bool pending)
{
    uint32_t values = pending ? 5 : 4; /* nobody sees one of them, and yet a cas may fail because of it */
    plumb_value x = builder_int(b, builder_random(b, values)), y = builder_int(b, builder_random(b, values));
    switch (builder_random(b, 3)) {
    case 0: builder_add(b, builder_op(b, "write"), x, PLUMB_OK, pending); break;
    case 1: builder_add(b, builder_op(b, "read"), PLUMB_OK, x, pending); break;
    default:
        builder_add(b, builder_op(b, "cas"), builder_pair(b, x, y), plumb_bool(builder_chance(b, 70)),
                    pending);
    }
}

static void make_part(struct builder *b)
{
    builder_clear(b);
    for (uint32_t i = 0; i < 16; i++)
        add_random_op(b, false);
    for (uint32_t i = 0; i < 14; i++)
        add_random_op(b, true);
    builder_time(b, 0.1 + builder_fraction(b) * 0.2);
}

/* Decides in this way. An verdict that counts has to be the exact one; adds to `decided` if it counts. */
static void check_way(const struct part *p, const struct search_way *way, enum verdict exact,
                      unsigned *decided)
{
    struct decision d = {0};
    struct budget budget = budget_start(0, 0);
    enum verdict verdict = search_run(p, NULL, &budget, &d, way);
    bool counts = verdict == VERDICT_VIOLATED || (verdict == VERDICT_HOLDS && !way->unlimited);
    if (counts)
        assert_int_equal(verdict, exact);
    *decided += counts;
    decision_free(&d);
}

static void check_estimate(const struct part *p, enum verdict exact, unsigned *decided)
{
    struct decision d = {0};
    struct budget budget = budget_start(0, 0);
    enum verdict verdict = search_estimate(p, NULL, &budget, &d);
    if (verdict != VERDICT_NONE)
        assert_int_equal(verdict, exact);
    *decided += verdict != VERDICT_NONE;
    decision_free(&d);
}

static void test_never_contradicts(void **state)
{
    (void)state;
    static const struct search_way exactly,
        ways[] = {{.beam = 1}, {.beam = 3}, {.unlimited = true, .beam = 4096}};
    unsigned decided[3] = {0}, estimated = 0, held = 0, total = 1500 / BUILDER_SHARE;
    struct builder b = builder_create("register", 5);
    for (unsigned i = 0; i < total; i++) {
        make_part(&b);
        struct decision d = {0};
        struct budget budget = budget_start(0, 0);
        enum verdict exact = search_run(&b.part, NULL, &budget, &d, &exactly);
        decision_free(&d);
        held += exact == VERDICT_HOLDS;
        for (size_t k = 0; k < 3; k++)
            check_way(&b.part, &ways[k], exact, &decided[k]);
        if (search_has_many_pending(&b.part))
            check_estimate(&b.part, exact, &estimated);
        assert_int_equal(confirm_decide(&b.part, NULL, &budget), exact);
    }
    builder_destroy(&b);
    assert_true(held > 0 && held < total);
    for (size_t k = 0; k < 3; k++)
        assert_true(decided[k] > total / 50);
    assert_true(estimated > 0);
}

/* ---- long ones, which have to be decided ---- */

struct machine {
    struct text lines;
    struct prng random;
    int64_t clock, value;
    int64_t process[5], next_process;
    uint32_t pending;
};

/* One operation from call to return, or to the crash of its process, with or without an effect. */
static void run_operation(struct machine *m, bool only_cas)
{
    uint32_t p = prng_below(&m->random, 5), kind = only_cas ? 2 : prng_below(&m->random, 3);
    int64_t x = prng_below(&m->random, 5), y = prng_below(&m->random, 5), call = m->clock++;
    bool crashes = kind > 0 && prng_below(&m->random, 100) < 25, acts = !crashes || prng_below(&m->random, 2);
    text_printf(&m->lines, "{\"thread\":%d,\"call\":%d", (int)m->process[p], (int)call);
    if (kind == 0)
        text_printf(&m->lines, ",\"op\":\"read\",\"result\":%d", (int)m->value);
    else if (kind == 1)
        text_printf(&m->lines, ",\"op\":\"write\",\"arg\":%d", (int)x);
    else
        text_printf(&m->lines, ",\"op\":\"cas\",\"arg\":[%d,%d]", (int)x, (int)y);
    if (kind == 2 && !crashes)
        text_printf(&m->lines, ",\"result\":%s", m->value == x ? "true" : "false");
    if (acts && kind == 1)
        m->value = x;
    if (acts && kind == 2 && m->value == x)
        m->value = y;
    if (crashes) {
        m->process[p] = m->next_process++;
        m->pending++;
        text_puts(&m->lines, "}\n");
    } else {
        text_printf(&m->lines, ",\"return\":%d}\n", (int)m->clock++);
    }
}

static void check_long(uint64_t seed, bool only_cas, bool broken)
{
    struct machine m = {.random = prng_start(seed, 0), .process = {0, 1, 2, 3, 4}, .next_process = 5};
    while (m.pending < 200)
        run_operation(&m, only_cas && prng_below(&m.random, 2));
    if (broken)
        text_printf(&m.lines, "{\"thread\":-1,\"op\":\"read\",\"result\":77,\"call\":%d,\"return\":%d}\n",
                    (int)m.clock, (int)m.clock + 1);
    struct judged j = judge_text(m.lines.data, "register", false);
    assert_int_equal(j.result.verdict, broken ? VERDICT_VIOLATED : VERDICT_HOLDS);
    judged_free(&j);
    text_free(&m.lines);
}

static void test_two_hundred(void **state)
{
    (void)state;
    uint64_t seeds = BUILDER_SHARE > 1 ? 1 : 3;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        check_long(seed, seed == 1, false);
        check_long(seed, seed == 1, true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_never_contradicts),
        cmocka_unit_test(test_two_hundred),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
