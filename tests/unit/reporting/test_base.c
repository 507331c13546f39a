/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/budget.h"
#include "base/hash.h"
#include "base/interruption.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/text.h"
#include "base/vec.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t next_random(uint64_t *seed)
{
    return hash_word(*seed += 0x9e3779b97f4a7c15u);
}

static void vec_grows_and_keeps_its_items(void **state)
{
    (void)state;
    VEC(int) v = {0};
    for (int i = 0; i < 1000; i++)
        vec_push(&v, i);
    assert_int_equal(v.len, 1000);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(v.data[i], i);
    assert_int_equal(vec_pop(&v), 999);
    assert_int_equal(vec_last(&v), 998);
    vec_free(&v);
    assert_int_equal(v.len, 0);
}

static void arena_gives_aligned_memory_of_any_size(void **state)
{
    (void)state;
    struct arena a = {0};
    static const size_t sizes[] = {0, 1, 15, 16, 17, 70000, 3};
    char *earlier = NULL;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        char *p = arena_alloc(&a, sizes[k]);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % 16, 0);
        memset(p, (int)k, sizes[k]);
        assert_ptr_not_equal(p, earlier);
        earlier = p;
    }
    arena_free(&a);
    assert_int_equal(a.total, 0);
    assert_non_null(arena_alloc(&a, 8)); /* ready for use again */
    assert_string_equal(arena_copy(&a, "longer", 4), "long");
    assert_string_equal(arena_copy(&a, NULL, 0), "");
    arena_free(&a);
}

enum { KEYS = 64 };

/* Against a plain table, with few different keys so that removal leaves gaps in runs. */
/* Small numbers beside each other, with the same hashed address: what was remembered of one step was taken for another's. */
static void combined_hashes_of_neighbours_differ(void **state)
{
    (void)state;
    struct hash_map seen = {0};
    for (uint64_t address = 0; address < 64; address++)
        for (uint64_t number = 0; number < 2000; number++) {
            uint32_t *times = hash_map_at(&seen, hash_combine(number, hash_combine(address * 8, 0)));
            assert_int_equal(*times, HASH_NO_NUMBER);
            *times = 1;
        }
    hash_map_free(&seen);
}

static void hash_map_agrees_with_a_table(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int round = 0; round < 200; round++) {
        struct hash_map map = {0};
        uint32_t table[KEYS];
        size_t count = 0;
        memset(table, 0xff, sizeof table);
        for (int step = 0; step < 300; step++) {
            uint64_t key = next_random(&seed) % KEYS;
            if (next_random(&seed) % 3) {
                uint32_t *number = hash_map_at(&map, key * 8);
                assert_int_equal(*number, table[key]);
                count += table[key] == HASH_NO_NUMBER;
                *number = table[key] = (uint32_t)step;
            } else {
                hash_map_remove(&map, key * 8);
                count -= table[key] != HASH_NO_NUMBER;
                table[key] = HASH_NO_NUMBER;
            }
            assert_int_equal(map.count, count);
        }
        for (uint64_t key = 0; key < KEYS; key++)
            assert_int_equal(hash_map_get(&map, key * 8), table[key]);
        hash_map_clear(&map);
        assert_int_equal(hash_map_get(&map, 8), HASH_NO_NUMBER);
        hash_map_free(&map);
    }
}

static void sort_is_stable_and_ascending(void **state)
{
    (void)state;
    uint64_t seed = 7;
    static const uint32_t sizes[] = {0, 1, 2, 47, 48, 1000, 5000};
    static const uint64_t ranges[] = {3, 1000, UINT64_MAX};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++) {
            uint32_t count = sizes[s], *items = NEW_ARRAY(uint32_t, count);
            uint64_t *keys = NEW_ARRAY(uint64_t, count);
            for (uint32_t k = 0; k < count; k++) {
                items[k] = k;
                keys[k] = next_random(&seed) % ranges[r];
            }
            sort_by_key(items, count, keys);
            for (uint32_t k = 1; k < count; k++) {
                assert_true(keys[items[k - 1]] <= keys[items[k]]);
                if (keys[items[k - 1]] == keys[items[k]])
                    assert_true(items[k - 1] < items[k]);
            }
            free(items);
            free(keys);
        }
    assert_true(sort_key_of_signed(-1) < sort_key_of_signed(0));
    assert_true(sort_key_of_signed(INT64_MIN) < sort_key_of_signed(INT64_MAX));
}

/* Ends of strings, zero bytes and bytes above 127 where the bytes that are kept apart begin and end. */
static void sort_of_texts_is_that_of_their_bytes(void **state)
{
    (void)state;
    static const struct sort_text expected[] = {
        {.bytes = "x ", .length = 2},
        {.bytes = "x \0", .length = 3},
        {.bytes = "x \0a", .length = 4},
        {.bytes = "x 1234567", .length = 9},
        {.bytes = "x 12345678", .length = 10, .tie = 1},
        {.bytes = "x 12345678", .length = 10, .tie = 2},
        {.bytes = "x 123456789", .length = 11},
        {.bytes = "x 2", .length = 3},
        {.bytes = "x \xff", .length = 3},
    };
    enum { COUNT = sizeof expected / sizeof *expected };
    struct sort_text texts[COUNT];
    for (uint32_t step = 1; step < COUNT; step++) {
        for (uint32_t k = 0; k < COUNT; k++)
            texts[k] = expected[(k * 5 + step) % COUNT];
        assert_int_equal(sort_texts(texts, COUNT), 2);
        for (uint32_t k = 0; k < COUNT; k++) {
            assert_int_equal(texts[k].length, expected[k].length);
            assert_memory_equal(texts[k].bytes, expected[k].bytes, expected[k].length);
            assert_int_equal(texts[k].tie, expected[k].tie);
        }
    }
    assert_int_equal(sort_texts(texts, 0), 0);
}

static void sort_keeps_each_number_once(void **state)
{
    (void)state;
    uint32_t numbers[] = {7, UINT32_MAX, 0, 7, 3, 0, 7}, none = 0;
    const uint32_t expected[] = {0, 3, 7, UINT32_MAX};
    assert_int_equal(sort_distinct(&none, 0), 0);
    assert_int_equal(sort_distinct(numbers, sizeof numbers / sizeof *numbers), 4);
    assert_memory_equal(numbers, expected, sizeof expected);
    assert_int_equal(sort_find(numbers, 4, 7), 2);
    assert_int_equal(sort_find(numbers, 4, 8), 4);
    assert_int_equal(sort_find(numbers, 0, 0), 0);
}

static void text_collects_and_counts_columns(void **state)
{
    (void)state;
    struct text t = {0};
    text_printf(&t, "%d-%s", 12, "ab");
    text_repeat(&t, "─", 3);
    assert_string_equal(t.data, "12-ab───");
    assert_int_equal(text_columns(t.data), 8);
    char *taken = text_take(&t);
    assert_string_equal(taken, "12-ab───");
    assert_null(t.data);
    free(taken);
    taken = text_take(&t);
    assert_string_equal(taken, "");
    free(taken);
}

static void budget_names_the_limit_that_was_met(void **state)
{
    (void)state;
    struct budget memory = budget_start(0, 100);
    assert_true(budget_charge(&memory, 100));
    assert_false(budget_charge(&memory, 1));
    assert_int_equal(memory.spent, BUDGET_MEMORY);
    assert_true(budget_exhausted(&memory));

    struct budget unlimited = budget_start(0, 0);
    assert_true(budget_charge(&unlimited, SIZE_MAX / 2));
    for (int k = 0; k < 1000; k++)
        assert_false(budget_exhausted(&unlimited));

    struct budget time = budget_start(1e-9, 0);
    while (!budget_exhausted(&time))
        continue;
    assert_int_equal(time.spent, BUDGET_TIME);
}

static bool is_foreign(const siginfo_t *info)
{
    (void)info;
    return true;
}

/* The signal that ends a process which gets SIGTERM, then `second`, `count` signals in all. 0: none does. */
static int deadly_signals(int count, int second, bool foreign, bool obeys)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        interruption_begin();
        interruption_ignore(foreign ? is_foreign : NULL);
        for (int k = 0; k < count; k++)
            raise(k ? second : SIGTERM);
        if (obeys)
            interruption_obey(NULL);
        _exit(interruption_came() == (count > 0 && !foreign) ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static int deadly_signal(int count, bool foreign, bool obeys)
{
    return deadly_signals(count, SIGINT, foreign, obeys);
}

static void interruption_comes_first_and_the_end_second(void **state)
{
    (void)state;
    assert_int_equal(deadly_signal(0, false, true), 0);
    assert_int_equal(deadly_signal(1, false, false), 0);
    assert_int_equal(deadly_signal(2, false, false), SIGINT);
    assert_int_equal(deadly_signal(1, false, true), SIGTERM);
    assert_int_equal(deadly_signal(2, true, true), 0);
    assert_int_equal(deadly_signals(2, SIGTERM, false, false), 0); /* as timeout(1) sends it */

    struct budget stopped = budget_start(0, 0);
    volatile sig_atomic_t stop = 1;
    stopped.stop = &stop;
    assert_true(budget_time_is_up(&stopped));
    assert_int_equal(stopped.spent, BUDGET_INTERRUPTED);
}

/* Sources of both languages may have the same name. */
static void test_names_of_files(void **state)
{
    (void)state;
    static const char *const names[][3] = {{"src/queue.c", ".plr", "out/queue.plr"},
                                           {"queue.cpp", ".plr", "out/queue.cpp.plr"},
                                           {"queue.cpp", ".repro.cpp", "out/queue.repro.cpp"},
                                           {"queue.test.c", ".plr", "out/queue.test.plr"},
                                           {"a.b/queue", ".plr", "out/queue.plr"},
                                           {".c", ".plr", "out/.c.plr"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct text t = {0};
        text_add_name(&t, "out", names[i][0], names[i][1]);
        assert_string_equal(t.data, names[i][2]);
        text_free(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_of_files),
        cmocka_unit_test(vec_grows_and_keeps_its_items),
        cmocka_unit_test(arena_gives_aligned_memory_of_any_size),
        cmocka_unit_test(combined_hashes_of_neighbours_differ),
        cmocka_unit_test(hash_map_agrees_with_a_table),
        cmocka_unit_test(sort_is_stable_and_ascending),
        cmocka_unit_test(sort_of_texts_is_that_of_their_bytes),
        cmocka_unit_test(sort_keeps_each_number_once),
        cmocka_unit_test(text_collects_and_counts_columns),
        cmocka_unit_test(budget_names_the_limit_that_was_met),
        cmocka_unit_test(interruption_comes_first_and_the_end_second),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
