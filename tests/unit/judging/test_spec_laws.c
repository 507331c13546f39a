/* SPDX-License-Identifier: Apache-2.0 */
/* The laws of specifications: every built-in one keeps them, and specifications with one mistake each do not. Also what a
 * user's specification must have, and what is filled in for it. */
#include "ownspec/spec_laws.h"
#include "spec/spec_user.h"

#include "base/hash.h"
#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* --- a bounded counter to spoil; states are never freed by the laws once one is broken, so they live in an arena ---------- */

static struct arena states;

struct cell {
    uint32_t n;
    uint32_t spoilt; /* no part of the state */
};

enum { INC, GET, ADD, MOST = 5 };

static const struct plumb_operation operations[] = {[INC] = {"inc", "", "b", false, PLUMB_NO_ROLE, NULL},
                                                    [GET] = {"get", "", "i", true, PLUMB_NO_ROLE, NULL},
                                                    [ADD] = {"add", "n", "k", false, PLUMB_NO_ROLE, NULL}};

static struct cell *new_cell(void)
{
    struct cell *c = arena_alloc(&states, sizeof *c);
    *c = (struct cell){0};
    return c;
}

static void *init(const struct plumb_spec_options *options)
{
    (void)options;
    return new_cell();
}

static void destroy(void *state)
{
    ((struct cell *)state)->n = 1000;
}

static void *clone(const void *state)
{
    struct cell *c = new_cell();
    *c = *(const struct cell *)state;
    return c;
}

static uint64_t hash(const void *state)
{
    return hash_word(((const struct cell *)state)->n);
}

static bool equal(const void *a, const void *b)
{
    return ((const struct cell *)a)->n == ((const struct cell *)b)->n;
}

static plumb_value small(uint32_t n)
{
    return (plumb_value)n << 3;
}

/* `add` waits when there is no room. */
static bool step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct cell *c = state;
    uint32_t amount = call->op == ADD ? (uint32_t)(call->arg >> 3) : call->op == INC && c->n < MOST;
    plumb_value answer = call->op == ADD ? PLUMB_OK : call->op == GET ? small(c->n) : plumb_bool(c->n < MOST);
    if (choice || c->n + amount > MOST || !plumb_answer(call, answer, result))
        return false;
    c->n += amount;
    return true;
}

static const struct plumb_spec right = {
    .name = "cell",
    .operations = operations,
    .operation_count = 3,
    .init = init,
    .destroy = destroy,
    .clone = clone,
    .hash = hash,
    .equal = equal,
    .step = step,
    .deterministic = true,
};

/* --- one mistake each ---------------------------------------------------------------------------------------------------- */

static void *init_nothing(const struct plumb_spec_options *options)
{
    (void)options;
    return NULL;
}

static void *clone_itself(const void *state)
{
    return (void *)(uintptr_t)state;
}

static void *clone_less(const void *state)
{
    struct cell *c = clone(state);
    c->n = c->n > 2 ? 2 : c->n;
    return c;
}

static uint64_t hash_address(const void *state)
{
    return (uintptr_t)state;
}

static uint64_t hash_spoilt(const void *state)
{
    return ((const struct cell *)state)->spoilt;
}

static bool equal_never(const void *a, const void *b)
{
    return !a && !b;
}

static bool equal_always(const void *a, const void *b)
{
    return a && b;
}

static bool equal_one_way(const void *a, const void *b)
{
    return ((const struct cell *)a)->n <= ((const struct cell *)b)->n;
}

static uint64_t hash_constant(const void *state)
{
    (void)state;
    return 7;
}

static bool step_changes(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    if (step(state, call, choice, result))
        return true;
    ((struct cell *)state)->n = 0;
    return false;
}

static bool step_deaf(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct plumb_call any = *call;
    any.result = PLUMB_ANY;
    return step(state, &any, choice, result);
}

static bool step_mute(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    return (call->result == PLUMB_ANY || call->op != GET) && step(state, call, choice, result);
}

static bool step_wrong_kind(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    bool done = step(state, call, choice, result);
    if (done && call->op == GET && result)
        *result = PLUMB_NONE;
    return done;
}

static bool step_moody(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    static unsigned mood;
    return (call->op != ADD || !(mood++ & 2)) && step(state, call, choice, result);
}

static bool step_private(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    return (call->op != INC || call->thread != 1) && step(state, call, choice, result);
}

static bool step_reads_away(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    bool done = step(state, call, choice, result);
    if (done && call->op == GET)
        ((struct cell *)state)->n = 0;
    return done;
}

static bool step_twice(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct cell *c = state;
    if (call->op != ADD || choice > 1 || c->n == MOST)
        return step(state, call, choice, result);
    if (!step(state, call, 0, result))
        return false;
    c->n = choice ? 0 : c->n;
    return true;
}

static bool step_forgets(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    bool done = step(state, call, choice, result);
    ((struct cell *)state)->spoilt += done;
    return done;
}

static plumb_value key_by_operation(const struct plumb_values *values, const struct plumb_call *call)
{
    (void)values;
    return small(call->op);
}

static bool blocks_never(const void *state, const struct plumb_call *call)
{
    return !state && !call;
}

static bool effect_free_always(const struct plumb_call *call)
{
    return call != NULL;
}

static size_t print_open(const void *state, char *buffer, size_t size)
{
    (void)state;
    memset(buffer, 'x', size);
    return size;
}

static size_t print_beyond(const void *state, char *buffer, size_t size)
{
    (void)state;
    memset(buffer, 0, size + 1);
    return size;
}

/* ------------------------------------------------------------------------------------------------------------------------- */

static void assert_breaks(const struct plumb_spec *wrong, const char *law)
{
    struct diagnostic d = {0};
    assert_true(spec_user_adopt(wrong, &d));
    bool holds = spec_laws_hold(spec_added(), &d);
    if (holds || !strstr(d.message, law))
        fail_msg("expected '%s', not '%s'", law, holds ? "holds" : d.message);
    assert_int_equal(d.code, PL_BAD_SPEC);
    spec_add(NULL);
}

#define ASSERT_BREAKS(law, ...)          \
    do {                                 \
        struct plumb_spec wrong = right; \
        wrong.__VA_ARGS__;               \
        assert_breaks(&wrong, law);      \
    } while (0)

static void test_built_in(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < spec_count + spec_extension_count; i++) {
        struct diagnostic d = {0};
        if (!spec_laws_hold(i < spec_count ? spec_all[i] : spec_extensions[i - spec_count], &d))
            fail_msg("%s", d.message);
    }
}

static void test_right(void **unused)
{
    (void)unused;
    struct diagnostic d = {0};
    assert_true(spec_user_adopt(&right, &d));
    if (!spec_laws_hold(spec_added(), &d))
        fail_msg("%s", d.message);
    spec_add(NULL);
}

static void test_wrong_states(void **unused)
{
    (void)unused;
    ASSERT_BREAKS("init answers a state", init = init_nothing);
    ASSERT_BREAKS("clone makes a new state", clone = clone_itself);
    ASSERT_BREAKS("a clone is equal to its original", clone = clone_less);
    ASSERT_BREAKS("a clone has the hash of its original", hash = hash_address);
    ASSERT_BREAKS("a state is equal to itself", equal = equal_never);
    ASSERT_BREAKS("does not depend on the order of its arguments", equal = equal_one_way);
    ASSERT_BREAKS("within the buffer", print = print_open);
    ASSERT_BREAKS("nothing behind the buffer", print = print_beyond);
    struct plumb_spec wrong = right;
    wrong.equal = equal_always;
    wrong.hash = hash_constant;
    assert_breaks(&wrong, "a call has the same outcomes in equal states");
    wrong = right;
    wrong.step = step_forgets;
    wrong.hash = hash_spoilt;
    assert_breaks(&wrong, "equal states have equal hashes");
}

static void test_wrong_steps(void **unused)
{
    (void)unused;
    ASSERT_BREAKS("a step that answers false leaves the state as it was", step = step_changes);
    ASSERT_BREAKS("outcomes with that result, and no others", step = step_deaf);
    ASSERT_BREAKS("outcomes with that result, and no others", step = step_mute);
    ASSERT_BREAKS("letters of the operation's results", step = step_wrong_kind);
    ASSERT_BREAKS("step is a function of the state, the call and the choice", step = step_moody);
    ASSERT_BREAKS("which thread calls", step = step_private);
    ASSERT_BREAKS("an operation that reads", step = step_reads_away);
    ASSERT_BREAKS("with .deterministic", step = step_twice);
    ASSERT_BREAKS("different keys do not depend", key = key_by_operation);
    ASSERT_BREAKS("blocks says that a call waits exactly when", blocks = blocks_never);
    ASSERT_BREAKS("by effect_free", effect_free = effect_free_always);
}

static void assert_refused(const struct plumb_spec *wrong, const char *why)
{
    struct diagnostic d = {0};
    bool adopted = spec_user_adopt(wrong, &d);
    if (adopted || !strstr(d.message, why))
        fail_msg("expected '%s', not '%s'", why, d.message);
    assert_null(spec_added());
}

#define ASSERT_REFUSED(why, ...)         \
    do {                                 \
        struct plumb_spec wrong = right; \
        wrong.__VA_ARGS__;               \
        assert_refused(&wrong, why);     \
    } while (0)

static void assert_operations_refused(const struct plumb_operation *list, const char *why)
{
    struct plumb_spec wrong = right;
    wrong.operations = list;
    wrong.operation_count = 2;
    assert_refused(&wrong, why);
}

static void test_interface(void **unused)
{
    (void)unused;
    ASSERT_REFUSED("name", name = NULL);
    ASSERT_REFUSED("name", name = "two words");
    ASSERT_REFUSED("name", name = "a_name_that_is_longer_than_reports_have_room_for");
    ASSERT_REFUSED("built-in", name = "stack");
    ASSERT_REFUSED("no operations", operations = NULL);
    ASSERT_REFUSED("no operations", operation_count = 0);
    ASSERT_REFUSED("'init'", init = NULL);
    ASSERT_REFUSED("'destroy'", destroy = NULL);
    ASSERT_REFUSED("'clone'", clone = NULL);
    ASSERT_REFUSED("'hash'", hash = NULL);
    ASSERT_REFUSED("'equal'", equal = NULL);
    ASSERT_REFUSED("'step'", step = NULL);
    assert_operations_refused((struct plumb_operation[]){{"a", "", "k", false, PLUMB_NO_ROLE, NULL},
                                                         {NULL, "", "k", false, PLUMB_NO_ROLE, NULL}},
                              "operation 2");
    assert_operations_refused((struct plumb_operation[]){{"a", "", "k", false, PLUMB_NO_ROLE, NULL},
                                                         {"a", "v", "k", false, PLUMB_NO_ROLE, NULL}},
                              "called 'a'");
    assert_operations_refused((struct plumb_operation[]){{"a", "z", "k", false, PLUMB_NO_ROLE, NULL},
                                                         {"b", "", "k", false, PLUMB_NO_ROLE, NULL}},
                              "'z' is not a letter of an");
    assert_operations_refused((struct plumb_operation[]){{"a", "", "kx", false, PLUMB_NO_ROLE, NULL},
                                                         {"b", "", "k", false, PLUMB_NO_ROLE, NULL}},
                              "'x' is not a letter of a r");
    assert_operations_refused((struct plumb_operation[]){{"a", "", "", false, PLUMB_NO_ROLE, NULL},
                                                         {"b", "", "k", false, PLUMB_NO_ROLE, NULL}},
                              "no letter of a result");
}

static void *init_around(const struct plumb_spec *spec, const struct plumb_spec_options *options)
{
    (void)options;
    struct cell *c = new_cell();
    c->n = spec->summary ? 1 : 4; /* sees what the user wrote: no summary */
    return c;
}

static void test_defaults(void **unused)
{
    (void)unused;
    struct diagnostic d = {0};
    static const struct plumb_operation bare[] = {{.name = "inc"}};
    struct plumb_spec own = right;
    own.init = NULL;
    own.init_of = init_around;
    own.operations = bare;
    own.operation_count = 1;
    assert_true(spec_user_adopt(&own, &d));
    const struct plumb_spec *spec = spec_added();
    assert_ptr_equal(spec_find("cell"), spec);
    assert_string_equal(spec->summary, "");
    assert_string_equal(spec->operations[0].args, "");
    assert_string_equal(spec->operations[0].results, "k");
    void *state = spec_init(spec, &(struct plumb_spec_options){0});
    assert_int_equal(((struct cell *)state)->n, 4);
    char buffer[4] = "xyz";
    assert_int_equal(spec->print(state, buffer, sizeof buffer), 0);
    assert_string_equal(buffer, "");
    spec_add(NULL);
    assert_null(spec_find("cell"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_built_in),     cmocka_unit_test(test_right),
        cmocka_unit_test(test_wrong_states), cmocka_unit_test(test_wrong_steps),
        cmocka_unit_test(test_interface),    cmocka_unit_test(test_defaults),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&states);
    return failed;
}
