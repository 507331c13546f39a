/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/hash.h"
#include "explore/explore.h"
#include "support/scripted_program.h"

#include <string.h>

/* Every execution within the bound, without an explorer: how many, and the sum of their hashes. */
struct census {
    uint64_t executions, sum, failures;
};

static void census_count(const struct machine *m, uint32_t running, uint32_t preemptions, struct census *c)
{
    bool ended = true;
    bool running_can_go = running != UINT32_MAX && machine_can_go(m, running);
    for (uint32_t t = 0; t < script_thread_count(m->script); t++) {
        if (!machine_can_go(m, t))
            continue;
        ended = false;
        uint32_t cost = running_can_go && t != running;
        if (cost > preemptions)
            continue;
        for (uint32_t way = 0; way < machine_ways(m, t); way++) {
            struct machine next = *m;
            machine_step(&next, t, way);
            census_count(&next, t, preemptions - cost, c);
        }
    }
    if (!ended)
        return;
    c->executions++;
    c->sum += machine_hash(m);
    c->failures += m->failed;
}

/* Runs the explorer to its end. */
static struct census run_all(struct explorer *e, const struct script *s, struct hash_map *seen)
{
    struct census c = {0};
    struct machine m;
    struct recording r;
    while (run_once(e, s, &m, &r)) {
        c.executions++;
        c.failures += m.failed;
        uint32_t *times = hash_map_at(seen, machine_hash(&m));
        if (*times == HASH_NO_NUMBER) {
            *times = 0;
            c.sum += machine_hash(&m);
        }
        ++*times;
    }
    return c;
}

/* DFS runs exactly the executions of the census, each once, and says truly whether the bound mattered. */
static uint64_t check_dfs(const struct script *s, uint32_t bound)
{
    struct machine m = machine_start(s);
    struct census expected = {0}, unbounded = {0};
    census_count(&m, UINT32_MAX, bound, &expected);
    census_count(&m, UINT32_MAX, UINT32_MAX, &unbounded);

    struct hash_map seen = {0};
    struct explorer *e = explore_dfs(bound);
    struct census got = run_all(e, s, &seen);
    assert_int_equal(got.executions, expected.executions);
    assert_int_equal(seen.count, expected.executions);
    assert_true(got.sum == expected.sum);
    assert_int_equal(explore_dfs_was_bounded(e), expected.executions < unbounded.executions);
    assert_false(explore_dfs_diverged(e));
    assert_false(e->class->begin(e));
    explore_destroy(e);
    hash_map_free(&seen);
    return got.executions;
}

static uint64_t count_dfs(const struct script *s)
{
    return check_dfs(s, UINT32_MAX);
}

static void dfs_runs_every_interleaving_once(void **state)
{
    (void)state;
    assert_int_equal(count_dfs(&SCRIPT("")), 1);
    assert_int_equal(count_dfs(&SCRIPT("w0w0w0")), 1);
    assert_int_equal(count_dfs(&SCRIPT("w0w0", "w1w1")), 6);
    assert_int_equal(count_dfs(&SCRIPT("w0w0w0", "w1w1w1")), 20);
    assert_int_equal(count_dfs(&SCRIPT("w0w0", "w1w1", "w2w2")), 90);
    assert_int_equal(count_dfs(&SCRIPT("w0", "w1w1", "r2r2r2")), 60);
    assert_int_equal(count_dfs(&SCRIPT("w0", "w1", "w2", "w3", "r0")), 120);
    assert_int_equal(count_dfs(&SCRIPT("w0w0w0w0", "w1w1w1w1", "w2w2w2w2")), 34650);
}

static void dfs_follows_locks_branches_and_new_threads(void **state)
{
    (void)state;
    assert_int_equal(count_dfs(&SCRIPT("l0w0u0", "l0w0u0")), 2);
    assert_int_equal(count_dfs(&SCRIPT("l0u0", "l0u0", "l0u0")), 6);
    assert_int_equal(count_dfs(&SCRIPT("l0w0u0", "w1")), 4);
    /* Whichever starts: stuck at once, or done, with the other's first lock before or after the last unlock. */
    assert_int_equal(count_dfs(&SCRIPT("l0l1u1u0", "l1l0u0u1")), 2 * 3);
    assert_int_equal(count_dfs(&SCRIPT("b3")), 3);
    assert_int_equal(count_dfs(&SCRIPT("b3", "b2w0")), 3 * 3 * 2);
    assert_int_equal(count_dfs(&SCRIPT_ON_DEMAND("w0s1w0", "w1")), 2);
}

static void dfs_keeps_the_preemption_bound(void **state)
{
    (void)state;
    struct script two = SCRIPT("w0w0", "w1w1"), three = SCRIPT("w0w0", "w1w1", "w2w2");
    assert_int_equal(check_dfs(&two, 0), 2);
    assert_int_equal(check_dfs(&two, 1), 4);
    assert_int_equal(check_dfs(&two, 2), 6);
    assert_int_equal(check_dfs(&three, 0), 6);
    for (uint32_t bound = 1; bound < 6; bound++)
        check_dfs(&three, bound);
    struct script locks = SCRIPT("l0w0u0w1", "w1l0u0", "b2w0");
    for (uint32_t bound = 0; bound < 6; bound++)
        check_dfs(&locks, bound);
}

static uint64_t next_random(uint64_t *seed)
{
    return hash_word(*seed += 0x9e3779b97f4a7c15u);
}

static void dfs_agrees_with_the_census_on_random_scripts(void **state)
{
    (void)state;
    static const char *const actions[] = {"w0", "r1", "l0", "u0", "l1", "u1", "b2", "s1", "s2"};
    uint64_t seed = 1;
    for (int k = 0; k < 300; k++) {
        char text[3][16] = {{0}};
        struct script s = {{text[0], text[1], text[2]}, .on_demand = k % 4 == 0};
        for (int t = 0; t < 3; t++)
            for (uint64_t left = next_random(&seed) % 4; left > 0; left--)
                strcat(text[t], actions[next_random(&seed) % 9]);
        for (uint32_t bound = 0; bound < 3; bound++)
            check_dfs(&s, bound);
        check_dfs(&s, UINT32_MAX);
    }
}

/* Questions at whim: the answers stay possible, and the search ends. */
static void dfs_survives_a_nondeterministic_program(void **state)
{
    (void)state;
    struct port_action enabled[4] = {{.thread = 0}, {.thread = 1}, {.thread = 2}, {.thread = 3}};
    uint64_t seed = 7;
    for (int k = 0; k < 200; k++) {
        struct explorer *e = explore_dfs(k % 3 == 0 ? 1 : UINT32_MAX);
        uint32_t executions = 0;
        while (e->class->begin(e)) {
            assert_true(++executions < 100000);
            for (uint64_t left = next_random(&seed) % 5; left > 0; left--) {
                uint32_t count = 2 + (uint32_t)(next_random(&seed) % 3),
                         running = (uint32_t)(next_random(&seed) % 5);
                if (next_random(&seed) % 4 == 0)
                    assert_true(e->class->branch(e, count) < count);
                else
                    assert_true(e->class->choose(e, enabled, count, running) < count);
            }
            e->class->end(e, PORT_COMPLETE);
        }
        assert_true(executions == 1 || explore_dfs_diverged(e));
        explore_destroy(e);
    }
}

/* Three options while there are two to take, two as soon as the third is wanted. */
static void dfs_ends_although_an_option_comes_and_goes(void **state)
{
    (void)state;
    struct port_action enabled[3] = {{.thread = 0}, {.thread = 1}, {.thread = 2}};
    struct explorer *e = explore_dfs(UINT32_MAX);
    for (int k = 0; e->class->begin(e); k++) {
        assert_true(k < 100);
        uint32_t count = k >= 4 && k % 2 == 0 ? 2 : 3;
        assert_true(e->class->choose(e, enabled, count, UINT32_MAX) < count);
        e->class->branch(e, 2);
        e->class->end(e, PORT_COMPLETE);
    }
    assert_true(explore_dfs_diverged(e));
    explore_destroy(e);
}

/* Fewer options, another kind of question, no question at all; the last program always asks the same. */
static void dfs_notices_each_kind_of_divergence(void **state)
{
    (void)state;
    struct port_action enabled[3] = {{.thread = 0}, {.thread = 1}, {.thread = 2}};
    for (int kind = 0; kind < 4; kind++) {
        struct explorer *e = explore_dfs(UINT32_MAX);
        for (int k = 0; e->class->begin(e); k++) {
            if (k == 0 || kind == 3)
                e->class->choose(e, enabled, 3, UINT32_MAX);
            else if (kind == 0)
                assert_true(e->class->choose(e, enabled, 2, UINT32_MAX) < 2);
            else if (kind == 1)
                e->class->branch(e, 3);
            e->class->end(e, PORT_COMPLETE);
        }
        assert_int_equal(explore_dfs_diverged(e), kind != 3);
        explore_destroy(e);
    }
}

static void same_seed_same_executions(void **state)
{
    (void)state;
    struct script s = SCRIPT("w0b3w0", "w1w1", "l0w2u0", "l0u0");
    struct explorer *all[] = {explore_random(5, 100, 50), explore_pct(5, 100, 50, 3, 12)};
    for (int mode = 0; mode < 2; mode++) {
        struct explorer *other = mode ? explore_pct(6, 100, 50, 3, 12) : explore_random(6, 100, 50);
        int equal = 0;
        struct machine m, again, third;
        struct recording r;
        for (uint64_t k = 100; run_once(all[mode], &s, &m, &r); k++) {
            struct explorer *one = mode ? explore_pct(5, k, 1, 3, 12) : explore_random(5, k, 1);
            assert_true(run_once(one, &s, &again, &r));
            assert_memory_equal(&m, &again, sizeof m);
            assert_false(run_once(one, &s, &again, &r));
            explore_destroy(one);
            assert_true(run_once(other, &s, &third, &r));
            equal += machine_hash(&m) == machine_hash(&third);
        }
        assert_false(run_once(other, &s, &third, &r));
        assert_true(equal < 25);
        explore_destroy(other);
        explore_destroy(all[mode]);
    }
}

/* Random sampling reaches every execution of a small script; with equal odds at each step, two threads of two
 * independent steps have schedules of probability 1/4 (two) and 1/8 (four). */
static void random_reaches_everything_with_the_right_odds(void **state)
{
    (void)state;
    struct script s = SCRIPT("w0b2", "w1w1", "l0u0"), small = SCRIPT("w0w0", "w1w1");
    struct hash_map seen = {0};
    struct explorer *e = explore_random(1, 0, 20000);
    run_all(e, &s, &seen);
    assert_int_equal(seen.count, count_dfs(&s));
    explore_destroy(e);
    hash_map_free(&seen);

    uint32_t times[16] = {0}, quarters = 0, eighths = 0;
    struct machine m;
    struct recording r;
    e = explore_random(2, 0, 80000);
    while (run_once(e, &small, &m, &r))
        times[m.trace[0] / 16 * 8 + m.trace[1] / 16 * 4 + m.trace[2] / 16 * 2 + m.trace[3] / 16]++;
    for (int i = 0; i < 16; i++) {
        quarters += times[i] > 19500 && times[i] < 20500;
        eighths += times[i] > 9600 && times[i] < 10400;
    }
    assert_int_equal(quarters, 2);
    assert_int_equal(eighths, 4);
    explore_destroy(e);
}

/* The first answers of neighbouring executions, and all answers of one, are uniform: chi squared with 6
 * degrees of freedom stays below 30 (probability of more: 4e-5; the seeds are fixed). */
static void random_is_uniform(void **state)
{
    (void)state;
    struct port_action enabled[7] = {{0}};
    for (uint64_t seed = 0; seed < 20; seed++) {
        uint32_t first[7] = {0}, all[7] = {0};
        struct explorer *e = explore_random(seed, 0, 7000);
        while (e->class->begin(e))
            first[e->class->choose(e, enabled, 7, 0)]++;
        explore_destroy(e);
        e = explore_random(seed, 0, 1);
        assert_true(e->class->begin(e));
        for (int k = 0; k < 7000; k++)
            all[k % 2 ? e->class->choose(e, enabled, 7, 0) : e->class->branch(e, 7)]++;
        explore_destroy(e);
        double off_first = 0, off_all = 0;
        for (int i = 0; i < 7; i++) {
            off_first += (first[i] - 1000.0) * (first[i] - 1000.0) / 1000;
            off_all += (all[i] - 1000.0) * (all[i] - 1000.0) / 1000;
        }
        assert_true(off_first < 30 && off_all < 30);
    }
}

/* Neighbouring executions do not repeat each other's answers, whatever the delay. */
static void random_executions_are_independent(void **state)
{
    (void)state;
    enum { LENGTH = 400, DELAY_MOST = 5 };
    struct port_action enabled[2] = {{0}};
    uint32_t answers[2][LENGTH];
    struct explorer *e = explore_random(0, 0, 2);
    for (int k = 0; e->class->begin(e); k++)
        for (int i = 0; i < LENGTH; i++)
            answers[k][i] = e->class->choose(e, enabled, 2, 0);
    explore_destroy(e);
    for (int delay = 0; delay < DELAY_MOST; delay++) {
        int equal = 0, equal_back = 0;
        for (int i = 0; i + delay < LENGTH; i++) {
            equal += answers[0][i] == answers[1][i + delay];
            equal_back += answers[1][i] == answers[0][i + delay];
        }
        assert_in_range(equal, 140, 260);
        assert_in_range(equal_back, 140, 260);
    }
}

static double failure_rate(struct explorer *e, const struct script *s, uint32_t *schedules)
{
    struct hash_map seen = {0};
    struct census c = run_all(e, s, &seen);
    if (schedules)
        *schedules = (uint32_t)seen.count;
    explore_destroy(e);
    hash_map_free(&seen);
    return (double)c.failures / (double)c.executions;
}

static void pct_keeps_its_promise(void **state)
{
    (void)state;
    enum { RUNS = 20000 };
    uint32_t schedules;
    /* Depth 1: without change points only the order of the threads counts. */
    struct script order = SCRIPT("w1w1w1+0w1", "w2w2w2w2", "w3!0w3");
    assert_true(failure_rate(explore_pct(1, 0, RUNS, 1, 0), &order, &schedules) >= 1.0 / 3);
    assert_int_equal(schedules, 6);
    /* Thread 1 has to come last although it is ready from the start: hopeless for uniform steps. */
    struct script late = SCRIPT("w1w1w1w1w1w1w1w1w1w1w1w1w1w1w1w1w1w1w1w1w1w1w1+0", "!0");
    assert_true(failure_rate(explore_pct(1, 0, RUNS, 1, 0), &late, NULL) >= 0.45);
    assert_true(failure_rate(explore_random(1, 0, RUNS), &late, NULL) < 0.01);
    /* Depth 2: thread 2 inside a window of thread 0, one bug in n * k, with k learned or given. */
    struct script window = SCRIPT("w1w1w1w1+0-0w1w1", "w2w2w2w2", "w3w3!0w3");
    assert_true(failure_rate(explore_pct(1, 0, RUNS, 2, 16), &window, NULL) >= 1.0 / (3 * 16));
    assert_true(failure_rate(explore_pct(2, 0, RUNS, 2, 0), &window, NULL) >= 1.0 / (3 * 16));
    assert_true(failure_rate(explore_pct(1, 0, RUNS, 1, 0), &window, NULL) == 0);
    /* One window after the other: one of 6 orders of the threads, and both change points in their places. */
    struct script windows = SCRIPT("w2+0-0w2w2", "w2c1-1w2", "w2w2!1w2");
    assert_true(failure_rate(explore_pct(1, 0, RUNS, 3, 0), &windows, NULL) >= 1.0 / (6 * 13 * 13));
    assert_true(failure_rate(explore_pct(1, 0, RUNS, 2, 0), &windows, NULL) == 0);
}

/* Two threads, one change point: the question at which the second one takes over, 0 if none. */
static uint32_t pct_find_switch(struct explorer *e, uint32_t questions, enum port_outcome outcome)
{
    struct port_action enabled[2] = {{.thread = 0}, {.thread = 1}};
    uint32_t first = 0, found = 0;
    assert_true(e->class->begin(e));
    for (uint32_t k = 1; k <= questions; k++) {
        uint32_t now = e->class->choose(e, enabled, 2, first);
        if (k == 1)
            first = now;
        else if (now != first && !found)
            found = k;
    }
    e->class->end(e, outcome);
    return found;
}

static uint32_t pct_find_last_switch(struct explorer *e, uint32_t questions, enum port_outcome outcome)
{
    uint32_t last = 0;
    for (int k = 0; k < 1000; k++) {
        uint32_t at = pct_find_switch(e, questions, outcome);
        last = at > last ? at : last;
    }
    return last;
}

/* The guess, then cut executions while there are no others, then the longest that ended. */
static void pct_learns_the_length(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct explorer *e = explore_pct(seed, 0, 1, 2, 0);
        assert_in_range(pct_find_switch(e, 500, PORT_COMPLETE), 0, 100);
        explore_destroy(e);
    }
    struct explorer *e = explore_pct(1, 0, UINT64_MAX, 2, 0);
    pct_find_switch(e, 500, PORT_CUT);
    assert_in_range(pct_find_last_switch(e, 500, PORT_CUT), 480, 500);
    pct_find_switch(e, 20, PORT_BLOCKED);
    assert_int_equal(pct_find_last_switch(e, 20, PORT_ERROR), 20);
    assert_int_equal(pct_find_last_switch(e, 500, PORT_CUT), 20);
    explore_destroy(e);
}

/* New threads get priorities too, branches are seldom out of the ordinary, a thread that yields lets others go. */
static void pct_handles_new_threads_branches_and_yields(void **state)
{
    (void)state;
    struct script creation = SCRIPT_ON_DEMAND("s1s2w0+0", "w1", "!0");
    struct machine m;
    struct recording r;
    double rate = failure_rate(explore_pct(3, 0, 5000, 1, 0), &creation, NULL);
    assert_true(rate > 0.45 && rate < 0.55);

    struct script branch = SCRIPT("b4");
    uint32_t ways[4] = {0};
    struct explorer *e = explore_pct(3, 0, 24000, 2, 0);
    while (run_once(e, &branch, &m, &r))
        ways[m.trace[0]]++;
    assert_in_range(ways[0], 20700, 21300);
    for (int way = 1; way < 4; way++)
        assert_in_range(ways[way], 850, 1150);
    explore_destroy(e);

    struct script spin = SCRIPT("a0w1", "a0w1", "w2w2w2y0+0");
    e = explore_pct(3, 0, 200, 3, 0);
    while (run_once(e, &spin, &m, &r))
        assert_true(m.length < 40);
    explore_destroy(e);
}

/* What the other explorers did is done again, answer by answer. */
static void replay_repeats_recorded_executions(void **state)
{
    (void)state;
    struct script s = SCRIPT("w0b3l0w0u0", "l0w1u0b2", "w2w2");
    struct explorer *sources[] = {explore_random(9, 0, 500), explore_pct(9, 0, 500, 3, 0), explore_dfs(1)};
    for (size_t i = 0; i < 3; i++) {
        struct machine m, again;
        struct recording r, second;
        while (run_once(sources[i], &s, &m, &r)) {
            struct explorer *e = explore_replay(r.steps, r.count);
            assert_true(run_once(e, &s, &again, &second));
            assert_memory_equal(&m, &again, sizeof m);
            assert_int_equal(r.count, second.count);
            assert_memory_equal(r.steps, second.steps, r.count * sizeof *r.steps);
            assert_false(explore_replay_diverged(e));
            assert_false(run_once(e, &s, &again, &second));
            explore_destroy(e);
        }
        explore_destroy(sources[i]);
    }
}

static void guided_goes(const struct schedule_step *steps, uint32_t count, const char *trace)
{
    struct script s = SCRIPT("w0b2w0", "w1w1");
    struct machine m;
    struct recording r;
    struct explorer *e = explore_guided(steps, count);
    assert_true(run_once(e, &s, &m, &r));
    assert_int_equal(m.length, strlen(trace));
    for (uint32_t i = 0; i < m.length; i++)
        assert_int_equal(m.trace[i] / 16, trace[i] - '0');
    assert_false(run_once(e, &s, &m, &r));
    explore_destroy(e);
}

static void guided_leaves_out_what_is_not_possible(void **state)
{
    (void)state;
    struct schedule_step steps[] = {{0, 1}, {0, 0}, {0, 0}, {1, 1}, {0, 1}, {0, 0}};
    guided_goes(steps, 5, "10010");
    guided_goes(steps, 2, "10001"); /* a beginning: the thread goes on */
    guided_goes(steps, 0, "00011");
    steps[1].answer = 7;
    guided_goes(steps, 5, "10100"); /* no such thread: what comes next */
    steps[3] = (struct schedule_step){0, 1};
    guided_goes(steps, 5, "10100"); /* a thread where a way is asked for */
}

static bool replay_diverges(const struct schedule_step *steps, uint32_t count, const char *trace)
{
    struct script s = SCRIPT("w0b2w0", "w1w1");
    struct machine m;
    struct recording r;
    struct explorer *e = explore_replay(steps, count);
    assert_true(run_once(e, &s, &m, &r));
    bool diverged = explore_replay_diverged(e);
    for (uint32_t i = 0; i < m.length; i++)
        assert_int_equal(m.trace[i] / 16, trace[i] - '0');
    explore_destroy(e);
    return diverged;
}

static void replay_tells_when_the_recording_does_not_fit(void **state)
{
    (void)state;
    struct schedule_step steps[] = {{0, 1}, {0, 0}, {0, 0}, {1, 1}, {0, 1}, {0, 0}};
    assert_false(replay_diverges(steps, 5, "10010"));
    assert_false(replay_diverges(steps, 2, "10001")); /* a beginning: goes on with first choices */
    assert_false(replay_diverges(steps, 0, "00011"));
    assert_true(replay_diverges(steps, 6, "10010")); /* one answer too many */
    steps[1].answer = 7;
    assert_true(replay_diverges(steps, 5, "11000")); /* no such thread: thread 1 goes on */
    steps[1].answer = 0;
    steps[3].answer = 2;
    assert_true(replay_diverges(steps, 5, "10001")); /* no such way */
    steps[3] = (struct schedule_step){0, 1};
    assert_true(replay_diverges(steps, 5, "10001")); /* a thread where a way is asked for */
    steps[1].kind = 1;
    assert_true(replay_diverges(steps, 5, "11000"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dfs_runs_every_interleaving_once),
        cmocka_unit_test(dfs_follows_locks_branches_and_new_threads),
        cmocka_unit_test(dfs_keeps_the_preemption_bound),
        cmocka_unit_test(dfs_agrees_with_the_census_on_random_scripts),
        cmocka_unit_test(dfs_survives_a_nondeterministic_program),
        cmocka_unit_test(dfs_ends_although_an_option_comes_and_goes),
        cmocka_unit_test(dfs_notices_each_kind_of_divergence),
        cmocka_unit_test(same_seed_same_executions),
        cmocka_unit_test(random_reaches_everything_with_the_right_odds),
        cmocka_unit_test(random_is_uniform),
        cmocka_unit_test(random_executions_are_independent),
        cmocka_unit_test(pct_keeps_its_promise),
        cmocka_unit_test(pct_learns_the_length),
        cmocka_unit_test(pct_handles_new_threads_branches_and_yields),
        cmocka_unit_test(replay_repeats_recorded_executions),
        cmocka_unit_test(replay_tells_when_the_recording_does_not_fit),
        cmocka_unit_test(guided_leaves_out_what_is_not_possible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
