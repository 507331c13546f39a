/* SPDX-License-Identifier: Apache-2.0 */
/* The oracle against what is known about small programs: how many final states each model allows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oracle/graph_oracle.h"
#include "oracle/random_program.h"

#include <string.h>

/* One word per instruction: Wx1 (store), Rx (load), Ux1 (fetch add), Xx1 (exchange), Cx (a CAS that fails), Lm and Om
 * (lock, unlock), Ax (await other than 0), then the order: r, a, l (release), s; Fs: a fence. */
static enum memory_order_tag order_of(char c)
{
    switch (c) {
    case 'a': return ORDER_ACQUIRE;
    case 'l': return ORDER_RELEASE;
    case 's': return ORDER_SEQ_CST;
    default: return ORDER_RELAXED;
    }
}

static enum operation operation_of(char c)
{
    static const char letters[] = "WRUXCLO";
    static const enum operation operations[] = {OPERATION_STORE,    OPERATION_LOAD, OPERATION_ADD,
                                                OPERATION_EXCHANGE, OPERATION_CAS,  OPERATION_LOCK,
                                                OPERATION_UNLOCK};
    const char *at = strchr(letters, c);
    return at ? operations[at - letters] : OPERATION_LOAD;
}

static struct instruction instruction_of(struct program *p, const char *word, int32_t target)
{
    size_t length = strlen(word);
    struct instruction i = {.kind = INSTRUCTION_ACCESS, .operation = operation_of(word[0]), .target = target};
    i.order = i.failure_order = (uint8_t)order_of(word[length - 1]);
    i.expected_register = -1;
    if (word[0] == 'F') {
        i.kind = INSTRUCTION_FENCE;
        return i;
    }
    i.location = (uint32_t)(strchr("xymn", word[1]) - "xymn");
    i.expression = program_constant(p, length > 3 ? word[2] - '0' : 1);
    if (word[0] == 'C') {
        i.kind = INSTRUCTION_CAS;
        i.expected_register = target;
        i.target = -1;
    }
    if (word[0] == 'A') {
        i.kind = INSTRUCTION_AWAIT;
        i.expression = program_register(p, (uint32_t)target);
    }
    if (word[0] == 'W' || word[0] == 'L' || word[0] == 'O')
        i.target = -1;
    return i;
}

static void add_thread(struct program *p, const char *text)
{
    char copy[128], *rest = copy, *word;
    strcpy(copy, text);
    int32_t registers = 0;
    while ((word = strsep(&rest, " "))) {
        if (word[0] == 'C') /* expects what is never there */
            vec_push(&p->threads[p->thread_count].code,
                     ((struct instruction){.kind = INSTRUCTION_SET,
                                           .target = registers,
                                           .expression = program_constant(p, 9)}));
        vec_push(&p->threads[p->thread_count].code, instruction_of(p, word, registers++));
    }
    p->thread_count++;
}

struct counts {
    size_t states, stuck;
};

static struct counts count(const struct oracle_graphs *g, enum oracle_model m)
{
    struct counts c = {0};
    for (size_t i = 0; i < g->graphs.len; i++) {
        const struct oracle_graph *a = &g->graphs.data[i];
        bool is_new = a->complete && a->models >> m & 1;
        c.stuck += a->stuck && a->models >> m & 1;
        for (size_t j = 0; j < i && is_new; j++) {
            const struct oracle_graph *b = &g->graphs.data[j];
            is_new = !(b->complete && b->models >> m & 1 && b->state == a->state);
        }
        c.states += is_new;
    }
    return c;
}

/* Numbers of final states under SC, TSO and RC11, the last with the release sequences of C++20 and of C11; of stuck graphs under
 * each. */
static void expect(const char *const *threads, const size_t states[ORACLE_MODELS], size_t stuck)
{
    struct program p = {.location_count = 4};
    struct oracle_graphs found = {0};
    for (; *threads; threads++)
        add_thread(&p, *threads);
    oracle_enumerate(&p, NULL, 1000000, &found);
    assert_false(found.too_many);
    for (enum oracle_model m = 0; m < ORACLE_MODELS; m++) {
        assert_int_equal(count(&found, m).states, states[m]);
        assert_int_equal(count(&found, m).stuck, stuck);
    }
    vec_free(&found.graphs);
    program_free(&p);
}

#define EXPECT(sc, tso, rc11, stuck, ...) \
    expect((const char *const[]){__VA_ARGS__, NULL}, (const size_t[]){sc, tso, rc11, rc11}, stuck)
#define EXPECT_C11(sc, tso, rc11, c11, ...) \
    expect((const char *const[]){__VA_ARGS__, NULL}, (const size_t[]){sc, tso, rc11, c11}, 0)

static void store_buffering(void **state)
{
    (void)state;
    EXPECT(3, 4, 4, 0, "Wx1r Ryr", "Wy1r Rxr");
    EXPECT(3, 4, 4, 0, "Wx1l Rya", "Wy1l Rxa");
    EXPECT(3, 3, 3, 0, "Wx1s Rys", "Wy1s Rxs");
    EXPECT(3, 4, 4, 0, "Wx1s Rys", "Wy1r Rxs");
    EXPECT(3, 3, 3, 0, "Wx1r Fs Ryr", "Wy1r Fs Rxr");
    EXPECT(3, 4, 4, 0, "Wx1r Fa Ryr", "Wy1r Fa Rxr");
    EXPECT(3, 3, 4, 0, "Xx1r Ryr", "Xy1r Rxr");
    EXPECT(3, 3, 4, 0, "Wx1r Cyr", "Wy1r Cxr");
}

static void message_passing(void **state)
{
    (void)state;
    EXPECT(3, 3, 4, 0, "Wx1r Wy1r", "Ryr Rxr");
    EXPECT(3, 3, 3, 0, "Wx1r Wy1l", "Rya Rxr");
    EXPECT(3, 3, 4, 0, "Wx1r Wy1r", "Rya Rxr");
    EXPECT(3, 3, 4, 0, "Wx1r Wy1l", "Ryr Rxr");
    EXPECT(3, 3, 3, 0, "Wx1r Fl Wy1r", "Ryr Fa Rxr");
    EXPECT(3, 3, 4, 0, "Wx1r Fl Wy1r", "Ryr Rxr");
    EXPECT(1, 1, 1, 0, "Wx1r Wy1l", "Aya Rxr");
    EXPECT(1, 1, 2, 0, "Wx1r Wy1r", "Aya Rxr");
}

static void release_sequences(void **state)
{
    (void)state;
    EXPECT_C11(4, 4, 5, 4, "Wx1r Wy1l Wy2r", "Rya Rxr"); /* a later store of the thread */
    EXPECT_C11(4, 4, 6, 6, "Wx1r Wy1r Wy2r", "Rya Rxr"); /* of no release */
    EXPECT_C11(4, 4, 4, 4, "Wx1r Wy1l Uy1r", "Rya Rxr");
    EXPECT_C11(5, 5, 7, 5, "Wx1r Wy1l Wy2r Wy3r", "Rya Rxr");
}

static void other_shapes(void **state)
{
    (void)state;
    EXPECT(3, 3, 3, 0, "Rxr Wy1r", "Ryr Wx1r");   /* load buffering */
    EXPECT(3, 3, 4, 0, "Wx1r Wy2r", "Wy1r Wx2r"); /* 2+2W */
    EXPECT(3, 3, 3, 0, "Wx1s Wy2s", "Wy1s Wx2s");
    EXPECT(3, 4, 4, 0, "Wx1r Wy1r", "Wy2r Rxr"); /* R */
    EXPECT(3, 3, 3, 0, "Wx1s Wy1s", "Wy2s Rxs");
    EXPECT(3, 3, 4, 0, "Wx2r Wy1r", "Ryr Wx1r"); /* S */
    EXPECT(3, 3, 3, 0, "Wx2r Wy1l", "Rya Wx1r");
    EXPECT(3, 3, 3, 0, "Wx1r", "Rxr Rxr");                       /* coherence */
    EXPECT(15, 15, 16, 0, "Wx1r", "Wy1r", "Rxa Rya", "Rya Rxa"); /* IRIW */
    EXPECT(15, 15, 15, 0, "Wx1s", "Wy1s", "Rxs Rys", "Rys Rxs");
    EXPECT(15, 15, 15, 0, "Wx1r", "Wy1r", "Rxr Fs Ryr", "Ryr Fs Rxr");
    EXPECT(2, 2, 2, 0, "Ux1r", "Ux1r");
    EXPECT(6, 6, 6, 0, "Ux1r", "Ux1r", "Ux1r");
}

static void locks(void **state)
{
    (void)state;
    EXPECT(2, 2, 2, 0, "Lm1a Wx1r Om0l", "Lm1a Wx2r Om0l");
    EXPECT(2, 2, 2, 1, "Lm1a Ln1a Wx1r On0l Om0l", "Ln1a Lm1a Wx2r Om0l On0l");
    EXPECT(0, 0, 0, 1, "Lm1a Lm1a");
    EXPECT(0, 0, 0, 1, "Axa");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(store_buffering),
        cmocka_unit_test(message_passing),
        cmocka_unit_test(release_sequences),
        cmocka_unit_test(other_shapes),
        cmocka_unit_test(locks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
