/* SPDX-License-Identifier: Apache-2.0 */
/* Serial histories as a tree, as a specification and as a file. */
#include "base/text.h"
#include "spec/serial/observations.h"
#include "spec/registry.h"
#include "spec/serial/serial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
    struct history *h;
    struct serials s;
    uint32_t a, b;
};

/* Thread 1: put(1) take; thread 2: take. Taking from nothing waits. */
static void begin(struct fixture *f)
{
    f->h = history_create();
    serials_init(&f->s, f->h->values);
    f->a = serials_add_thread(&f->s, 1);
    f->b = serials_add_thread(&f->s, 2);
    serials_add_op(&f->s, f->a, "put", plumb_int(f->h->values, 1));
    serials_add_op(&f->s, f->a, "take", PLUMB_OK);
    serials_add_op(&f->s, f->b, "take", PLUMB_OK);
    plumb_value one = plumb_int(f->h->values, 1);
    struct serial_step put = {f->a, PLUMB_OK}, take_a = {f->a, one}, take_b = {f->b, one};
    assert_true(serials_add(&f->s, (struct serial_step[]){put, take_a}, 2, f->b));
    assert_true(serials_add(&f->s, (struct serial_step[]){put, take_b}, 2, f->a));
    assert_true(serials_add(&f->s, NULL, 0, f->b));
    assert_false(serials_add(&f->s, NULL, 0, f->b));
}

static void end(struct fixture *f)
{
    serials_free(&f->s);
    history_destroy(f->h);
}

static void histories_are_counted_once(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f);
    assert_int_equal(f.s.complete, 0);
    assert_int_equal(f.s.stuck, 3);
    end(&f);
}

static void the_specification_answers_and_waits(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f);
    serials_fold(&f.s);
    uint32_t t1 = history_thread(f.h, plumb_int(f.h->values, 1));
    uint32_t t2 = history_thread(f.h, plumb_int(f.h->values, 2));
    const struct plumb_spec *spec = spec_derived(&f.s, f.h);
    struct plumb_spec_options options = {.values = f.h->values, .initial = PLUMB_OK};
    void *place = spec->init(&options);
    struct plumb_call take = {spec_operation(spec, "take"), t2, PLUMB_OK, PLUMB_ANY};
    struct plumb_call put = {spec_operation(spec, "put"), t1, plumb_int(f.h->values, 1), PLUMB_OK};
    plumb_value answer;
    assert_true(spec_blocks(spec, place, &take));
    assert_false(spec->step(place, &take, 0, &answer));
    assert_false(spec_blocks(spec, place, &put));
    assert_true(spec->step(place, &put, 0, &answer));
    assert_false(spec_blocks(spec, place, &take));
    assert_true(spec->step(place, &take, 0, &answer));
    assert_int_equal(plumb_int_of(f.h->values, answer), 1);
    take.thread = t1;
    assert_true(spec_blocks(spec, place, &take));
    spec->destroy(place);
    end(&f);
}

static uint64_t count_nodes(const struct serials *s)
{
    uint64_t seen[16] = {0}, count = 0;
    uint32_t stack[256], top = 0;
    stack[top++] = SERIAL_ROOT;
    while (top) {
        uint32_t n = stack[--top];
        if (seen[n / 64] >> n % 64 & 1)
            continue;
        seen[n / 64] |= UINT64_C(1) << n % 64;
        count++;
        for (uint32_t e = s->nodes.data[n].edges; e != SERIAL_NOWHERE; e = s->edges.data[e].next)
            stack[top++] = s->edges.data[e].to;
    }
    return count;
}

/* Two increments of each of two threads: after the first of each, nobody can tell who went first. */
static void equal_futures_are_one_place(void **state)
{
    (void)state;
    struct serials s;
    struct plumb_values *values = plumb_values_create();
    serials_init(&s, values);
    for (uint32_t t = 0; t < 2; t++) {
        serials_add_thread(&s, t + 1);
        serials_add_op(&s, t, "inc", PLUMB_OK);
        serials_add_op(&s, t, "inc", PLUMB_OK);
    }
    static const uint8_t orders[6][4] = {{0, 0, 1, 1}, {0, 1, 0, 1}, {0, 1, 1, 0},
                                         {1, 0, 0, 1}, {1, 0, 1, 0}, {1, 1, 0, 0}};
    for (int i = 0; i < 6; i++) {
        struct serial_step steps[4];
        for (int k = 0; k < 4; k++)
            steps[k] = (struct serial_step){orders[i][k], PLUMB_OK};
        serials_add(&s, steps, 4, SERIAL_NO_THREAD);
    }
    serials_fold(&s);
    assert_int_equal(count_nodes(&s), 9); /* how many each has done */
    serials_free(&s);
    plumb_values_destroy(values);
}

static void two_answers_are_a_difference(void **state)
{
    (void)state;
    struct fixture f;
    struct serial_difference d;
    begin(&f);
    assert_false(serials_find_difference(&f.s, &d));
    vec_free(&d.before);
    struct serial_step steps[] = {{f.a, PLUMB_OK}, {f.b, PLUMB_NONE}, {f.a, plumb_int(f.h->values, 1)}};
    serials_add(&f.s, steps, 3, SERIAL_NO_THREAD);
    assert_true(serials_find_difference(&f.s, &d));
    assert_int_equal(d.before.len, 1);
    assert_int_equal(d.thread, f.b);
    vec_free(&d.before);
    end(&f);
}

static void waiting_or_answering_is_a_difference(void **state)
{
    (void)state;
    struct fixture f;
    struct serial_difference d;
    begin(&f);
    struct serial_step steps[] = {{f.b, PLUMB_NONE}, {f.a, PLUMB_OK}, {f.a, plumb_int(f.h->values, 1)}};
    serials_add(&f.s, steps, 3, SERIAL_NO_THREAD);
    assert_true(serials_find_difference(&f.s, &d));
    assert_true(d.second_waits);
    assert_int_equal(d.before.len, 0);
    vec_free(&d.before);
    end(&f);
}

/* ------------------------------------------------------------------ files */

static char *write_text(const struct serials *s)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    observations_write(out, s);
    fclose(out);
    return text;
}

static void a_file_says_what_was_observed(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f);
    char *text = write_text(&f.s);
    assert_non_null(strstr(text, "  <observation>\n"
                                 "    <thread id=\"A\"></thread>\n"
                                 "    <thread id=\"B\">1B</thread>\n"
                                 "    <op id=\"1\" name=\"take\" />\n"
                                 "    <history>1[ #</history>\n"
                                 "  </observation>\n"));
    assert_non_null(strstr(text, "<history>1[ ]1 3[ ]3 2[ #</history>"));
    free(text);
    end(&f);
}

static void a_file_is_read_back(void **state)
{
    (void)state;
    struct fixture f;
    struct serials again;
    struct arena names = {0};
    struct diagnostic d = {0};
    begin(&f);
    plumb_value odd = plumb_string(f.h->values, "<&\"\n>", 5);
    serials_add(&f.s, (struct serial_step[]){{f.a, odd}, {f.a, PLUMB_TRUE}, {f.b, PLUMB_NONE}}, 3,
                SERIAL_NO_THREAD);
    char *text = write_text(&f.s);
    serials_init(&again, f.h->values);
    assert_true(observations_read(&again, false, &names, text, strlen(text), &d));
    assert_int_equal(again.complete, 1);
    assert_int_equal(again.stuck, 3);
    char *second = write_text(&again);
    assert_int_equal(strlen(second), strlen(text));
    assert_int_not_equal(serials_follow(&again, SERIAL_ROOT, 0, odd, 0, NULL), SERIAL_NOWHERE);
    free(text);
    free(second);
    serials_free(&again);
    arena_free(&names);
    end(&f);
}

/* Threads in the order of their names, numbers by thread, a pending one marked; and the file reads as before. */
static void a_violation_is_added_to_a_file(void **state)
{
    (void)state;
    struct fixture f;
    struct diagnostic d = {0};
    struct arena names = {0};
    struct text file = {0}, history = {0};
    begin(&f);
    struct plumb_values *v = f.h->values;
    uint32_t b = history_thread(f.h, plumb_int(v, 2)), a = history_thread(f.h, plumb_int(v, 1)),
             init = history_thread(f.h, plumb_int(v, 0));
    uint16_t put = (uint16_t)history_op_name(f.h, "put", 3), take = (uint16_t)history_op_name(f.h, "take", 4);
    uint32_t object = history_object(f.h, PLUMB_NONE);
    history_add(f.h, (struct history_op){.thread = b, .op = take, .arg = PLUMB_OK, .call = 4, .pending = 1},
                object);
    history_add(f.h,
                (struct history_op){.thread = a,
                                    .op = put,
                                    .arg = plumb_int(v, 1),
                                    .result = plumb_string(v, "</violation>", 12),
                                    .call = 3,
                                    .ret = 5},
                object);
    history_add(
        f.h,
        (struct history_op){
            .thread = init, .op = put, .arg = plumb_int(v, 9), .result = PLUMB_OK, .call = 1, .ret = 2},
        object);
    assert_true(observations_add_history(&history, f.h, OBSERVATIONS_INDENT, &d));
    assert_string_equal(
        history.data,
        "    <thread id=\"init\">1</thread>\n"
        "    <thread id=\"A\">2</thread>\n"
        "    <thread id=\"B\">3B</thread>\n"
        "    <op id=\"1\" name=\"put\">value=\"9\"</op>\n"
        "    <op id=\"2\" name=\"put\">value=\"1\" result=\"&quot;&lt;/violation&gt;&quot;\"</op>\n"
        "    <op id=\"3\" name=\"take\" />\n"
        "    <history>1[ ]1 2[ 3[ ]2 #</history>\n");
    char *text = write_text(&f.s);
    text_puts(&file, text);
    assert_true(observations_add_violation(&file, &history));
    struct serials again;
    serials_init(&again, v);
    assert_true(observations_read(&again, false, &names, file.data, file.len, &d));
    assert_int_equal(again.stuck, f.s.stuck);
    assert_int_equal(again.threads.len, f.s.threads.len);
    file.len -= strlen("</violation>\n</observationset>\n");
    assert_false(observations_read(&again, false, &names, file.data, file.len, &d));
    assert_false(observations_add_violation(&file, &history));
    free(text);
    text_free(&file);
    text_free(&history);
    serials_free(&again);
    arena_free(&names);
    end(&f);
}

static void a_file_of_another_test_is_refused(void **state)
{
    (void)state;
    struct fixture f;
    struct serials other;
    struct arena names = {0};
    struct diagnostic d = {0};
    begin(&f);
    char *text = write_text(&f.s);
    serials_init(&other, f.h->values);
    serials_add_thread(&other, 1);
    serials_add_op(&other, 0, "put", plumb_int(f.h->values, 2));
    assert_false(observations_read(&other, true, &names, text, strlen(text), &d));
    assert_non_null(strstr(d.message, "another test"));
    serials_free(&other);
    arena_free(&names);
    free(text);
    end(&f);
}

/* Every prefix, and every file with one byte changed, is read or refused; nothing else happens. */
static void broken_files_are_refused(void **state)
{
    (void)state;
    struct fixture f;
    begin(&f);
    char *text = write_text(&f.s);
    size_t length = strlen(text);
    for (size_t i = 0; i < 2 * length; i++) {
        struct serials s;
        struct arena names = {0};
        struct diagnostic d = {0};
        char *copy = malloc(length + 1);
        memcpy(copy, text, length + 1);
        if (i >= length)
            copy[i - length] ^= 5;
        serials_init(&s, f.h->values);
        bool read = observations_read(&s, false, &names, copy, i < length ? i : length, &d);
        if (i < length - 1)
            assert_false(read);
        assert_true(read || d.code == PL_SYNTAX);
        serials_free(&s);
        arena_free(&names);
        free(copy);
    }
    free(text);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(histories_are_counted_once),
        cmocka_unit_test(the_specification_answers_and_waits),
        cmocka_unit_test(equal_futures_are_one_place),
        cmocka_unit_test(two_answers_are_a_difference),
        cmocka_unit_test(waiting_or_answering_is_a_difference),
        cmocka_unit_test(a_file_says_what_was_observed),
        cmocka_unit_test(a_file_is_read_back),
        cmocka_unit_test(a_violation_is_added_to_a_file),
        cmocka_unit_test(a_file_of_another_test_is_refused),
        cmocka_unit_test(broken_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
