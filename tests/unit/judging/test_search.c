/* SPDX-License-Identifier: Apache-2.0 */
/* The general search and its second opinion against a search that is too
 * simple to be wrong, on random small histories of toy specifications. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "monitor/search/search.h"
#include "support/toy_histories.h"

/* ---- the simple truth ---- */

struct truth {
    const struct part *part;
    bool ignore_accept;
    uint32_t most; /* completed operations in the longest legal order */
};

static bool may_follow(const struct part *p, const bool *placed, uint32_t x)
{
    const struct order *o = &p->order;
    for (uint32_t y = 0; y < o->count; y++)
        if (!placed[y] && o->ret[y] < o->call[x])
            return false;
    return !o->after || o->after[x] == ORDER_NO_OP || placed[o->after[x]];
}

static bool truth_holds(struct truth *t, bool *placed, const void *state)
{
    const struct part *p = t->part;
    uint32_t completed = 0, total = 0;
    for (uint32_t i = 0; i < p->order.count; i++) {
        total += p->order.ret[i] != ORDER_NEVER;
        completed += placed[i] && p->order.ret[i] != ORDER_NEVER;
    }
    if (completed > t->most)
        t->most = completed;
    if (completed == total && (t->ignore_accept || !p->spec->accept || p->spec->accept(state)))
        return true;
    bool found = false;
    for (uint32_t x = 0; x < p->order.count && !found; x++) {
        if (placed[x] || !may_follow(p, placed, x))
            continue;
        struct plumb_call call = part_call(p, x);
        placed[x] = true;
        bool possible = true;
        for (unsigned choice = 0; possible && !found; choice++) {
            void *next = p->spec->clone(state);
            possible = p->spec->step(next, &call, choice, NULL);
            found = possible && truth_holds(t, placed, next);
            p->spec->destroy(next);
        }
        placed[x] = false;
    }
    return found;
}

static struct truth truth_of(const struct part *p, const void *initial, bool ignore_accept, bool *holds)
{
    struct truth t = {.part = p, .ignore_accept = ignore_accept};
    bool placed[16] = {false};
    assert_true(p->order.count <= 16);
    void *state = initial ? p->spec->clone(initial) : p->spec->init(NULL);
    *holds = truth_holds(&t, placed, state);
    p->spec->destroy(state);
    return t;
}

/* Can the order be run, whatever outcomes it takes, to the end? Then is the end accepted? */
static bool runs(const struct part *p, const uint32_t *order, size_t count, const void *state, bool accept)
{
    if (!count)
        return !accept || !p->spec->accept || p->spec->accept(state);
    struct plumb_call call = part_call(p, order[0]);
    for (unsigned choice = 0;; choice++) {
        void *next = p->spec->clone(state);
        bool possible = p->spec->step(next, &call, choice, NULL);
        bool ok = possible && runs(p, order + 1, count - 1, next, accept);
        p->spec->destroy(next);
        if (ok || !possible)
            return ok;
    }
}

/* Are all operations once in the order, and after what precedes them? */
static void check_precedence(const struct part *p, const uint32_t *order, size_t count, bool complete)
{
    const struct order *o = &p->order;
    bool *placed = NEW_ZEROED(bool, o->count);
    uint32_t last_call = 0;
    for (size_t k = 0; k < count; k++) {
        uint32_t x = order[k];
        assert_true(x < o->count && !placed[x]);
        assert_true(k == 0 || o->ret[x] > last_call);
        assert_true(!o->after || o->after[x] == ORDER_NO_OP || placed[o->after[x]]);
        placed[x] = true;
        if (o->call[x] > last_call)
            last_call = o->call[x];
    }
    for (uint32_t i = 0; complete && i < o->count; i++)
        assert_true(placed[i] || o->ret[i] == ORDER_NEVER);
    for (uint32_t x = 0; !complete && x < o->count; x++)
        for (uint32_t y = 0; placed[x] && y < o->count; y++)
            assert_true(placed[y] || o->ret[y] > o->call[x]);
    free(placed);
}

static void check_order(const struct part *p, const void *initial, const uint32_t *order, size_t count,
                        bool complete)
{
    check_precedence(p, order, count, complete);
    void *state = initial ? p->spec->clone(initial) : p->spec->init(NULL);
    assert_true(runs(p, order, count, state, complete));
    p->spec->destroy(state);
}

/* ---- comparisons ---- */

/* The same part cut off after some events: whatever has not returned is pending. */
static bool prefix_holds(const struct sample *s, const void *initial, uint32_t events)
{
    struct sample cut = {.spec = s->spec, .part = s->part};
    const struct order *o = &s->part.order;
    VEC(uint32_t) called = {0};
    for (uint32_t i = 0; i < o->count; i++)
        if (o->call[i] < events)
            vec_push(&called, i);
    for (size_t i = 0; i < s->history.ops.len; i++)
        rows_push(&cut.history.ops, history_at(&s->history, i));
    struct part sub = part_restrict(&s->part, called.data, (uint32_t)called.len);
    sub.history = &cut.history;
    for (uint32_t k = 0; k < called.len; k++)
        if (o->ret[called.data[k]] >= events) {
            sub.order.ret[k] = ORDER_NEVER;
            history_change(&cut.history, part_history_index(&sub, k))->pending = 1;
        }
    bool holds;
    truth_of(&sub, initial, true, &holds);
    part_free(&sub);
    vec_free(&called);
    rows_free(&cut.history.ops);
    return holds;
}

static void check_violation(const struct sample *s, const void *initial, const struct decision *d)
{
    const struct part *p = &s->part;
    assert_true(prefix_holds(s, initial, d->legal_events));
    struct part core = part_restrict(p, d->core.data, (uint32_t)d->core.len);
    bool holds;
    truth_of(&core, initial, false, &holds);
    assert_false(holds);
    part_free(&core);
}

static void check_longest(const struct part *p, const void *initial, const struct truth *t)
{
    struct budget budget = budget_start(0, 0);
    struct decision d = {0};
    search_longest(p, initial, &budget, &d);
    check_order(p, initial, d.witness.data, d.witness.len, false);
    uint32_t completed = 0, total = 0;
    for (size_t i = 0; i < d.witness.len; i++)
        completed += p->order.ret[d.witness.data[i]] != ORDER_NEVER;
    for (uint32_t i = 0; i < p->order.count; i++)
        total += p->order.ret[i] != ORDER_NEVER;
    assert_int_equal(completed, t->most);
    assert_int_equal(d.core.len, completed < total);
    if (d.core.len) {
        bool placed[16] = {false};
        for (size_t i = 0; i < d.witness.len; i++)
            placed[d.witness.data[i]] = true;
        assert_false(placed[d.core.data[0]]);
        assert_true(may_follow(p, placed, d.core.data[0]));
    }
    decision_free(&d);
}

/* Every way to fail, of every order, is among the attempts; `placed` are the operations so far. */
static void check_ways_to_fail(const struct part *p, const struct search_attempts *a, uint64_t placed,
                               const void *state)
{
    bool list[16];
    for (uint32_t i = 0; i < 16; i++)
        list[i] = placed >> i & 1;
    for (uint32_t x = 0; x < p->order.count; x++) {
        if (list[x] || !may_follow(p, list, x))
            continue;
        struct plumb_call call = part_call(p, x);
        bool refused = true;
        for (unsigned choice = 0;; choice++) {
            void *next = p->spec->clone(state);
            bool possible = p->spec->step(next, &call, choice, NULL);
            bool in_vain = p->order.ret[x] == ORDER_NEVER && p->spec->equal(next, state);
            if (possible && !in_vain)
                check_ways_to_fail(p, a, placed | UINT64_C(1) << x, next);
            p->spec->destroy(next);
            refused &= !possible;
            if (!possible)
                break;
        }
        bool listed = !refused || part_op(p, x)->pending;
        for (size_t k = 0; k < a->list.len && !listed; k++) {
            uint64_t set = 0;
            for (size_t i = 0; i < a->list.data[k].order.len; i++)
                set |= UINT64_C(1) << a->list.data[k].order.data[i];
            listed = set == placed && a->list.data[k].refused == x;
        }
        assert_true(listed);
    }
}

static void check_untimely(const struct part *p, const void *initial, const struct search_attempts *a)
{
    size_t early = SIZE_MAX, late = SIZE_MAX;
    for (size_t k = 0; k < a->untimely.len; k++) {
        early = a->untimely.data[k] == a->too_early ? k : early;
        late = a->untimely.data[k] == a->too_late ? k : late;
    }
    if (!a->untimely.len)
        return;
    assert_true(early < late && late < a->untimely.len);
    assert_true(p->order.ret[a->too_late] < p->order.call[a->too_early]);
    void *state = initial ? p->spec->clone(initial) : p->spec->init(NULL);
    assert_true(runs(p, a->untimely.data, a->untimely.len, state, true));
    p->spec->destroy(state);
}

static void check_attempts(const struct part *p, const void *initial, const struct truth *t)
{
    struct budget budget = budget_start(0, 0);
    struct search_attempts all, few;
    search_attempts(p, initial, &budget, UINT32_MAX, &all);
    for (size_t k = 0; k < all.list.len; k++) {
        const struct search_attempt *a = &all.list.data[k];
        check_order(p, initial, a->order.data, a->order.len, false);
        uint32_t completed = 0, before = 0;
        for (size_t i = 0; i < a->order.len; i++)
            completed += p->order.ret[a->order.data[i]] != ORDER_NEVER;
        for (size_t i = 0; k && i < all.list.data[k - 1].order.len; i++)
            before += p->order.ret[all.list.data[k - 1].order.data[i]] != ORDER_NEVER;
        assert_true(k ? completed <= before : completed == t->most || p->spec->accept);
    }
    if (all.are_all) {
        void *state = initial ? p->spec->clone(initial) : p->spec->init(NULL);
        check_ways_to_fail(p, &all, 0, state);
        p->spec->destroy(state);
    }
    check_untimely(p, initial, &all);
    search_attempts(p, initial, &budget, 2, &few);
    assert_int_equal(few.list.len, all.list.len < 2 ? all.list.len : 2);
    assert_int_equal(few.are_all, all.are_all && all.list.len <= 2);
    search_attempts_free(&all);
    search_attempts_free(&few);
}

static bool check_sample(const struct sample *s, const void *initial)
{
    const struct part *p = &s->part;
    struct budget budget = budget_start(0, 0);
    struct decision d = {0};
    bool holds;
    struct truth t = truth_of(p, initial, false, &holds);
    enum verdict expected = holds ? VERDICT_HOLDS : VERDICT_VIOLATED;
    assert_int_equal(search_run(p, initial, &budget, &d, &(struct search_way){0}), expected);
    assert_int_equal(search_decide(p, initial, &budget, &d), expected);
    assert_int_equal(d.verdict, expected);
    assert_int_equal(confirm_decide(p, initial, &budget), expected);
    assert_int_equal(budget.bytes_used, 0);
    if (holds)
        check_order(p, initial, d.witness.data, d.witness.len, true);
    else
        check_violation(s, initial, &d);
    check_longest(p, initial, &t);
    if (!holds)
        check_attempts(p, initial, &t);
    decision_free(&d);
    return holds;
}

static void compare_with_truth(int toy, uint32_t rounds)
{
    uint32_t held = 0;
    struct plumb_call start = {.op = 0, .thread = 1, .arg = toy_int(1), .result = PLUMB_ANY};
    for (uint32_t i = 0; i < rounds; i++) {
        seed = (uint64_t)toy << 32 | i;
        struct sample *s = make_sample(toy, 1 + below(7), 1 + below(5), below(3) * 10);
        void *initial = below(4) ? NULL : s->spec.init(NULL);
        if (initial)
            s->spec.step(initial, &start, 0, NULL);
        held += check_sample(s, initial);
        if (initial)
            s->spec.destroy(initial);
        free_sample(s);
    }
    print_message("%s: %u of %u hold\n", toy_specs[toy].name, held, rounds);
    assert_in_range(held, rounds / 25, rounds * 24 / 25);
}

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
enum { ROUNDS = 1500 };
#else
enum { ROUNDS = 10000 };
#endif

static void test_register(void **x)
{
    (void)x;
    compare_with_truth(TOY_REGISTER, ROUNDS);
}
static void test_queue(void **x)
{
    (void)x;
    compare_with_truth(TOY_QUEUE, ROUNDS);
}
static void test_bag(void **x)
{
    (void)x;
    compare_with_truth(TOY_BAG, ROUNDS);
}
static void test_dice(void **x)
{
    (void)x;
    compare_with_truth(TOY_DICE, ROUNDS);
}
static void test_lock(void **x)
{
    (void)x;
    compare_with_truth(TOY_LOCK, ROUNDS);
}
static void test_parity(void **x)
{
    (void)x;
    compare_with_truth(TOY_PARITY, ROUNDS);
}

/* ---- long histories and limits ---- */

static void check_long(struct sample *s)
{
    struct budget budget = budget_start(0, 0);
    struct decision d = {0};
    assert_int_equal(search_decide(&s->part, NULL, &budget, &d), VERDICT_HOLDS);
    check_precedence(&s->part, d.witness.data, d.witness.len, true);
    void *state = s->spec.init(NULL);
    for (size_t k = 0; k < d.witness.len; k++) {
        struct plumb_call call = part_call(&s->part, d.witness.data[k]);
        assert_true(s->spec.step(state, &call, 0, NULL));
    }
    s->spec.destroy(state);
    assert_int_equal(budget.bytes_used, 0);
    decision_free(&d);
}

static void test_long(void **x)
{
    (void)x;
    static const uint32_t pending[] = {0, 3, 100};
    for (size_t i = 0; i < 3; i++) {
        seed = i;
        struct sample *s = make_long(TOY_REGISTER, 20000, 4, pending[i]);
        check_long(s);
        struct budget budget = budget_start(0, 0);
        if (!pending[i])
            assert_int_equal(confirm_decide(&s->part, NULL, &budget), VERDICT_HOLDS);
        free_sample(s);
    }
}

/* The last read sees what nobody wrote. */
static void break_end(struct sample *s)
{
    struct history_op *last = history_change(&s->history, s->history.ops.len - 1);
    *last = (struct history_op){.op = 1, .thread = last->thread, .arg = PLUMB_OK, .result = toy_int(7)};
    last->call = last->ret = 1000000;
    order_free(&s->part.order);
    s->part.order = rank(&s->history, false);
}

static void test_long_violation(void **x)
{
    (void)x;
    seed = 5;
    struct sample *s = make_long(TOY_REGISTER, 3000, 3, 0);
    break_end(s);
    struct budget budget = budget_start(0, 0);
    struct decision d = {0};
    assert_int_equal(search_decide(&s->part, NULL, &budget, &d), VERDICT_VIOLATED);
    assert_int_equal(d.legal_events, s->part.order.event_count - 1);
    assert_int_equal(d.core.len, s->history.ops.len);
    assert_int_equal(confirm_decide(&s->part, NULL, &budget), VERDICT_VIOLATED);
    search_longest(&s->part, NULL, &budget, &d);
    assert_int_equal(d.witness.len, s->history.ops.len - 1);
    assert_int_equal(d.core.len, 1);
    assert_int_equal(d.core.data[0], s->history.ops.len - 1);
    check_precedence(&s->part, d.witness.data, d.witness.len, false);
    decision_free(&d);
    free_sample(s);
}

static void test_limits(void **x)
{
    (void)x;
    seed = 6;
    struct sample *s = make_long(TOY_REGISTER, 400, 6, 8);
    struct decision d = {0};
    uint32_t limits = 0;
    for (size_t bytes = 100; bytes < 400000; bytes += bytes / 8) {
        struct budget budget = budget_start(0, bytes);
        enum verdict verdict = search_decide(&s->part, NULL, &budget, &d);
        assert_true(verdict == VERDICT_INCONCLUSIVE || verdict == VERDICT_HOLDS);
        assert_int_equal(verdict == VERDICT_INCONCLUSIVE, budget.spent == BUDGET_MEMORY);
        assert_int_equal(budget.bytes_used, 0);
        assert_true(verdict == VERDICT_HOLDS || d.legal_events < s->part.order.event_count);
        limits += verdict == VERDICT_INCONCLUSIVE;
        budget = budget_start(0, bytes);
        confirm_decide(&s->part, NULL, &budget);
        assert_int_equal(budget.bytes_used, 0);
        budget = budget_start(0, bytes);
        search_longest(&s->part, NULL, &budget, &d);
        check_precedence(&s->part, d.witness.data, d.witness.len, false);
        assert_int_equal(budget.spent, BUDGET_LEFT);
    }
    assert_in_range(limits, 10, 100);
    struct budget late = budget_start(1e-9, 0);
    assert_int_equal(search_decide(&s->part, NULL, &late, &d), VERDICT_INCONCLUSIVE);
    assert_int_equal(confirm_decide(&s->part, NULL, &late), VERDICT_INCONCLUSIVE);
    assert_int_equal(late.spent, BUDGET_TIME);
    decision_free(&d);
    free_sample(s);
}

static void test_empty(void **x)
{
    (void)x;
    struct sample *s = make_sample(TOY_LOCK, 0, 1, 0);
    assert_true(check_sample(s, NULL));
    free_sample(s);
}

/* A chain of ties survives the loss of a link. */
static void test_restrict_ties(void **x)
{
    (void)x;
    struct sample *s = make_sample(TOY_REGISTER, 0, 1, 0);
    for (uint32_t i = 0; i < 3; i++) {
        struct history_op op = {.call = 5, .ret = 5, .arg = toy_int(1), .result = PLUMB_OK};
        rows_push(&s->history.ops, &op);
    }
    order_free(&s->part.order);
    s->part.order = rank(&s->history, true);
    static const uint32_t ends[] = {0, 2};
    struct part sub = part_restrict(&s->part, ends, 2);
    assert_int_equal(sub.order.event_count, 4);
    assert_int_equal(sub.order.after[1], 0);
    assert_int_equal(sub.order.after[0], ORDER_NO_OP);
    assert_int_equal(part_history_index(&sub, 1), 2);
    part_free(&sub);
    free_sample(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_register), cmocka_unit_test(test_queue),          cmocka_unit_test(test_bag),
        cmocka_unit_test(test_dice),     cmocka_unit_test(test_lock),           cmocka_unit_test(test_parity),
        cmocka_unit_test(test_long),     cmocka_unit_test(test_long_violation), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_empty),    cmocka_unit_test(test_restrict_ties),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
