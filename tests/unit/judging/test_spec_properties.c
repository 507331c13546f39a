/* SPDX-License-Identifier: Apache-2.0 */
/* What every specification promises (docs/internals/histories/specifications.md), on random walks; and the
 * larger state representations against plain arrays. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "spec/registry.h"

#include <string.h>

static uint64_t random_state = 1;

static uint32_t random_below(uint32_t bound)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((random_state >> 33) % bound);
}

static struct plumb_values *values;

static plumb_value integer(int64_t i)
{
    return plumb_int(values, i);
}

static plumb_value random_string(void)
{
    static const char *const strings[] = {"", "a", "b", "ab"};
    const char *s = strings[random_below(4)];
    return plumb_string(values, s, strlen(s));
}

static plumb_value random_transaction(void)
{
    plumb_value parts[2];
    for (unsigned i = 0; i < 2; i++) {
        bool writes = random_below(2);
        plumb_value items[] = {plumb_string(values, writes ? "w" : "r", 1), integer(random_below(3)),
                               writes ? integer(random_below(3)) : PLUMB_NONE};
        parts[i] = plumb_array(values, items, 3);
    }
    return plumb_array(values, parts, random_below(3));
}

static plumb_value random_arg_letter(char letter)
{
    if (letter == 's')
        return random_string();
    if (letter == 'p' && random_below(2))
        return plumb_array(values, (plumb_value[]){integer(random_below(2)), integer(random_below(3))}, 2);
    if (letter == 'i')
        return integer((int64_t)random_below(4) - 1);
    return letter == 't' ? random_transaction() : integer(random_below(3));
}

static struct plumb_call random_call(const struct plumb_spec *spec)
{
    struct plumb_call call = {random_below(spec->operation_count), random_below(3), PLUMB_OK, PLUMB_ANY};
    const char *args = spec->operations[call.op].args;
    if (strlen(args) == 1)
        call.arg = random_arg_letter(args[0]);
    if (strlen(args) == 2) {
        plumb_value first = random_arg_letter(args[0]);
        call.arg = plumb_array(values, (plumb_value[]){first, random_arg_letter(args[1])}, 2);
    }
    return call;
}

static void *start(const struct plumb_spec *spec)
{
    return spec->init(&(struct plumb_spec_options){values, PLUMB_OK});
}

static bool same(const struct plumb_spec *spec, const void *a, const void *b)
{
    bool equal = spec->equal(a, b);
    assert_int_equal(equal, spec->equal(b, a));
    if (equal)
        assert_true(spec->hash(a) == spec->hash(b));
    return equal;
}

/* Looks at all outcomes of `call` in `state` without changing it; returns how many there are. */
static unsigned check_outcomes(const struct plumb_spec *spec, void *state, struct plumb_call call)
{
    bool quiet_any = spec_effect_free(spec, &call), reads = spec->operations[call.op].reads;
    assert_true(!reads || quiet_any);
    plumb_value seen[64];
    for (unsigned choice = 0;; choice++) {
        void *next = spec->clone(state);
        assert_true(same(spec, state, next));
        call.result = PLUMB_ANY;
        plumb_value result = PLUMB_ANY;
        bool possible = spec->step(next, &call, choice, &result);
        if (!possible) {
            assert_true(same(spec, state, next));
            spec->destroy(next);
            return choice;
        }
        for (unsigned i = 0; i < choice; i++)
            assert_true(seen[i] != result);
        seen[choice] = result;

        call.result = result;
        void *again = spec->clone(state);
        assert_true(spec->step(again, &call, 0, NULL));
        assert_true(same(spec, next, again));
        assert_false(spec->step(again, &call, 1, NULL));
        if (quiet_any || spec_effect_free(spec, &call))
            assert_true(same(spec, state, next));
        spec->destroy(again);
        spec->destroy(next);
    }
}

/* A result that is not among the outcomes is refused. */
static void check_refusal(const struct plumb_spec *spec, void *state, struct plumb_call call)
{
    static const plumb_value odd[] = {PLUMB_NONE, PLUMB_TRUE, PLUMB_FALSE, PLUMB_OK};
    call.result = random_below(2) ? odd[random_below(4)] : integer(random_below(4));
    void *trial = spec->clone(state);
    plumb_value result = PLUMB_ANY;
    if (spec->step(trial, &call, 0, &result)) {
        assert_true(result == call.result);
        if (spec_effect_free(spec, &call))
            assert_true(same(spec, state, trial));
    } else {
        assert_true(same(spec, state, trial));
    }
    spec->destroy(trial);
}

static void walk(const struct plumb_spec *spec, void *state, unsigned steps)
{
    for (unsigned i = 0; i < steps; i++) {
        struct plumb_call call = random_call(spec);
        unsigned outcomes = check_outcomes(spec, state, call);
        check_refusal(spec, state, call);
        assert_int_equal(spec_blocks(spec, state, &call), outcomes == 0);
        if (outcomes)
            assert_true(spec->step(state, &call, random_below(outcomes), NULL));
    }
}

/* Printed states are canonical as long as nothing is cut off: states are equal when their texts are. (Texts of locks
 * do not name the holder: a state knows numbers of threads, not their names.) */
static void check_pairs(const struct plumb_spec *spec, void **states, unsigned count)
{
    static char text[64][1024];
    for (unsigned i = 0; i < count; i++)
        assert_true(spec->print(states[i], text[i], sizeof text[i]) < sizeof text[i]);
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = 0; j < count; j++)
            if (same(spec, states[i], states[j]))
                assert_string_equal(text[i], text[j]);
            else if (!strstr(text[i], "more") && !spec->thread_matters)
                assert_int_equal(same(spec, states[i], states[j]), !strcmp(text[i], text[j]));
}

static void test_walks(void **unused)
{
    (void)unused;
    enum { WALKS = 64 };
    for (unsigned s = 0; s < spec_count + spec_extension_count; s++) {
        const struct plumb_spec *spec = s < spec_count ? spec_all[s] : spec_extensions[s - spec_count];
        void *states[WALKS];
        for (unsigned i = 0; i < WALKS; i++) {
            states[i] = start(spec);
            walk(spec, states[i], i / 2);
        }
        check_pairs(spec, states, WALKS);
        for (unsigned i = 0; i < WALKS; i++)
            spec->destroy(states[i]);
    }
}

static bool step(const struct plumb_spec *spec, void *state, const char *op, plumb_value arg,
                 plumb_value result)
{
    struct plumb_call call = {spec_operation(spec, op), 0, arg, result};
    return spec->step(state, &call, 0, NULL);
}

static void shuffle(int *numbers, int count)
{
    for (int i = count - 1; i > 0; i--) {
        int j = (int)random_below((uint32_t)i + 1), kept = numbers[i];
        numbers[i] = numbers[j];
        numbers[j] = kept;
    }
}

/* The same elements in another order, with detours: equal states for everything without an order. */
static void test_routes(void **unused)
{
    (void)unused;
    static const struct {
        const char *spec, *add, *remove;
        bool arg, bool_add;
    } cases[] = {{"pqueue", "insert", NULL, false, false},
                 {"set", "add", "remove", true, true},
                 {"multiset", "add", "remove", true, false},
                 {"bag", "add", NULL, false, false}};
    enum { COUNT = 200 };
    int numbers[COUNT];
    for (int i = 0; i < COUNT; i++)
        numbers[i] = i;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const struct plumb_spec *spec = spec_find(cases[c].spec);
        void *first = NULL;
        for (int round = 0; round < 20; round++) {
            void *state = start(spec);
            shuffle(numbers, COUNT);
            for (int i = 0; i < COUNT; i++) {
                plumb_value v = integer(numbers[i]);
                assert_true(step(spec, state, cases[c].add, v, PLUMB_ANY));
                if (cases[c].remove && i % 3 == 0) {
                    assert_true(step(spec, state, cases[c].remove, v, PLUMB_TRUE));
                    assert_true(
                        step(spec, state, cases[c].add, v, cases[c].bool_add ? PLUMB_TRUE : PLUMB_OK));
                }
            }
            if (first) {
                assert_true(same(spec, first, state));
                spec->destroy(state);
            } else {
                first = state;
            }
        }
        spec->destroy(first);
    }
}

/* Pieces do not matter, only the string they make. */
static void test_kv_pieces(void **unused)
{
    (void)unused;
    const struct plumb_spec *kv = spec_find("kv");
    static const char whole[] = "linearizable";
    void *first = NULL;
    for (int round = 0; round < 50; round++) {
        void *state = start(kv);
        for (size_t at = 0; at < sizeof whole - 1;) {
            size_t length = 1 + random_below((uint32_t)(sizeof whole - 1 - at));
            plumb_value piece = plumb_string(values, whole + at, length);
            plumb_value arg = plumb_array(values, (plumb_value[]){integer(1), piece}, 2);
            void *kept = kv->clone(state);
            assert_true(step(kv, state, "append", arg, PLUMB_OK));
            kv->destroy(kept);
            at += length;
        }
        plumb_value all = plumb_string(values, whole, sizeof whole - 1);
        assert_true(step(kv, state, "get", integer(1), all));
        if (first) {
            assert_true(same(kv, first, state));
            kv->destroy(state);
        } else {
            first = state;
        }
    }
    kv->destroy(first);
}

/* A long chain must neither overflow the stack nor take quadratic memory. */
static void test_kv_long(void **unused)
{
    (void)unused;
    const struct plumb_spec *kv = spec_find("kv");
    void *state = start(kv);
    plumb_value piece = plumb_string(values, "0123456789", 10);
    plumb_value arg = plumb_array(values, (plumb_value[]){integer(1), piece}, 2);
    for (int i = 0; i < 300000; i++)
        assert_true(step(kv, state, "append", arg, PLUMB_OK));
    void *copy = kv->clone(state);
    kv->destroy(state);
    kv->destroy(copy);
}

/* A deque of many elements against an array with two indices. */
static void test_large_deque(void **unused)
{
    (void)unused;
    enum { SIZE = 1 << 16, STEPS = 30000 };
    const struct plumb_spec *deque = spec_find("deque");
    int64_t *array = NEW_ZEROED(int64_t, 2 * SIZE);
    uint32_t front = SIZE, back = SIZE;
    void *state = start(deque);
    for (int i = 0; i < STEPS; i++) {
        uint32_t what = random_below(i < STEPS / 2 ? 6 : 8);
        if (what == 0 || what == 1) {
            array[--front] = i;
            assert_true(step(deque, state, "push_front", integer(i), PLUMB_OK));
        } else if (what == 2 || what == 3) {
            array[back++] = i;
            assert_true(step(deque, state, "push_back", integer(i), PLUMB_OK));
        } else {
            bool at_front = what & 1, empty = front == back;
            plumb_value expected = empty ? PLUMB_NONE : integer(array[at_front ? front : back - 1]);
            assert_true(step(deque, state, at_front ? "pop_front" : "pop_back", PLUMB_OK, expected));
            front += at_front && !empty;
            back -= !at_front && !empty;
        }
        if (i % 1000 == 0) {
            void *copy = deque->clone(state);
            assert_true(same(deque, state, copy));
            deque->destroy(state);
            state = copy;
        }
    }
    deque->destroy(state);
    free(array);
}

/* Priorities repeat, values too: against the number of copies of each (priority, value). */
static void test_large_pqueue(void **unused)
{
    (void)unused;
    enum { PRIORITIES = 40, VALUES = 30, STEPS = 40000 };
    static unsigned copies[PRIORITIES][VALUES];
    const struct plumb_spec *pqueue = spec_find("pqueue");
    void *state = start(pqueue);
    for (int i = 0; i < STEPS; i++) {
        uint32_t p = random_below(PRIORITIES), v = random_below(VALUES);
        if (random_below(i < STEPS / 2 ? 3 : 2) != 0) {
            plumb_value arg = plumb_array(values, (plumb_value[]){integer(p), integer(v)}, 2);
            assert_true(step(pqueue, state, "insert", arg, PLUMB_OK));
            copies[p][v]++;
            continue;
        }
        uint32_t least = 0, kinds = 0;
        for (; least < PRIORITIES && !kinds; least += !kinds)
            for (uint32_t k = 0; k < VALUES; k++)
                kinds += copies[least][k] > 0;
        assert_int_equal(step(pqueue, state, "delete_min", PLUMB_OK, PLUMB_NONE), kinds == 0);
        if (!kinds)
            continue;
        struct plumb_call min = {spec_operation(pqueue, "min"), 0, PLUMB_OK, PLUMB_ANY};
        unsigned outcomes = 0;
        while (pqueue->step(state, &min, outcomes, NULL))
            outcomes++;
        assert_int_equal(outcomes, kinds);
        bool possible = copies[least][v] > 0;
        assert_int_equal(step(pqueue, state, "delete_min", PLUMB_OK, integer(v)), possible);
        copies[least][v] -= possible;
    }
    pqueue->destroy(state);
}

static void test_large_map(void **unused)
{
    (void)unused;
    enum { KEYS = 3000, STEPS = 60000 };
    static int64_t array[KEYS];
    const struct plumb_spec *map = spec_find("map");
    void *state = start(map);
    for (int i = 1; i <= STEPS; i++) {
        uint32_t k = random_below(i < STEPS / 2 ? KEYS : KEYS / 10);
        plumb_value key = integer(k), pair = plumb_array(values, (plumb_value[]){key, integer(i)}, 2);
        switch (random_below(4)) {
        case 0:
            assert_true(step(map, state, "put", pair, PLUMB_OK));
            array[k] = i;
            break;
        case 1:
            assert_true(step(map, state, "put_if_absent", pair, plumb_bool(!array[k])));
            array[k] = array[k] ? array[k] : i;
            break;
        case 2:
            assert_true(step(map, state, "remove", key, plumb_bool(array[k])));
            array[k] = 0;
            break;
        default: assert_true(step(map, state, "get", key, array[k] ? integer(array[k]) : PLUMB_NONE));
        }
        if (i % 5000 == 0) {
            void *copy = map->clone(state);
            assert_true(same(map, state, copy));
            map->destroy(state);
            state = copy;
        }
    }
    map->destroy(state);
}

/* A table that shrank has an index that is too large for its clones. */
static void test_shrunken_clone(void **unused)
{
    (void)unused;
    const struct plumb_spec *set = spec_find("set");
    void *state = start(set);
    for (int i = 0; i < 5000; i++)
        assert_true(step(set, state, "add", integer(i), PLUMB_TRUE));
    for (int i = 0; i < 4980; i++)
        assert_true(step(set, state, "remove", integer(i), PLUMB_TRUE));
    void *copy = set->clone(state);
    assert_true(same(set, state, copy));
    for (int i = 0; i < 5000; i++)
        assert_true(step(set, copy, "contains", integer(i), plumb_bool(i >= 4980)));
    set->destroy(copy);
    set->destroy(state);
}

static void test_keys(void **unused)
{
    (void)unused;
    const struct plumb_spec *map = spec_find("map"), *set = spec_find("set");
    plumb_value pair = plumb_array(values, (plumb_value[]){integer(1), integer(2)}, 2);
    struct plumb_call put = {spec_operation(map, "put"), 0, pair, PLUMB_OK};
    struct plumb_call get = {spec_operation(map, "get"), 0, pair, PLUMB_NONE};
    assert_true(map->key(values, &put) == integer(1));
    assert_true(map->key(values, &get) == pair);
    assert_true(set->key(values, &get) == pair);
    assert_null(spec_find("snapshot")->key);
}

static int make_values(void **unused)
{
    (void)unused;
    values = plumb_values_create();
    return 0;
}

static int drop_values(void **unused)
{
    (void)unused;
    plumb_values_destroy(values);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walks),       cmocka_unit_test(test_routes),
        cmocka_unit_test(test_kv_pieces),   cmocka_unit_test(test_kv_long),
        cmocka_unit_test(test_large_deque), cmocka_unit_test(test_large_pqueue),
        cmocka_unit_test(test_large_map),   cmocka_unit_test(test_shrunken_clone),
        cmocka_unit_test(test_keys),
    };
    return cmocka_run_group_tests(tests, make_values, drop_values);
}
