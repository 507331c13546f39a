/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes are sets of classes. Here every value is held against the letters themselves, and binding and
 * inference against a reading of random histories operation by operation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "spec/registry.h"
#include "spec/shape.h"

#include <string.h>

/* ------------------------------------------------------------------ the letters, word for word */

static bool is_value(plumb_value v)
{
    return v != PLUMB_OK && v != PLUMB_ANY;
}

static bool is_string(plumb_value v)
{
    return plumb_tag_of(v) == PLUMB_TAG_STRING;
}

/* The only transaction that the samples have: one of no parts. */
static bool is_nothing(const struct plumb_values *values, plumb_value v)
{
    return plumb_is_array(v) && plumb_array_count(values, v) == 0;
}

static bool arg_is(const struct plumb_values *values, char letter, plumb_value v)
{
    switch (letter) {
    case 'v': return is_value(v);
    case 'e': return is_value(v) && v != PLUMB_NONE;
    case 'i': return plumb_is_int(v);
    case 'n': return plumb_is_int(v) && plumb_int_of(values, v) >= 0;
    case 's': return is_string(v);
    case 't': return is_nothing(values, v);
    case 'p':
        if (!plumb_is_array(v))
            return plumb_is_int(v);
        return plumb_array_count(values, v) == 2 && arg_is(values, 'i', plumb_array_item(values, v, 0)) &&
               arg_is(values, 'e', plumb_array_item(values, v, 1));
    default: return false;
    }
}

static bool args_are(const struct plumb_values *values, const char *letters, plumb_value arg)
{
    size_t arity = strlen(letters);
    if (arity == 0)
        return arg == PLUMB_OK || arg == PLUMB_NONE;
    if (arity == 1)
        return arg_is(values, letters[0], arg);
    if (!plumb_is_array(arg) || plumb_array_count(values, arg) != arity)
        return false;
    for (size_t i = 0; i < arity; i++)
        if (!arg_is(values, letters[i], plumb_array_item(values, arg, i)))
            return false;
    return true;
}

static bool result_is(char letter, plumb_value v)
{
    switch (letter) {
    case 'v': return is_value(v);
    case 'N': return v == PLUMB_NONE;
    case 'b': return plumb_is_bool(v);
    case 'i': return plumb_is_int(v);
    case 's': return is_string(v);
    case 'a': return plumb_is_array(v);
    case 'k': return v == PLUMB_OK || v == PLUMB_NONE;
    default: return false;
    }
}

static bool results_have(const char *letters, const struct history_op *op)
{
    bool fits = op->pending || op->result == PLUMB_ANY;
    for (; *letters; letters++)
        fits |= result_is(*letters, op->result);
    return fits;
}

static bool fits(const struct plumb_values *values, const struct plumb_operation *o,
                 const struct history_op *op)
{
    bool other = *o->args == 't' && !op->pending && plumb_is_array(op->result);
    return args_are(values, o->args, op->arg) && results_have(o->results, op) &&
           (!other || is_nothing(values, op->result));
}

/* ------------------------------------------------------------------ values of all kinds */

enum { PLAIN = 14, MANY = PLAIN + 1 + PLAIN + PLAIN * PLAIN + 8 };

struct samples {
    plumb_value all[MANY];
    size_t count;
};

static plumb_value add(struct samples *s, plumb_value v)
{
    assert_true(s->count < MANY);
    return s->all[s->count++] = v;
}

static void make_plain(struct samples *s, struct plumb_values *values)
{
    static const int64_t numbers[] = {0, 5, -1, PLUMB_PAIR_MAX + 1, PLUMB_PAIR_MIN - 1, INT64_MAX, INT64_MIN};
    static const plumb_value constants[] = {PLUMB_NONE, PLUMB_FALSE, PLUMB_TRUE, PLUMB_OK, PLUMB_ANY};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        add(s, plumb_int(values, numbers[i]));
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++)
        add(s, constants[i]);
    add(s, plumb_string(values, "a", 1));
    add(s, plumb_array(values, s->all, 2));
    assert_int_equal(s->count, PLAIN);
}

static struct samples make_samples(struct plumb_values *values)
{
    struct samples s = {.count = 0};
    make_plain(&s, values);
    add(&s, plumb_array(values, NULL, 0));
    for (size_t i = 0; i < PLAIN; i++)
        add(&s, plumb_array(values, &s.all[i], 1));
    for (size_t i = 0; i < PLAIN * PLAIN; i++)
        add(&s, plumb_array(values, (plumb_value[]){s.all[i / PLAIN], s.all[i % PLAIN]}, 2));
    for (size_t i = 0; i < 8; i++)
        add(&s, plumb_array(values, (plumb_value[]){s.all[i], s.all[i + 4], s.all[13 - i]}, 3));
    return s;
}

/* ------------------------------------------------------------------ tests */

static void check_operation(struct plumb_values *values, const struct samples *s,
                            const struct plumb_operation *o)
{
    struct shape shape = shape_of(o);
    for (size_t i = 0; i < s->count; i++) {
        struct history_op op = {.arg = s->all[i], .result = s->all[i]};
        assert_int_equal(shape_arg_fits(&shape, values, op.arg), args_are(values, o->args, op.arg));
        for (uint16_t pending = 0; pending < 2; pending++) {
            op.pending = pending;
            assert_int_equal(shape.results >> shape_result_class(values, &op) & 1,
                             results_have(o->results, &op));
            assert_int_equal(shape_fits(&shape, values, &op), fits(values, o, &op));
        }
    }
}

static const struct plumb_spec *numbered(unsigned s)
{
    return s < spec_count ? spec_all[s] : spec_extensions[s - spec_count];
}

static void test_classes_say_what_letters_say(void **unused)
{
    (void)unused;
    static const struct plumb_operation others[] = {
        {"three", "ivs", "k", false, PLUMB_NO_ROLE, NULL}, {"nested", "pv", "i", false, PLUMB_NO_ROLE, NULL},
        {"late", "ep", "b", false, PLUMB_NO_ROLE, NULL},   {"four", "vvpn", "vN", false, PLUMB_NO_ROLE, NULL},
        {"same", "ii", "sa", false, PLUMB_NO_ROLE, NULL},
    };
    struct plumb_values *values = plumb_values_create();
    struct samples s = make_samples(values);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        check_operation(values, &s, &others[i]);
    for (unsigned i = 0; i < spec_count + spec_extension_count; i++)
        for (uint32_t o = 0; o < numbered(i)->operation_count; o++)
            check_operation(values, &s, &numbered(i)->operations[o]);
    plumb_values_destroy(values);
}

static void test_deep_arguments(void **unused)
{
    (void)unused;
    struct plumb_values *values = plumb_values_create();
    plumb_value i = plumb_int(values, 1), x = plumb_string(values, "x", 1);
    struct shape shape = shape_of(&(struct plumb_operation){"f", "ivs", "k", false, PLUMB_NO_ROLE, NULL});
    assert_true(shape_arg_fits(&shape, values, plumb_array(values, (plumb_value[]){i, PLUMB_NONE, x}, 3)));
    assert_false(shape_arg_fits(&shape, values, plumb_array(values, (plumb_value[]){i, x, i}, 3)));
    assert_false(shape_arg_fits(&shape, values, plumb_array(values, (plumb_value[]){i, i}, 2)));
    shape = shape_of(&(struct plumb_operation){"f", "pv", "k", false, PLUMB_NO_ROLE, NULL});
    plumb_value pair = plumb_array(values, (plumb_value[]){i, x}, 2);
    assert_true(shape_arg_fits(&shape, values, plumb_array(values, (plumb_value[]){pair, i}, 2)));
    assert_true(shape_arg_fits(&shape, values, plumb_array(values, (plumb_value[]){i, i}, 2)));
    assert_false(shape_arg_fits(&shape, values, plumb_array(values, (plumb_value[]){x, i}, 2)));
    plumb_values_destroy(values);
}

static uint64_t random_state = 1;

static uint32_t random_below(uint32_t bound)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) % bound);
}

/* Mostly operations of one specification with values that fit it, so that inference is not over at once. */
static struct history *random_history(void)
{
    struct history *h = history_create();
    struct samples s = make_samples(h->values);
    const struct plumb_spec *spec = numbered(random_below(spec_count + spec_extension_count));
    uint32_t count = 1 + random_below(4);
    for (uint32_t i = 0; i < count; i++) {
        if (random_below(12) == 0)
            spec = numbered(random_below(spec_count + spec_extension_count));
        const struct plumb_operation *o = &spec->operations[random_below(spec->operation_count)];
        struct history_op op = {.op = history_op_name(h, o->name, strlen(o->name)), .call = i, .ret = i};
        unsigned tries = random_below(20) ? 500 : 1;
        do {
            op.arg = s.all[random_below((uint32_t)s.count)];
            op.result = s.all[random_below(PLAIN + 1)];
        } while (--tries && !fits(h->values, o, &op));
        op.pending = random_below(8) == 0;
        history_add(h, op, history_object(h, plumb_int(h->values, random_below(2))));
    }
    return h;
}

enum fitting { BY_SHAPE, BY_NAME, BOUND /* an addition that always succeeds may say true */ };

static bool is_fine(const struct history *h, const struct plumb_operation *o, struct history_op op,
                    enum fitting fitting)
{
    bool adds = o->role == PLUMB_ADDS && !strcmp(o->results, "k");
    if (fitting == BOUND && adds && op.result == PLUMB_TRUE)
        op.result = PLUMB_OK;
    return fitting == BY_NAME || fits(h->values, o, &op);
}

/* The first operation of `object` that the specification does not have (by name) or does not accept. */
static size_t first_misfit(const struct history *h, uint32_t object, const struct plumb_spec *spec,
                           enum fitting fitting)
{
    for (size_t i = 0; i < h->ops.len; i++) {
        const struct history_op *op = history_at(h, i);
        uint32_t number = spec_operation(spec, h->op_names.data[op->op]);
        bool fine = number != UINT32_MAX && is_fine(h, &spec->operations[number], *op, fitting);
        if (history_object_of(h, i) == object && !fine)
            return i;
    }
    return h->ops.len;
}

static const struct plumb_spec *expected_spec(const struct history *h, uint32_t object)
{
    for (enum fitting fitting = BY_SHAPE; fitting <= BY_NAME; fitting++)
        for (unsigned s = 0; s < spec_count + spec_extension_count; s++)
            if (first_misfit(h, object, numbered(s), fitting) == h->ops.len)
                return numbered(s);
    return NULL;
}

static bool check_inference(const struct history *h, const struct plumb_spec **specs)
{
    bool all = true;
    for (uint32_t o = 0; o < h->object_names.len; o++)
        all = all && expected_spec(h, o);
    struct diagnostic d = {0};
    assert_int_equal(spec_infer_all(h, specs, &d), all);
    assert_int_equal(d.code, all ? 0 : PL_NO_SPEC);
    for (uint32_t o = 0; o < h->object_names.len && all; o++)
        assert_ptr_equal(specs[o], expected_spec(h, o));
    return all;
}

static bool check_binding(struct history *h, const struct plumb_spec **specs)
{
    size_t wrong = h->ops.len;
    for (uint32_t o = 0; o < h->object_names.len; o++) {
        size_t misfit = first_misfit(h, o, specs[o], BOUND);
        wrong = misfit < wrong ? misfit : wrong;
    }
    struct diagnostic d = {0};
    bool bound = spec_bind(h, specs, &d);
    assert_int_equal(bound, wrong == h->ops.len);
    assert_int_equal(d.code, bound ? 0 : PL_BAD_ARGUMENT);
    assert_int_equal(d.line, bound ? 0 : wrong + 1);
    return bound;
}

static void test_random_histories(void **unused)
{
    (void)unused;
    unsigned inferred = 0, bound = 0;
    enum { RUNS = 4000 };
    for (int run = 0; run < RUNS; run++) {
        struct history *h = random_history();
        const struct plumb_spec *specs[2] = {0};
        if (check_inference(h, specs)) {
            inferred++;
            bound += check_binding(h, specs);
        }
        history_destroy(h);
    }
    assert_true(inferred > RUNS / 2 && inferred < RUNS);
    assert_true(bound > inferred / 2 && bound < inferred);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes_say_what_letters_say),
        cmocka_unit_test(test_deep_arguments),
        cmocka_unit_test(test_random_histories),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
