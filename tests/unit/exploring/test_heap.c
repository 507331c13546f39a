/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/engine.h"
#include "engine/real.h"
#include "explore/explore.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { WORKERS = 3, BLOCKS = 5, KEPT = 3 };

static struct worker_shared *shared;
static struct explorer *explorer;
static char *kept[KEPT];
static const size_t kept_sizes[KEPT] = {24, 4096, 200000};
static char *kept_free;

static int set_up(void **state)
{
    (void)state;
    real_resolve();
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    shared->config.step_limit = 100000;
    explorer = explore_random(1, 0, UINT64_MAX);
    engine_prepare(shared, explorer);
    for (int k = 0; k < KEPT; k++) {
        kept[k] = heap_allocate(kept_sizes[k], 1, NULL);
        memset(kept[k], 10 + k, kept_sizes[k]);
    }
    kept_free = heap_allocate(8, 1, NULL);
    heap_free(kept_free, NULL);
    heap_keep();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    explore_destroy(explorer);
    munmap(shared, sizeof *shared);
    return 0;
}

static void run(void (*body)(void *), void *argument)
{
    explorer->class->begin(explorer);
    enum port_outcome outcome = engine_run(body, argument);
    explorer->class->end(explorer, outcome);
    assert_int_equal(outcome, PORT_COMPLETE);
}

/* Runs `body` in a child and returns the error it ended with. */
static enum worker_error_kind error_of(void (*body)(void *))
{
    shared->error.kind = WORKER_ERROR_NONE;
    pid_t child = fork();
    if (child == 0) {
        run(body, NULL);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return shared->error.kind;
}

/* ------------------------------------------------------------------ addresses */

static char *addresses[WORKERS + 1][BLOCKS];

static void *allocate_some(void *argument)
{
    uintptr_t number = (uintptr_t)argument;
    for (size_t k = 0; k < BLOCKS; k++) {
        engine_step(EVENT_YIELD, 0, 0, NULL);
        addresses[number][k] = heap_allocate(10 * k + number, 1, NULL);
    }
    return NULL;
}

static void allocate_in_threads(void *argument)
{
    (void)argument;
    uint32_t threads[WORKERS];
    for (uintptr_t k = 0; k < WORKERS; k++)
        threads[k] = engine_create(allocate_some, (void *)k, NULL);
    allocate_some((void *)(uintptr_t)WORKERS);
    for (int k = 0; k < WORKERS; k++)
        engine_join(threads[k], NULL);
}

static void addresses_do_not_depend_on_the_schedule(void **state)
{
    (void)state;
    char *first[WORKERS + 1][BLOCKS];
    uint64_t hashes[2];
    run(allocate_in_threads, NULL);
    hashes[0] = shared->event_hash;
    memcpy(first, addresses, sizeof first);
    for (int k = 0; k < 200; k++) {
        run(allocate_in_threads, NULL);
        hashes[1] = shared->event_hash;
        assert_memory_equal(first, addresses, sizeof first);
    }
    assert_int_not_equal(hashes[0], hashes[1]); /* schedules did differ */
}

static void blocks(void *argument)
{
    (void)argument;
    char *a = heap_allocate(1, 1, NULL), *b = heap_allocate(0, 1, NULL), *c = heap_allocate(100, 256, NULL);
    assert_true(heap_contains(a) && heap_contains(b) && heap_contains(c));
    assert_ptr_not_equal(a, b);
    assert_int_equal((uintptr_t)c % 256, 0);
    assert_int_equal(heap_size(a), 1);
    assert_int_equal(heap_size(c), 100);
    heap_free(a, NULL);
    assert_int_equal(heap_size(a), 0);
    assert_ptr_not_equal(heap_allocate(1, 1, NULL), a); /* not given out again unless asked for */
    assert_null(heap_allocate(SIZE_MAX, 1, NULL));
    assert_null(heap_allocate((size_t)1 << 40, 1, NULL));
    assert_false(heap_contains(&a));
}

static void blocks_are_as_asked_for(void **state)
{
    (void)state;
    run(blocks, NULL);
}

/* ------------------------------------------------------------------ blocks given out again */

struct reuse_seen {
    bool fresh, last, last_but_one, kept;
};

static void reuse(void *argument)
{
    struct reuse_seen *seen = argument;
    char *a = heap_allocate(40, 1, NULL), *b = heap_allocate(48, 1, NULL), *c = heap_allocate(33, 64, NULL);
    char *live = heap_allocate(40, 1, NULL);
    engine_plain((uint64_t)a, 40, true, NULL);
    assert_false(engine_read_nothing((uint64_t)a, 40));
    heap_free(a, NULL);
    heap_free(b, NULL);
    heap_free(heap_allocate(49, 1, NULL), NULL); /* of another size */
    char *again = heap_allocate(35, 1, NULL);
    assert_true(again != live && again != c);
    seen->last |= again == b;
    seen->last_but_one |= again == a;
    seen->fresh |= again != a && again != b;
    assert_int_equal(heap_size(again), 35);
    assert_true(heap_is_usable((uint64_t)again, 35) && !heap_is_usable((uint64_t)again, 36));
    assert_true(engine_read_nothing((uint64_t)again, 35));
    for (int k = 0; k < 35; k++)
        assert_int_equal((unsigned char)again[k], HEAP_FILLING);
    assert_true(again == a || heap_size(a) == 0);
    heap_free(kept[1], NULL);
    seen->kept |= heap_allocate(kept_sizes[1] - 6, 1, NULL) == kept[1];
}

static void freed_blocks_are_given_out_again(void **state)
{
    (void)state;
    struct reuse_seen seen = {0};
    shared->config.choices = CHOICE_REUSE;
    for (int k = 0; k < 100; k++)
        run(reuse, &seen);
    shared->config.choices = 0;
    assert_true(seen.fresh && seen.last && seen.last_but_one && seen.kept);
}

static void leak(void *argument)
{
    (void)argument;
    heap_free(heap_allocate(50, 1, NULL), NULL);
    heap_allocate(30, 1, (void *)0x1234);
}

static void leaks_are_counted(void **state)
{
    (void)state;
    uint64_t address = 0;
    const void *pc = NULL;
    run(leak, NULL);
    assert_int_equal(heap_leaks(&address, &pc), 30);
    assert_ptr_equal(pc, (void *)0x1234);
    run(leak, NULL);
    assert_int_equal(heap_leaks(&address, &pc), 30);
}

/* ------------------------------------------------------------------ errors */

static void check_exactly(void *argument)
{
    (void)argument;
    for (size_t size = 1; size <= 70; size++) {
        uint64_t p = (uint64_t)heap_allocate(size, 1, NULL);
        for (size_t from = 0; from <= size + 3; from++)
            for (size_t length = 1; length <= size + 3; length++)
                assert_int_equal(heap_is_usable(p + from, length), from + length <= size);
        assert_false(heap_is_usable(p - 1, 1));
        heap_free((void *)p, NULL);
        assert_false(heap_is_usable(p, 1));
        assert_false(heap_is_usable(p + size - 1, 1));
    }
    assert_true(heap_is_usable((uint64_t)&argument, 8));
}

static void checks_are_exact_to_the_byte(void **state)
{
    (void)state;
    run(check_exactly, NULL);
}

static void use_after_free(void *argument)
{
    (void)argument;
    char *p = heap_allocate(24, 1, NULL);
    heap_free(p, NULL);
    heap_check((uint64_t)p + 16, 8, NULL);
}

static void use_behind(void *argument)
{
    (void)argument;
    heap_check((uint64_t)heap_allocate(24, 1, NULL) + 20, 8, NULL);
}

static void use_never_allocated(void *argument)
{
    (void)argument;
    heap_check((uint64_t)heap_allocate(24, 1, NULL) + 100000, 8, NULL);
}

static void free_twice(void *argument)
{
    (void)argument;
    char *p = heap_allocate(24, 1, NULL);
    heap_free(p, NULL);
    heap_free(p, NULL);
}

static void free_inside(void *argument)
{
    (void)argument;
    heap_free((char *)heap_allocate(24, 1, NULL) + 8, NULL);
}

static void free_of_the_last_execution(void *argument)
{
    static char *old;
    (void)argument;
    if (old)
        heap_free(old, NULL);
    old = heap_allocate(24, 1, NULL);
}

static void errors_have_their_kinds(void **state)
{
    (void)state;
    assert_int_equal(error_of(use_after_free), WORKER_ERROR_USE_AFTER_FREE);
    assert_int_equal(error_of(use_behind), WORKER_ERROR_OUT_OF_BOUNDS);
    assert_int_equal(error_of(use_never_allocated), WORKER_ERROR_OUT_OF_BOUNDS);
    assert_int_equal(error_of(free_twice), WORKER_ERROR_DOUBLE_FREE);
    assert_int_equal(error_of(free_inside), WORKER_ERROR_BAD_FREE);
    run(free_of_the_last_execution, NULL);
    assert_int_equal(error_of(free_of_the_last_execution), WORKER_ERROR_BAD_FREE);
}

/* ------------------------------------------------------------------ what is kept */

static void spoil_kept(void *argument)
{
    (void)argument;
    for (int k = 0; k < KEPT; k++) {
        assert_int_equal(heap_size(kept[k]), kept_sizes[k]);
        for (size_t i = 0; i < kept_sizes[k]; i++)
            assert_int_equal(kept[k][i], 10 + k);
        assert_true(heap_is_usable((uint64_t)kept[k], kept_sizes[k]));
    }
    kept[0][23] = 1;
    kept[2][100000] = 1;
    memset(kept[1], 99, kept_sizes[1]);
    heap_free(kept[1], NULL);
    assert_false(heap_is_usable((uint64_t)kept[1], 1));
    assert_false(heap_is_usable((uint64_t)kept_free, 1));
}

/* As a vector that was made before main says it, and in each execution says again. */
static void use_parts(void *unused)
{
    (void)unused;
    assert_true(heap_is_usable((uint64_t)kept[0], kept_sizes[0]));
    heap_use(kept[0], kept_sizes[0], 17);
    assert_true(heap_is_usable((uint64_t)kept[0], 17));
    assert_false(heap_is_usable((uint64_t)kept[0] + 10, 8));
    assert_false(heap_is_usable((uint64_t)kept[0] + 23, 1));
    heap_use(kept[1], kept_sizes[1] - 1, 0); /* not the whole block: not a container's */
    assert_true(heap_is_usable((uint64_t)kept[1], kept_sizes[1]));
    char *p = heap_allocate(64, 1, NULL);
    heap_use(p, 64, 0);
    assert_false(heap_is_usable((uint64_t)p, 1));
    heap_use(p, 64, 48);
    assert_true(heap_is_usable((uint64_t)p, 48));
    assert_false(heap_is_usable((uint64_t)p + 48, 1));
    heap_use(p, 0, 0);
    assert_true(heap_is_usable((uint64_t)p, 64));
}

static void containers_use_parts_of_blocks(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++)
        run(use_parts, NULL);
}

static void kept_blocks_are_put_back(void **state)
{
    (void)state;
    for (int k = 0; k < 10; k++)
        run(spoil_kept, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_do_not_depend_on_the_schedule),
        cmocka_unit_test(blocks_are_as_asked_for),
        cmocka_unit_test(freed_blocks_are_given_out_again),
        cmocka_unit_test(leaks_are_counted),
        cmocka_unit_test(checks_are_exact_to_the_byte),
        cmocka_unit_test(errors_have_their_kinds),
        cmocka_unit_test(kept_blocks_are_put_back),
        cmocka_unit_test(containers_use_parts_of_blocks),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
