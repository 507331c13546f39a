/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/interleaving_fold.h"

enum { ROWS_MOST = 4000 };

static struct report_event rows[ROWS_MOST];
static size_t row_count;
static uint64_t random_state = 1;

static unsigned pick(unsigned below)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(random_state >> 33) % below;
}

static struct report_event *add(unsigned thread, unsigned kind, unsigned order, const char *location)
{
    struct report_event *r = &rows[row_count++];
    *r = (struct report_event){
        .id = (uint32_t)row_count,
        .thread = thread,
        .event = kind,
        .kind = event_kind_text(kind),
        .order = *event_order_text(order) ? event_order_text(order) : NULL,
        .location = location,
        .place = "treiber.c:36",
        .other = REPORT_NOTHING,
    };
    return r;
}

static struct report_event *add_values(unsigned thread, unsigned kind, unsigned order, const char *location,
                                       const char *found, const char *written)
{
    struct report_event *r = add(thread, kind, order, location);
    r->found = found;
    r->written = written;
    return r;
}

static int start(void **state)
{
    (void)state;
    row_count = 0;
    return 0;
}

static struct interleaving all_rows(void)
{
    return (struct interleaving){.events = rows, .count = row_count};
}

static char *draw_as(const struct interleaving *x, unsigned columns, bool unicode)
{
    struct text out = {0};
    struct report_style style = {.columns = columns, .unicode = unicode};
    interleaving_draw(&out, x, &style);
    assert_non_null(out.data);
    return text_take(&out);
}

static void expect_as(const struct interleaving *x, unsigned columns, bool unicode, const char *expected)
{
    char *got = draw_as(x, columns, unicode);
    if (strcmp(got, expected) != 0) {
        fprintf(stderr, "got\n%s\nexpected\n%s", got, expected);
        fail();
    }
    free(got);
}

static void expect(const struct interleaving *x, unsigned columns, const char *expected)
{
    expect_as(x, columns, true, expected);
}

static size_t count_text(const char *s, const char *part)
{
    size_t count = 0;
    while ((s = strstr(s, part))) {
        count++;
        s += strlen(part);
    }
    return count;
}

/* --- what is drawn ------------------------------------------------------------------------------ */

static void add_story(void)
{
    struct report_event *first = add_values(2, EVENT_READ, ORDER_ACQUIRE, "s.top", "node#1", NULL);
    first->stale = true;
    first->source = 7;
    add_values(2, EVENT_PLAIN_READ, ORDER_PLAIN, "node#1.next", "NULL", NULL);
    add_values(1, EVENT_UPDATE, ORDER_ACQUIRE, "s.top", "node#1", "NULL")->place = "treiber.c:39";
    add_values(1, EVENT_WRITE, ORDER_RELAXED, "s.free", NULL, "node#1");
    struct report_event *last = add_values(2, EVENT_UPDATE, ORDER_ACQUIRE, "s.top", "node#1", "NULL");
    last->guilty = true;
    last->note = "stale: T1 wrote NULL in step 3";
}

static void test_story(void **state)
{
    (void)state;
    add_story();
    struct interleaving x = all_rows();
    expect(&x, 114,
           "  step  T1                            T2                                                         "
           "   where\n"
           "     1                                R acq   s.top = node#1 (from 7)                            "
           "   treiber.c:36\n"
           "     2                                r       node#1.next = NULL                                 "
           "   treiber.c:36\n"
           "   ── switch ──\n"
           "     3  RMW acq s.top: node#1 → NULL                                                             "
           "   treiber.c:39\n"
           "     4  W rlx   s.free = node#1                                                                  "
           "   treiber.c:36\n"
           "   ── switch ──\n"
           " ▶   5                                RMW acq s.top: node#1 → NULL  stale: T1 wrote NULL in step "
           "3  treiber.c:36\n");
    expect(&x, 80,
           "  step  T1                            T2                            where\n"
           "     1                                R acq   s.top = node#1        treiber.c:36\n"
           "     2                                r       node#1.next = NULL    treiber.c:36\n"
           "   ── switch ──\n"
           "     3  RMW acq s.top: node#1 → NULL                                treiber.c:39\n"
           "     4  W rlx   s.free = node#1                                     treiber.c:36\n"
           "   ── switch ──\n"
           " ▶   5                                RMW acq s.top: node#1 → NULL  treiber.c:36\n"
           "                                      └ stale: T1 wrote NULL in step 3\n");
    expect_as(&x, 60, false,
              "  step  what                                    where\n"
              "     1  T2: R acq   s.top = node#1 (from 7)     treiber.c:36\n"
              "     2  T2: r       node#1.next = NULL          treiber.c:36\n"
              "   -- switch --\n"
              "     3  T1: RMW acq s.top: node#1 -> NULL       treiber.c:39\n"
              "     4  T1: W rlx   s.free = node#1             treiber.c:36\n"
              "   -- switch --\n"
              " >   5  T2: RMW acq s.top: node#1 -> NULL       treiber.c:36\n"
              "        ` stale: T1 wrote NULL in step 3\n");
}

static void test_kinds(void **state)
{
    (void)state;
    add(0, EVENT_CREATE, ORDER_PLAIN, NULL)->other = 1;
    add(1, EVENT_OP_CALL, ORDER_PLAIN, NULL)->operation = "pop()";
    add(1, EVENT_FENCE, ORDER_SEQ_CST, NULL);
    add(1, EVENT_FREE, ORDER_PLAIN, "node#1");
    add(1, EVENT_LOCK, ORDER_PLAIN, "q.lock");
    add_values(1, EVENT_CAS_FAILED, ORDER_RELAXED, "q.tail", "-1", NULL);
    add_values(1, EVENT_WRITE, ORDER_RELEASE, "x", NULL, "0x7fff12345678");
    add_values(1, EVENT_UPDATE, ORDER_ACQ_REL, "y", "-1", "2");
    add(1, EVENT_PLAIN_WRITE, ORDER_PLAIN, "data")->guilty = true;
    struct report_event *r = add(1, EVENT_OP_RETURN, ORDER_PLAIN, NULL);
    r->operation = "pop()";
    r->answer = " = 1";
    add(0, EVENT_JOIN, ORDER_PLAIN, NULL)->other = 9;
    r = add(REPORT_NOTHING, EVENT_NONE, ORDER_PLAIN, NULL);
    r->text = "head = 1";
    struct interleaving x = all_rows();
    expect(
        &x, 110,
        "  step  T0                      T1                          others                  where\n"
        "     1  create T1                                                                   treiber.c:36\n"
        "   ── switch ──\n"
        "     2                          call pop()                                          treiber.c:36\n"
        "     3                          fence sc                                            treiber.c:36\n"
        "     4                          free(node#1)                                        treiber.c:36\n"
        "     5                          lock q.lock                                         treiber.c:36\n"
        "     6                          CAS failed rlx q.tail = -1                          treiber.c:36\n"
        "     7                          W rel   x = 0x7fff12345678                          treiber.c:36\n"
        "     8                          RMW acq_rel y: -1 → 2                               treiber.c:36\n"
        " ▶   9                          w       data                                        treiber.c:36\n"
        "    10                          return pop() = 1                                    treiber.c:36\n"
        "   ── switch ──\n"
        "    11  join T9                                                                     treiber.c:36\n"
        "   ── switch ──\n"
        "    12                                                      head = 1                treiber.c:36\n");
}

static void test_loops(void **state)
{
    (void)state;
    add(1, EVENT_LOCK, ORDER_PLAIN, "m");
    for (int i = 0; i < 12; i++) {
        add_values(1, EVENT_READ, ORDER_RELAXED, "flag", "0", NULL);
        add(1, EVENT_YIELD, ORDER_PLAIN, NULL);
    }
    add(1, EVENT_UNLOCK, ORDER_PLAIN, "m");
    add(2, EVENT_UNLOCK, ORDER_PLAIN, "m");
    for (int i = 0; i < 3; i++)
        add(2, EVENT_YIELD, ORDER_PLAIN, NULL);
    for (int i = 0; i < 2; i++)
        add(2, EVENT_READ, ORDER_ACQUIRE, "flag");
    struct interleaving x = all_rows();
    expect(&x, 80,
           "  step  T1                      T2                      where\n"
           "     1  lock m                                          treiber.c:36\n"
           "     2  R rlx   flag = 0                                treiber.c:36\n"
           "     3  yield                                           treiber.c:36\n"
           "        (×12 the same two steps)\n"
           "    26  unlock m                                        treiber.c:36\n"
           "   ── switch ──\n"
           "    27                          unlock m                treiber.c:36\n"
           "    28                          yield                   treiber.c:36\n"
           "                                (×3 the same step)\n"
           "    31                          R acq   flag            treiber.c:36\n"
           "    32                          R acq   flag            treiber.c:36\n");
}

/* Many steps, few switches: only what is around them. */
static void test_long_turns(void **state)
{
    (void)state;
    static char places[ROWS_MOST][16];
    for (unsigned i = 0; i < 300; i++) {
        snprintf(places[i], sizeof places[i], "a.c:%u", i);
        add(i < 100 || i >= 250 ? 1 : 2, EVENT_READ, ORDER_RELAXED, "x")->place = places[i];
    }
    rows[200].guilty = true;
    struct interleaving x = all_rows();
    x.lines_most = 16;
    expect(&x, 80,
           "  step  T1                      T2                      where\n"
           "     1  R rlx   x                                       a.c:0\n"
           "        … 98 steps of T1\n"
           "   100  R rlx   x                                       a.c:99\n"
           "   ── switch ──\n"
           "   101                          R rlx   x               a.c:100\n"
           "                                … 98 steps of T2\n"
           "   200                          R rlx   x               a.c:199\n"
           " ▶ 201                          R rlx   x               a.c:200\n"
           "   202                          R rlx   x               a.c:201\n"
           "                                … 47 steps of T2\n"
           "   250                          R rlx   x               a.c:249\n"
           "   ── switch ──\n"
           "   251  R rlx   x                                       a.c:250\n"
           "        … 48 steps of T1\n"
           "   300  R rlx   x                                       a.c:299\n");
}

/* A switch after every step: the end of the story, up to the guilty step and a little further. */
static void test_many_switches(void **state)
{
    (void)state;
    static char places[ROWS_MOST][16];
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(places[i], sizeof places[i], "a.c:%u", i);
        add(1 + i % 2, EVENT_READ, ORDER_RELAXED, "x")->place = places[i];
    }
    rows[700].guilty = true;
    struct interleaving x = all_rows();
    x.lines_most = 16;
    expect(&x, 80,
           "  step  T1                      T2                      where\n"
           "   … 696 earlier steps\n"
           "   697  R rlx   x                                       a.c:696\n"
           "   ── switch ──\n"
           "   698                          R rlx   x               a.c:697\n"
           "   ── switch ──\n"
           "   699  R rlx   x                                       a.c:698\n"
           "   ── switch ──\n"
           "   700                          R rlx   x               a.c:699\n"
           "   ── switch ──\n"
           " ▶ 701  R rlx   x                                       a.c:700\n"
           "   ── switch ──\n"
           "   702                          R rlx   x               a.c:701\n"
           "   ── switch ──\n"
           "   703  R rlx   x                                       a.c:702\n"
           "   … 297 later steps\n");
}

/* Two guilty steps far from each other, as in a race: both are shown. */
static void test_two_guilty_steps(void **state)
{
    (void)state;
    static char values[1000][8];
    for (unsigned i = 0; i < 1000; i++)
        snprintf(values[i], sizeof values[i], "%u", i),
            add_values(1 + i % 2, EVENT_READ, ORDER_RELAXED, i % 3 ? "x" : "y", values[i], NULL);
    rows[100].guilty = rows[999].guilty = true;
    struct interleaving x = all_rows();
    x.lines_most = 8;
    expect(&x, 80,
           "  step  T1                      T2                      where\n"
           "   … 100 earlier steps\n"
           " ▶ 101  R rlx   x = 100                                 treiber.c:36\n"
           "   … 896 earlier steps\n"
           "   998                          R rlx   x = 997         treiber.c:36\n"
           "   ── switch ──\n"
           "   999  R rlx   x = 998                                 treiber.c:36\n"
           "   ── switch ──\n"
           " ▶1000                          R rlx   y = 999         treiber.c:36\n");
}

static void test_many_threads(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 5; i++)
        add(1 + i, EVENT_READ, ORDER_RELAXED, "x")->place = "a/rather/long/path/to/some/file.c:1234";
    struct interleaving x = all_rows();
    expect(&x, 80,
           "  step  what                    where\n"
           "     1  T1: R rlx   x           file.c:1234\n"
           "   ── switch ──\n"
           "     2  T2: R rlx   x           file.c:1234\n"
           "   ── switch ──\n"
           "     3  T3: R rlx   x           file.c:1234\n"
           "   ── switch ──\n"
           "     4  T4: R rlx   x           file.c:1234\n"
           "   ── switch ──\n"
           "     5  T5: R rlx   x           file.c:1234\n");
}

static void test_nothing(void **state)
{
    (void)state;
    struct text out = {0};
    struct report_style style = {.columns = 80, .color = true, .unicode = true};
    struct interleaving x = all_rows();
    interleaving_draw(&out, &x, &style);
    assert_null(out.data);
}

/* Names come from others' files. */
static void test_unsafe_names(void **state)
{
    (void)state;
    add_values(1, EVENT_READ, ORDER_RELAXED, "\033[2J", "\n", NULL)->note = "\r";
    rows[0].place = "\tx";
    struct interleaving x = all_rows();
    char *got = draw_as(&x, 80, true);
    assert_int_equal(count_text(got, "\n"), 2);
    assert_null(strpbrk(got, "\033\t\r"));
    free(got);
}

/* Folders are left out where there is no room for them, if the names of files tell them apart. */
static void test_folders(void **state)
{
    (void)state;
    add_values(1, EVENT_READ, ORDER_RELAXED, "x", "1", NULL)->place = "/elsewhere/very/far/away/ring.h:12";
    add_values(1, EVENT_READ, ORDER_RELAXED, "x", "2", NULL)->place = "harness.c:3";
    struct interleaving x = all_rows();
    char *got = draw_as(&x, 80, true);
    assert_non_null(strstr(got, "  ring.h:12\n"));
    free(got);
    add_values(1, EVENT_READ, ORDER_RELAXED, "x", "3", NULL)->place = "ring.h:5";
    x = all_rows();
    got = draw_as(&x, 80, true);
    assert_null(strstr(got, "  ring.h:12\n"));
    assert_non_null(strstr(got, "away/ring.h:12\n"));
    free(got);
}

/* --- any interleaving --------------------------------------------------------------------------- */

static void add_random_row(unsigned threads, unsigned stay)
{
    static const char *const locations[] = {"x", "some.what[12].longer", NULL, "späti",
                                            "a.very.long.location.name[3]"};
    static const char *const notes[] = {
        "stale", "stale: it is a long story why this value was read here, and not another"};
    static const char *const places[] = {"a.c:1", NULL, "some/folder/with/a/file/deep/inside.c:12345"};
    unsigned thread = row_count && pick(stay) ? rows[row_count - 1].thread : pick(threads);
    struct report_event *r = add(thread, pick(EVENT_KIND_COUNT), pick(8), locations[pick(5)]);
    static const char *const values[] = {NULL, "1", "0x10000000000"};
    r->found = values[pick(3)];
    r->written = values[pick(3)];
    r->place = places[pick(3)];
    r->note = pick(12) ? NULL : notes[pick(2)];
    r->guilty = pick(40) == 0;
    r->stale = pick(2);
    r->source = pick(3);
    if (pick(8) == 0) {
        size_t period = 1 + pick(3);
        for (size_t i = 0; i < period * 5 && row_count < ROWS_MOST && row_count > period; i++) {
            rows[row_count] = rows[row_count - period];
            rows[row_count].id = (uint32_t)row_count + 1;
            row_count++;
        }
    }
}

static void check_columns(char *got, unsigned columns)
{
    for (char *line = strtok(got, "\n"); line; line = strtok(NULL, "\n"))
        assert_true(text_columns(line) <= columns);
}

static bool may_be_of_loop(size_t i)
{
    bool found = false;
    for (size_t k = 1; k <= 8 && k <= i; k++)
        found |= rows[i].event == rows[i - k].event && rows[i].thread == rows[i - k].thread;
    return found;
}

/* What the text cites is there; equal rounds of loops apart, calls, returns, notes and guilty steps are, too. */
static void check_needed(const struct interleaving *x, const struct interleaving_lines *lines)
{
    bool *shown = calloc(ROWS_MOST, 1);
    assert_non_null(shown);
    for (size_t i = 0; i < lines->len; i++)
        shown[lines->data[i].row] |= lines->data[i].kind == INTERLEAVING_ROW;
    for (size_t i = 0; i < row_count; i++)
        assert_true(shown[i] || may_be_of_loop(i) ||
                    !(rows[i].guilty || rows[i].note || rows[i].event == EVENT_OP_CALL ||
                      rows[i].event == EVENT_OP_RETURN));
    for (size_t k = 0; k < x->cited_count; k++)
        assert_true(shown[x->cited[k] - 1]);
    free(shown);
}

static void folding(const struct interleaving *x)
{
    struct interleaving_lines lines = interleaving_fold(x);
    size_t steps = 0;
    for (size_t i = 0; i < lines.len; i++) {
        const struct interleaving_line *line = &lines.data[i];
        steps += line->kind == INTERLEAVING_LOOP ? line->steps * (line->times - 1) : line->steps;
    }
    assert_int_equal(steps, x->count);
    assert_true(lines.len <= 400 || x->lines_most);
    bool narrowed = lines.len && (lines.data[0].kind == INTERLEAVING_EARLIER ||
                                  lines.data[lines.len - 1].kind == INTERLEAVING_LATER);
    if (!narrowed)
        check_needed(x, &lines);
    free(lines.data);
}

static void test_random(void **state)
{
    (void)state;
    for (int round = 0; round < 3000; round++) {
        row_count = 0;
        unsigned threads = 1 + pick(6), stay = 1 + pick(20), wanted = 1 + pick(round % 50 ? 100 : 3000);
        while (row_count < wanted)
            add_random_row(threads, stay);
        struct interleaving x = all_rows();
        uint32_t cited[] = {1 + pick((unsigned)row_count), 1 + pick((unsigned)row_count)};
        x.cited = cited;
        x.cited_count = pick(3);
        x.lines_most = pick(3) ? 0 : 6 + pick(60);
        bool guilty = false;
        for (size_t i = 0; i < row_count; i++)
            guilty = guilty || rows[i].guilty;
        unsigned columns = 40 + pick(81);
        char *got = draw_as(&x, columns, true);
        assert_true(!guilty || strstr(got, "▶"));
        folding(&x);
        check_columns(got, columns);
        free(got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_story, start),
        cmocka_unit_test_setup(test_kinds, start),
        cmocka_unit_test_setup(test_loops, start),
        cmocka_unit_test_setup(test_long_turns, start),
        cmocka_unit_test_setup(test_many_switches, start),
        cmocka_unit_test_setup(test_two_guilty_steps, start),
        cmocka_unit_test_setup(test_many_threads, start),
        cmocka_unit_test_setup(test_nothing, start),
        cmocka_unit_test_setup(test_unsafe_names, start),
        cmocka_unit_test_setup(test_folders, start),
        cmocka_unit_test_setup(test_random, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
