/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "refine/specification/machine.h"

#include <stdlib.h>
#include <string.h>

enum { ADD, REMOVE, LOOK };

static struct machine *make(enum relaxed_order order, uint32_t factor, uint32_t capacity)
{
    struct relaxed_settings settings = {.order = order, .factor = factor, .capacity = capacity};
    settings.full = REFINE_FULL_CAPACITY;
    settings.roles[ADD] = PLUMB_ADDS;
    settings.roles[REMOVE] = PLUMB_REMOVES;
    settings.roles[LOOK] = PLUMB_LOOKS;
    return relaxed_new(&settings);
}

/* How many ways there are to do "+1" (add), "+1!" (and find no room), "-1" (remove; -0: empty) or "?1" (look), each with the item open
 * that follows a '<'; the state becomes the first of them. */
static size_t act(struct machine *m, uint8_t *r, size_t *length, const char *word)
{
    struct machine_outcomes out = {0};
    struct machine_call call = {.op = word[0] == '+'   ? ADD
                                      : word[0] == '-' ? REMOVE
                                                       : LOOK,
                                .unused_item = 200};
    const char *coming = strchr(word, '<');
    int item = atoi(word + 1);
    call.args[0] = call.op == ADD ? (uint8_t)item : 0;
    call.wanted = call.op != ADD ? item : strchr(word, '!') ? REFINE_FULL : REFINE_OK;
    if (coming)
        call.coming[call.coming_count++] = (uint8_t)atoi(coming + 1);
    m->act(m, r, *length, &call, &out);
    size_t count = out.list.len;
    if (count) {
        *length = out.list.data[0].length;
        memcpy(r, out.bytes.data + out.list.data[0].start, *length);
    }
    vec_free(&out.list);
    vec_free(&out.bytes);
    return count;
}

/* Is the last of these words impossible, and all others are not? -1: all are possible, and the history is accepted so. */
static int first_impossible(enum relaxed_order order, uint32_t factor, uint32_t capacity, const char *text)
{
    struct machine *m = make(order, factor, capacity);
    uint8_t r[MACHINE_STATE_MAX];
    size_t length = m->initial(m, r);
    char copy[128], *rest = NULL;
    int number = 0, answer = -1;
    strcpy(copy, text);
    for (char *word = strtok_r(copy, " ", &rest); word && answer < 0;
         word = strtok_r(NULL, " ", &rest), number++)
        if (!act(m, r, &length, word))
            answer = number;
    if (answer < 0 && !m->accepts(m, r, length))
        answer = 100;
    m->destroy(m);
    return answer;
}

static void exact_containers(void **state)
{
    (void)state;
    assert_int_equal(first_impossible(RELAXED_QUEUE, 0, 0, "-0 +1 +2 ?1 -1 -2 -0"), -1);
    assert_int_equal(first_impossible(RELAXED_QUEUE, 0, 0, "+1 +2 -2"), 2);
    assert_int_equal(first_impossible(RELAXED_QUEUE, 0, 0, "+1 -0"), 1);
    assert_int_equal(first_impossible(RELAXED_STACK, 0, 0, "+1 +2 ?2 -2 +3 -3 -1 -0"), -1);
    assert_int_equal(first_impossible(RELAXED_STACK, 0, 0, "+1 +2 -1"), 2);
    assert_int_equal(first_impossible(RELAXED_PQUEUE, 0, 0, "+2 +1 +3 -1 -2 -3"), -1);
    assert_int_equal(first_impossible(RELAXED_PQUEUE, 0, 0, "+2 +1 -2"), 2);
    assert_int_equal(first_impossible(RELAXED_REGISTER, 0, 0, "?0 +1 ?1 +2 ?2"), -1);
    assert_int_equal(first_impossible(RELAXED_REGISTER, 0, 0, "+1 +2 ?1"), 2);
}

static void removals_within_the_factor(void **state)
{
    (void)state;
    assert_int_equal(first_impossible(RELAXED_QUEUE, 1, 0, "+1 +2 +3 -2 -1 -3"), -1);
    assert_int_equal(first_impossible(RELAXED_QUEUE, 1, 0, "+1 +2 +3 -3"), 3);
    /* 1 is late already, though 3 alone would be fine. */
    assert_int_equal(first_impossible(RELAXED_QUEUE, 1, 0, "+1 +2 +3 -2 -3"), 4);
    assert_int_equal(first_impossible(RELAXED_QUEUE, 2, 0, "+1 +2 +3 +4 +5 +6 -2 -4 -1 -6 -3 -5"), -1);
    assert_int_equal(first_impossible(RELAXED_STACK, 1, 0, "+1 +2 -1 -2"), -1);
    /* What is pushed on top buries the debt. */
    assert_int_equal(first_impossible(RELAXED_STACK, 1, 0, "+1 +2 -1 +3"), 3);
    assert_int_equal(first_impossible(RELAXED_PQUEUE, 1, 0, "+2 +3 -3 +4"), -1);
    assert_int_equal(first_impossible(RELAXED_PQUEUE, 1, 0, "+2 +3 -3 +1"), 3);
}

static void removals_ahead_of_additions(void **state)
{
    (void)state;
    assert_int_equal(first_impossible(RELAXED_QUEUE, 1, 0, "+1 -2"), 1);
    assert_int_equal(first_impossible(RELAXED_QUEUE, 1, 0, "+1 -2<2"), 100);
    assert_int_equal(first_impossible(RELAXED_QUEUE, 1, 0, "+1 -2<2 -0 +2 -1"), -1);
    assert_int_equal(first_impossible(RELAXED_QUEUE, 1, 0, "+1 +3 -2<2"), 2);
    assert_int_equal(first_impossible(RELAXED_QUEUE, 0, 0, "+1 -2<2"), 1);
}

static void room(void **state)
{
    (void)state;
    assert_int_equal(first_impossible(RELAXED_QUEUE, 0, 1, "+1 +2! -1 +3"), -1);
    assert_int_equal(first_impossible(RELAXED_QUEUE, 0, 1, "+1 +2"), 1);
    assert_int_equal(first_impossible(RELAXED_QUEUE, 0, 1, "+1!"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_containers),
        cmocka_unit_test(removals_within_the_factor),
        cmocka_unit_test(removals_ahead_of_additions),
        cmocka_unit_test(room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
