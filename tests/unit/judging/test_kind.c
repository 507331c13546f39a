/* SPDX-License-Identifier: Apache-2.0 */
/* Kind and roles are data: a new container that an existing algorithm serves is a table of operations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/history_text.h"
#include "base/text.h"

static struct plumb_spec pipe_spec;

static const struct plumb_operation pipe_operations[] = {
    {"send", "e", "k", false, PLUMB_ADDS, "v"},
    {"receive", "", "vN", false, PLUMB_REMOVES, NULL},
    {"look", "", "vN", true, PLUMB_LOOKS, NULL},
};

static void add_pipe(void)
{
    pipe_spec = *spec_find("queue");
    pipe_spec.name = "pipe";
    pipe_spec.operations = pipe_operations;
    pipe_spec.operation_count = sizeof pipe_operations / sizeof *pipe_operations;
    spec_add(&pipe_spec);
}

static uint32_t below(uint64_t *seed, uint32_t n)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % n;
}

/* Eight calls that overlap somehow, each value sent once; the answers are guesses. */
static char *random_history(uint64_t seed)
{
    struct text t = {0};
    for (unsigned i = 1; i <= 8; i++) {
        unsigned call = 10 * i - below(&seed, 30) % (10 * i), back = 10 * i + 1 + below(&seed, 20);
        if (below(&seed, 2))
            text_printf(&t, "{\"thread\":%u,\"op\":\"send\",\"arg\":%u,\"call\":%u,\"return\":%u}\n", i, i,
                        call, back);
        else if (below(&seed, 4))
            text_printf(&t, "{\"thread\":%u,\"op\":\"%s\",\"result\":%u,\"call\":%u,\"return\":%u}\n", i,
                        below(&seed, 4) ? "receive" : "look", 1 + below(&seed, 8), call, back);
        else
            text_printf(&t, "{\"thread\":%u,\"op\":\"receive\",\"result\":null,\"call\":%u,\"return\":%u}\n",
                        i, call, back);
    }
    return text_take(&t);
}

static void a_new_container_is_a_table(void **state)
{
    (void)state;
    add_pipe();
    unsigned verdicts[2] = {0};
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        char *text = random_history(seed);
        struct judged fast = judge_text(text, "pipe", false), general = judge_text(text, "pipe", true);
        assert_int_equal(fast.result.verdict, general.result.verdict);
        assert_non_null(strstr(fast.result.log.data, "queue algorithm"));
        verdicts[fast.result.verdict == VERDICT_VIOLATED]++;
        judged_free(&fast);
        judged_free(&general);
        free(text);
    }
    assert_true(verdicts[0] > 50 && verdicts[1] > 50);
}

/* Sentences and cores come from the roles, too. */
static void its_violations_are_explained(void **state)
{
    (void)state;
    add_pipe();
    struct judged j = judge_text("{\"thread\":1,\"op\":\"send\",\"arg\":3,\"call\":1,\"return\":2}\n"
                                 "{\"thread\":1,\"op\":\"send\",\"arg\":5,\"call\":5,\"return\":6}\n"
                                 "{\"thread\":2,\"op\":\"receive\",\"result\":5,\"call\":7,\"return\":8}\n"
                                 "{\"thread\":2,\"op\":\"receive\",\"result\":3,\"call\":9,\"return\":10}\n",
                                 "pipe", false);
    assert_int_equal(j.result.verdict, VERDICT_VIOLATED);
    assert_int_equal(j.result.violation->core.len, 4);
    assert_non_null(strstr(j.result.violation->why, "send(3) returned before send(5) was called"));
    judged_free(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_container_is_a_table),
        cmocka_unit_test(its_violations_are_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
