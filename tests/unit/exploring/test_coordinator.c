/* SPDX-License-Identifier: Apache-2.0 */
/* Work that is handed out, divided, given back, lost, saved and continued at random: all of it is done once, and nothing else. Processes
 * are played by the test: a piece is a number of executions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "campaign/cluster/coordinator.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS_MOST = 6, EXECUTIONS = 5000, TESTS = 700 };

struct play {
    uint64_t random;
    struct text requests[RANKS_MOST]; /* that processes have not answered; empty: none */
    uint64_t violation;               /* the execution with the error, counted down; 0: there is none */
    bool is_deadly;                   /* workers are killed now and then */
    bool fails;                       /* the next one to answer cannot go on */
};

static uint64_t draw(struct play *p, uint64_t below)
{
    p->random = p->random * 6364136223846793005u + 1442695040888963407u;
    return (p->random >> 33) % below;
}

static void add_piece(struct checkpoint *work, uint64_t executions)
{
    const char *bytes = (const char *)&executions;
    if (!executions)
        return;
    vec_push(&work->part_sizes, (uint64_t)sizeof executions);
    for (size_t k = 0; k < sizeof executions; k++)
        vec_push(&work->bytes, bytes[k]);
}

/* A few executions, and the rest in some pieces. */
static uint64_t work_on(struct play *p, uint64_t executions, struct checkpoint *left, uint64_t pieces)
{
    uint64_t done = draw(p, 300) + 1;
    if (done >= executions)
        return executions;
    uint64_t rest = executions - done;
    for (uint64_t k = pieces; k > 1; k--) {
        uint64_t part = draw(p, rest + 1);
        add_piece(left, part);
        rest -= part;
    }
    add_piece(left, rest);
    return done;
}

static uint64_t play_request(struct play *p, const struct text *request, struct checkpoint *left)
{
    struct request r;
    struct checkpoint work = {0};
    struct diagnostic why = {0};
    uint64_t done = 0, executions;
    memcpy(&r, request->data, sizeof r);
    if (r.kind == REQUEST_TESTS)
        return TESTS / r.wanted + (r.first < TESTS % r.wanted);
    if (!r.length)
        return work_on(p, EXECUTIONS, left, r.wanted);
    assert_true(checkpoint_parse(&work, request->data + sizeof r, request->len - sizeof r, &why));
    assert_int_equal(work.code, 77);
    for (size_t k = 0; k < work.part_sizes.len; k++) {
        memcpy(&executions, work.bytes.data + k * sizeof executions, sizeof executions);
        done += work_on(p, executions, left, r.kind == REQUEST_DIVIDE ? r.wanted : 1);
    }
    checkpoint_free(&work);
    return done;
}

static enum answer_kind draw_kind(struct play *p, const struct coordinator *c)
{
    if (p->fails)
        return ANSWER_FAILED;
    if (p->is_deadly && draw(p, 12) == 0)
        return ANSWER_DIED;
    return !c->is_auto && c->has_begun && draw(p, 8) == 0 ? ANSWER_SLOW : ANSWER_DONE;
}

static void answer(struct play *p, struct coordinator *c, uint64_t rank)
{
    struct checkpoint left = {.code = 77};
    struct shard_record r = {
        .tool = strdup("1"), .command = strdup("check"), .name = strdup("a.c"), .count = 1};
    struct text record = {0}, work = {0}, all = {0};
    uint64_t done = play_request(p, &p->requests[rank], &left);
    enum answer_kind kind = draw_kind(p, c);
    r.numbers[SHARD_EXECUTIONS] = r.numbers[SHARD_PASSED] =
        done + (kind != ANSWER_DONE); /* which does not count */
    if (kind == ANSWER_DIED || kind == ANSWER_FAILED)
        shard_add_text(&r.limits, "killed");
    r.answer = r.limits.len                           ? VERDICT_INCONCLUSIVE
               : p->violation && done >= p->violation ? VERDICT_VIOLATED
                                                      : VERDICT_HOLDS;
    if (left.part_sizes.len || !c->has_begun)
        checkpoint_print(&left, &work);
    shard_record_print(&record, &r);
    struct answer head = {.record = record.len, .work = work.len, .kind = kind};
    text_add(&all, (const char *)&head, sizeof head);
    text_add(&all, record.data, record.len);
    text_add(&all, work.len ? work.data : "", work.len);
    coordinator_answer(c, rank, &all);
    text_clear(&p->requests[rank]);
    checkpoint_free(&left);
    shard_record_free(&r);
    text_free(&record);
    text_free(&work);
    text_free(&all);
}

/* Everything is killed and continued by another number of ranks. */
static void begin_again(struct play *p, struct coordinator *c)
{
    struct text file = {0};
    bool is_auto = c->is_auto;
    if (!c->has_begun)
        return;
    coordinator_save(c, &file);
    coordinator_free(c);
    coordinator_begin(c, 1 + draw(p, RANKS_MOST), is_auto);
    assert_true(coordinator_load(c, file.data, file.len));
    for (size_t k = 0; k < RANKS_MOST; k++)
        text_clear(&p->requests[k]);
    text_free(&file);
}

static void free_requests(struct play *p)
{
    for (size_t k = 0; k < RANKS_MOST; k++)
        text_free(&p->requests[k]);
}

static void play_on(struct play *p, struct coordinator *c)
{
    for (uint32_t steps = 0; c->state == COORDINATOR_WORKS; steps++) {
        uint64_t rank = draw(p, c->ranks);
        assert_true(steps < 200000);
        if (!p->requests[rank].len)
            coordinator_next(c, rank, &p->requests[rank]);
        else
            answer(p, c, rank);
        if (c->state == COORDINATOR_WORKS && draw(p, 40) == 0)
            begin_again(p, c);
        if (c->state == COORDINATOR_WORKS && p->is_deadly && draw(p, 30) == 0) {
            coordinator_lose(c, rank = draw(p, c->ranks));
            text_clear(&p->requests[rank]);
        }
    }
    free_requests(p);
}

static void play(struct play *p, struct coordinator *c, bool is_auto, bool is_deadly)
{
    p->is_deadly = is_deadly;
    coordinator_begin(c, 1 + draw(p, RANKS_MOST), is_auto);
    play_on(p, c);
}

static void all_is_done_once(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct play p = {.random = seed};
        struct coordinator c;
        bool is_auto = seed % 3 == 0;
        play(&p, &c, is_auto, false);
        assert_int_equal(c.state, COORDINATOR_DONE);
        assert_int_equal(c.total.answer, VERDICT_HOLDS);
        assert_int_equal(c.total.numbers[SHARD_EXECUTIONS], is_auto ? TESTS : EXECUTIONS);
        coordinator_free(&c);
    }
}

/* Processes die: what they had is done by others, or the answer is inconclusive. */
static void what_dies_is_done_again(void **state)
{
    (void)state;
    uint64_t whole = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct play p = {.random = seed * 7919};
        struct coordinator c;
        bool is_auto = seed % 3 == 0;
        play(&p, &c, is_auto, true);
        if (c.state == COORDINATOR_DONE) {
            assert_int_equal(c.total.answer, VERDICT_HOLDS);
            whole++;
            assert_int_equal(c.total.numbers[SHARD_EXECUTIONS], is_auto ? TESTS : EXECUTIONS);
        } else {
            assert_true(c.state == COORDINATOR_FAILED || c.state == COORDINATOR_CUT);
        }
        coordinator_free(&c);
    }
    assert_true(whole > 5);
}

/* Work that no process survives is left over: all that was done is in the file, which another run goes on from. */
static void what_fails_is_left_to_do(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct play p = {.random = seed};
        struct coordinator c;
        struct text file = {0};
        uint64_t rank = 0;
        coordinator_begin(&c, 2, false);
        assert_true(coordinator_next(&c, 0, &p.requests[0]));
        answer(&p, &c, 0);
        while (c.state == COORDINATOR_WORKS && draw(&p, 20)) {
            rank = draw(&p, c.ranks);
            if (p.requests[rank].len || coordinator_next(&c, rank, &p.requests[rank]))
                answer(&p, &c, rank);
        }
        if (c.state != COORDINATOR_WORKS || !coordinator_next(&c, rank, &p.requests[rank])) {
            coordinator_free(&c);
            free_requests(&p);
            continue;
        }
        uint64_t done = c.total.numbers[SHARD_EXECUTIONS];
        p.fails = true;
        answer(&p, &c, rank);
        assert_int_equal(c.state, COORDINATOR_CUT);
        assert_int_equal(c.total.numbers[SHARD_EXECUTIONS], done);
        assert_int_equal(c.reasons.len, 1);
        assert_string_equal(c.reasons.data[0], "killed");
        p.fails = false;
        coordinator_save(&c, &file);
        coordinator_free(&c);
        coordinator_begin(&c, 3, false);
        assert_true(coordinator_load(&c, file.data, file.len));
        play_on(&p, &c);
        assert_int_equal(c.state, COORDINATOR_DONE);
        assert_int_equal(c.total.answer, VERDICT_HOLDS);
        assert_int_equal(c.total.numbers[SHARD_EXECUTIONS], EXECUTIONS);
        coordinator_free(&c);
        text_free(&file);
    }
}

static void an_error_ends_all(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct play p = {.random = seed, .violation = 1};
        struct coordinator c;
        play(&p, &c, seed % 2, false);
        assert_int_equal(c.state, COORDINATOR_DONE);
        assert_int_equal(c.total.answer, VERDICT_VIOLATED);
        coordinator_free(&c);
    }
}

static void other_files_are_refused(void **state)
{
    (void)state;
    struct play p = {.random = 5};
    struct coordinator c, other;
    struct text file = {0};
    coordinator_begin(&c, 2, false);
    assert_true(coordinator_next(&c, 0, &p.requests[0]));
    assert_false(coordinator_next(&c, 1, &p.requests[1])); /* the first one alone may fail */
    answer(&p, &c, 0);
    assert_true(coordinator_next(&c, 1, &p.requests[1]));
    coordinator_save(&c, &file);
    for (size_t k = 0; k < file.len; k += 3) {
        coordinator_begin(&other, 2, false);
        assert_false(coordinator_load(&other, file.data, k));
        file.data[k] ^= 1;
        assert_false(coordinator_load(&other, file.data, file.len));
        file.data[k] ^= 1;
        coordinator_free(&other);
    }
    coordinator_begin(&other, 2, true);
    assert_false(coordinator_load(&other, file.data, file.len));
    coordinator_free(&other);
    coordinator_free(&c);
    text_free(&p.requests[0]);
    text_free(&p.requests[1]);
    text_free(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_is_done_once),         cmocka_unit_test(what_dies_is_done_again),
        cmocka_unit_test(what_fails_is_left_to_do), cmocka_unit_test(an_error_ends_all),
        cmocka_unit_test(other_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
