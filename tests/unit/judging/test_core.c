/* SPDX-License-Identifier: Apache-2.0 */
/* Cores: whatever is left out of a legal history, the rest is legal, so that a violated core means a violated history;
 * and what is left out of a violated one leaves it violated. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "monitor/core/core.h"
#include "monitor/search/search.h"
#include "support/part_builder.h"

static uint64_t coin = 88172645463325252u;

/* Calls anything violated, or not, so that anything that may be deleted is deleted now and then. */
static enum verdict toss(const struct part *p, struct budget *budget, struct decision *d)
{
    (void)p, (void)budget, (void)d;
    coin ^= coin << 13;
    coin ^= coin >> 7;
    coin ^= coin << 17;
    return coin >> 20 & 1 ? VERDICT_VIOLATED : VERDICT_HOLDS;
}

static enum verdict decide(const struct part *p, struct decision *d)
{
    struct budget budget = budget_start(0, 0);
    return search_decide(p, NULL, &budget, d);
}

static bool is_legal(const struct part *p)
{
    struct decision d = {0};
    bool legal = decide(p, &d) == VERDICT_HOLDS;
    decision_free(&d);
    return legal;
}

/* ---- random parts ---- */

static void add_register_op(struct builder *b, bool pending)
{
    plumb_value x = builder_int(b, builder_random(b, 3)), y = builder_int(b, builder_random(b, 3));
    uint32_t kind = builder_random(b, 8);
    if (kind < 3)
        builder_add(b, builder_op(b, "write"), x, PLUMB_OK, pending);
    else if (kind < 5)
        builder_add(b, builder_op(b, "read"), PLUMB_OK, builder_chance(b, 90) ? x : PLUMB_ANY, pending);
    else
        builder_add(b, builder_op(b, "cas"), builder_pair(b, x, y),
                    builder_chance(b, 10) ? PLUMB_ANY : plumb_bool(builder_chance(b, 85)), pending);
}

static void add_queue_op(struct builder *b, bool pending)
{
    bool is_stack = strcmp(b->part.spec->name, "stack") == 0;
    plumb_value x = builder_int(b, builder_random(b, 4));
    if (builder_chance(b, 55))
        builder_add(b, builder_op(b, is_stack ? "push" : "enq"), x, PLUMB_OK, pending);
    else
        builder_add(b, builder_op(b, is_stack ? "pop" : "deq"), PLUMB_OK,
                    builder_chance(b, 80)   ? x
                    : builder_chance(b, 50) ? PLUMB_NONE
                                            : PLUMB_ANY,
                    pending);
}

static void make_part(struct builder *b)
{
    uint32_t count = 3 + builder_random(b, 5), pending = builder_random(b, 7);
    builder_clear(b);
    for (uint32_t i = 0; i < count + pending; i++) {
        if (strcmp(b->part.spec->name, "register") == 0)
            add_register_op(b, i >= count);
        else
            add_queue_op(b, i >= count);
    }
    builder_time(b, 0.1 + builder_fraction(b) * 0.3);
}

static struct part copy_part(const struct part *p)
{
    uint32_t all[TOY_OPS];
    for (uint32_t i = 0; i < p->order.count; i++)
        all[i] = i;
    return part_restrict(p, all, p->order.count);
}

/* ---- what has to be true ---- */

static void check_legal(const struct part *p, unsigned *smaller)
{
    struct budget budget = budget_start(0, 0);
    struct part rest = copy_part(p);
    core_minimise(&rest, NULL, toss, &budget);
    assert_true(is_legal(&rest));
    *smaller += rest.order.count < p->order.count;
    part_free(&rest);
}

static void check_left_out(struct part *core, unsigned *left_out)
{
    struct budget budget = budget_start(0, 0);
    core_ops ops = {0};
    uint32_t count = core->order.count;
    core_leave_out(core, NULL, &budget, &ops);
    assert_int_equal(core->order.count + ops.len, count);
    assert_false(is_legal(core));
    if (ops.len) {
        struct part prefix = part_cut(core, core->order.event_count - 2);
        assert_true(is_legal(&prefix));
        part_free(&prefix);
    }
    *left_out += ops.len > 0;
    vec_free(&ops);
}

static void check_violated(const struct part *p, const struct decision *d, unsigned *left_out)
{
    struct budget budget = budget_start(0, 0);
    struct part story = part_cut(p, d->legal_events);
    assert_true(core_minimise(&story, NULL, NULL, &budget));
    assert_false(is_legal(&story));
    check_left_out(&story, left_out);
    part_free(&story);
}

/* `leaves_out`: often enough; of registers deletions leave little. */
static void check_spec(const char *spec, bool leaves_out)
{
    struct builder b = builder_create(spec, 3);
    unsigned legal = 0, smaller = 0, left_out = 0, total = 2500;
    for (unsigned k = 0; k < total; k++) {
        struct decision d = {0};
        make_part(&b);
        if (decide(&b.part, &d) == VERDICT_HOLDS) {
            legal++;
            check_legal(&b.part, &smaller);
        } else {
            check_violated(&b.part, &d, &left_out);
        }
        decision_free(&d);
    }
    assert_true(legal > total / 20 && smaller > legal / 4 && left_out >= leaves_out * total / 100);
    builder_destroy(&b);
}

static void test_register(void **state)
{
    (void)state;
    check_spec("register", false);
}

static void test_containers(void **state)
{
    (void)state;
    check_spec("queue", true);
    check_spec("stack", true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_register),
        cmocka_unit_test(test_containers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
