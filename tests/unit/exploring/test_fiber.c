/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/fiber/fiber.h"
#include "engine/real.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { FIBERS = 64, ROUNDS = 1000 };

static struct fiber home, fibers[FIBERS], on_threads[2];
static uint64_t turns[FIBERS];
static __thread int local = 5;
static __thread char zeroed[40];

static int set_up(void **state)
{
    (void)state;
    real_resolve();
    fiber_adopt_caller(&home);
    fiber_switch_storage();
    for (int k = 0; k < FIBERS; k++)
        if (!fiber_create(&fibers[k], (uint32_t)k))
            return -1;
    return 0;
}

/* ------------------------------------------------------------------ switching */

static void take_turns(void *argument)
{
    struct fiber *self = argument;
    uint64_t *turn = &turns[self - fibers];
    for (;;) {
        ++*turn;
        fiber_switch(self, &home);
    }
}

static void every_switch_comes_back(void **state)
{
    (void)state;
    for (int k = 0; k < FIBERS; k++) {
        turns[k] = 0;
        fiber_prepare(&fibers[k], take_turns, &fibers[k]);
    }
    for (int round = 1; round <= ROUNDS; round++)
        for (int k = 0; k < FIBERS; k++) {
            fiber_switch(&home, &fibers[k]);
            assert_int_equal(turns[k], round);
        }
}

static void pass_on(void *argument)
{
    struct fiber *self = argument;
    size_t next = (size_t)(self - fibers) + 1;
    for (;;) {
        turns[next - 1]++;
        fiber_switch(self, next < FIBERS ? &fibers[next] : &home);
    }
}

static void fibers_switch_among_themselves(void **state)
{
    (void)state;
    for (int k = 0; k < FIBERS; k++) {
        turns[k] = 0;
        fiber_prepare(&fibers[k], pass_on, &fibers[k]);
    }
    for (int round = 1; round <= ROUNDS; round++) {
        fiber_switch(&home, &fibers[0]);
        assert_int_equal(turns[0], round);
        assert_int_equal(turns[FIBERS - 1], round);
    }
}

static void a_prepared_fiber_starts_again(void **state)
{
    (void)state;
    turns[0] = 0;
    for (int k = 0; k < 10; k++) {
        fiber_prepare(&fibers[0], take_turns, &fibers[0]);
        fiber_switch(&home, &fibers[0]);
    }
    assert_int_equal(turns[0], 10);
}

static uint64_t mix(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f)
{
    return a + 3 * b + 5 * c + 7 * d + 11 * e + 13 * f;
}

static uint64_t sums[2];

/* More values live across the switch than there are registers that a call preserves. */
static void keep_registers(void *argument)
{
    struct fiber *self = argument;
    uint64_t number = (uint64_t)(self - fibers) + 1, a = number, b = a * 2, c = a * 3, d = a * 4, e = a * 5,
             f = a * 6;
    for (int round = 0; round < ROUNDS; round++) {
        fiber_switch(self, &home);
        a += 1;
        b += 2;
        c += 3;
        d += 4;
        e += 5;
        f += 6;
    }
    sums[number - 1] = mix(a, b, c, d, e, f);
    for (;;)
        fiber_switch(self, &home);
}

static void registers_survive(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++)
        fiber_prepare(&fibers[k], keep_registers, &fibers[k]);
    for (int round = 0; round <= ROUNDS; round++)
        for (int k = 0; k < 2; k++)
            fiber_switch(&home, &fibers[k]);
    for (uint64_t n = 1; n <= 2; n++)
        assert_int_equal(sums[n - 1], mix(n + ROUNDS, 2 * (n + ROUNDS), 3 * (n + ROUNDS), 4 * (n + ROUNDS),
                                          5 * (n + ROUNDS), 6 * (n + ROUNDS)));
}

static double double_sums[2];

/* Some architectures have floating-point registers that a call preserves. Without a fiber: what is expected. */
static double count_in_doubles(double start, struct fiber *self)
{
    double a = start, b = a + 1, c = a + 2, d = a + 3, e = a + 4, f = a + 5, g = a + 6, h = a + 7;
    for (int round = 0; round < ROUNDS; round++) {
        if (self)
            fiber_switch(self, &home);
        a += 1;
        b += a;
        c += 2;
        d += 3;
        e += c;
        f += 4;
        g += 5;
        h += d;
    }
    return a + b - c + d - e + f - g + h;
}

static void keep_doubles(void *argument)
{
    struct fiber *self = argument;
    size_t number = (size_t)(self - fibers);
    double_sums[number] = count_in_doubles((double)number + 0.5, self);
    for (;;)
        fiber_switch(self, &home);
}

static void doubles_survive(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++)
        fiber_prepare(&fibers[k], keep_doubles, &fibers[k]);
    for (int round = 0; round <= ROUNDS; round++)
        for (int k = 0; k < 2; k++)
            fiber_switch(&home, &fibers[k]);
    for (int k = 0; k < 2; k++)
        assert_true(double_sums[k] == count_in_doubles(k + 0.5, NULL));
}

/* ------------------------------------------------------------------ stacks */

static uintptr_t frame_end;
static char printed[64];

/* printf with a double needs the alignment that the ABI promises. */
static void use_alignment(void *argument)
{
    struct fiber *self = argument;
    _Alignas(16) volatile char aligned[16];
    aligned[0] = 1;
    frame_end = (uintptr_t)aligned;
    snprintf(printed, sizeof printed, "%.3f %d", 2.5, aligned[0]);
    for (;;)
        fiber_switch(self, &home);
}

static void stacks_are_aligned(void **state)
{
    (void)state;
    fiber_prepare(&fibers[0], use_alignment, &fibers[0]);
    fiber_switch(&home, &fibers[0]);
    assert_int_equal(frame_end % 16, 0);
    assert_string_equal(printed, "2.500 1");
    assert_true(fiber_has_on_stack(&fibers[0], frame_end));
    assert_false(fiber_has_on_stack(&fibers[1], frame_end));
}

static int depth_reached;

static int dive(int depth)
{
    volatile char frame[1024];
    memset((char *)frame, depth & 127, sizeof frame);
    depth_reached = depth;
    if (depth == 0)
        return frame[5];
    return dive(depth - 1) + (frame[sizeof frame - 1] == (depth & 127));
}

static int found;

static void dive_deep(void *argument)
{
    struct fiber *self = argument;
    found = dive(500);
    for (;;)
        fiber_switch(self, &home);
}

static void half_a_megabyte_of_stack_is_there(void **state)
{
    (void)state;
    fiber_prepare(&fibers[3], dive_deep, &fibers[3]);
    fiber_switch(&home, &fibers[3]);
    assert_int_equal(depth_reached, 0);
    assert_int_equal(found, 500);
}

static void guards_lie_below(void **state)
{
    (void)state;
    uint64_t bottom = (uint64_t)fibers[0].stack;
    assert_true(fiber_is_guard(&fibers[0], bottom - 1));
    assert_true(fiber_is_guard(&fibers[0], bottom - 4096));
    assert_false(fiber_is_guard(&fibers[0], bottom));
    assert_false(fiber_is_guard(&fibers[0], 0));
}

/* ------------------------------------------------------------------ thread-local storage */

static int errors[2], locals[2];
static int *addresses[2];

static void use_storage(void *argument)
{
    struct fiber *self = argument;
    int number = (int)(self - fibers);
    errno = 100 + number;
    local += number;
    addresses[number] = &local;
    memset(zeroed, 1 + number, sizeof zeroed);
    fiber_switch(self, &home);
    errors[number] = errno;
    locals[number] = local;
    for (;;)
        fiber_switch(self, &home);
}

static void storage_is_separate(void **state)
{
    (void)state;
    errno = 7;
    for (int k = 0; k < 2; k++) {
        fiber_reset_storage(&fibers[k]);
        fiber_prepare(&fibers[k], use_storage, &fibers[k]);
    }
    for (int round = 0; round < 2; round++)
        for (int k = 0; k < 2; k++)
            fiber_switch(&home, &fibers[k]);
    assert_int_equal(errno, 7);
    assert_int_equal(local, 5);
    assert_int_equal(zeroed[0], 0);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(errors[k], 100 + k);
        assert_int_equal(locals[k], 5 + k);
    }
    assert_ptr_not_equal(addresses[0], addresses[1]);
    assert_ptr_not_equal(addresses[0], &local);
}

static char first_zeroed, last_zeroed;

static void look_at_storage(void *argument)
{
    struct fiber *self = argument;
    locals[0] = local;
    first_zeroed = zeroed[0];
    last_zeroed = zeroed[sizeof zeroed - 1];
    for (;;)
        fiber_switch(self, &home);
}

static void storage_is_initialised_again(void **state)
{
    storage_is_separate(state);
    fiber_reset_storage(&fibers[1]);
    fiber_prepare(&fibers[1], look_at_storage, &fibers[1]);
    fiber_switch(&home, &fibers[1]);
    assert_int_equal(locals[0], 5);
    assert_int_equal(first_zeroed, 0);
    assert_int_equal(last_zeroed, 0);
}

/* ------------------------------------------------------------------ fibers on threads */

static int carriers[2];

static void use_thread(void *argument)
{
    struct fiber *self = argument;
    int number = (int)(self - on_threads);
    local += number;
    carriers[number] = gettid();
    fiber_switch(self, &home);
    locals[number] = local;
    addresses[number] = &local;
    for (;;)
        fiber_switch(self, &home);
}

/* The last test: there is no way back to fibers without threads. */
static void fibers_run_on_threads_of_their_own(void **state)
{
    (void)state;
    fiber_use_threads();
    fiber_switch_storage(); /* changes nothing now */
    assert_int_equal(fiber_way, FIBER_ON_THREAD);
    for (int k = 0; k < 2; k++) {
        assert_true(fiber_create(&on_threads[k], (uint32_t)(FIBERS + k)));
        fiber_prepare(&on_threads[k], use_thread, &on_threads[k]);
    }
    for (int round = 0; round < 2; round++)
        for (int k = 0; k < 2; k++)
            fiber_switch(&home, &on_threads[k]);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(carriers[k], on_threads[k].kernel_thread);
        assert_int_not_equal(carriers[k], gettid());
        assert_int_equal(locals[k], 5 + k);
    }
    assert_int_not_equal(carriers[0], carriers[1]);
    assert_ptr_not_equal(addresses[0], addresses[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_switch_comes_back),
        cmocka_unit_test(fibers_switch_among_themselves),
        cmocka_unit_test(a_prepared_fiber_starts_again),
        cmocka_unit_test(registers_survive),
        cmocka_unit_test(doubles_survive),
        cmocka_unit_test(stacks_are_aligned),
        cmocka_unit_test(half_a_megabyte_of_stack_is_there),
        cmocka_unit_test(guards_lie_below),
        cmocka_unit_test(storage_is_separate),
        cmocka_unit_test(storage_is_initialised_again),
        cmocka_unit_test(fibers_run_on_threads_of_their_own),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
