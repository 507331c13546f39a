/* SPDX-License-Identifier: Apache-2.0 */
/* A binary history that comes in pieces is the same as the whole file: its events in the order of stamps, and of a file that is cut
 * those that the whole reader keeps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "explore/schedules/prng.h"
#include "formats/binary_follow.h"

#include <stdlib.h>
#include <string.h>

enum { THREADS = 5, EVENTS = 600, RUNS = 60 };

static struct prng random_state;

static uint32_t below(size_t bound)
{
    return prng_below(&random_state, (uint32_t)bound);
}

/* Threads hand in their events late and in bunches; the writer promises the smallest stamp that may still come. */
struct late_thread {
    int64_t first, time; /* of what it holds back; of its last event */
    int held;
    bool is_open;
};

static void hand_in(struct binary_writer *w, struct plumb_values *values, int number, struct late_thread *t)
{
    plumb_value name = plumb_int(values, number), op = plumb_string(values, "enq", 3);
    for (; t->held; t->held--) {
        if (t->is_open)
            binary_write_return(w, name, PLUMB_OK, t->first);
        else
            binary_write_call(w, name, PLUMB_NONE, op, plumb_int(values, t->first), t->first);
        t->is_open = !t->is_open;
        t->first += 3;
    }
}

static int64_t smallest_held(const struct late_thread threads[THREADS])
{
    int64_t smallest = INT64_MAX;
    for (int i = 0; i < THREADS; i++)
        if (threads[i].first < smallest)
            smallest = threads[i].first;
    return smallest;
}

static char *write_late(size_t *length)
{
    char *bytes = NULL;
    struct plumb_values *values = plumb_values_create();
    struct late_thread threads[THREADS] = {0};
    FILE *out = open_memstream(&bytes, length);
    struct binary_writer *w = binary_writer_create(out, values);
    binary_promise(w, 0);
    for (int i = 0; i < EVENTS; i++) {
        int number = (int)below(THREADS);
        threads[number].held++;
        if (below(8) == 0)
            hand_in(w, values, number, &threads[number]);
        binary_promise(w, smallest_held(threads));
        if (below(20) == 0)
            binary_flush(w);
    }
    for (int i = 0; i < THREADS; i++)
        hand_in(w, values, i, &threads[i]);
    assert_true(binary_close(w));
    fclose(out);
    plumb_values_destroy(values);
    return bytes;
}

struct seen {
    VEC(struct history_event) events;
};

static bool take(void *context, const struct history_event *e)
{
    struct seen *seen = context;
    if (seen->events.len)
        assert_true(vec_last(&seen->events).time <= e->time);
    vec_push(&seen->events, *e);
    return true;
}

static char *follow(const char *bytes, size_t length, struct seen *seen)
{
    struct diagnostic d = {0};
    struct history *h = history_create();
    struct binary_follower f = {.h = h, .d = &d, .take = take, .context = seen};
    for (size_t done = 0, piece; done < length; done += piece) {
        piece = 1 + below(below(10) ? 20 : 500);
        piece = piece < length - done ? piece : length - done;
        assert_true(binary_follow_bytes(&f, bytes + done, piece));
    }
    assert_true(binary_follow_end(&f));
    char *cut = f.cut;
    f.cut = NULL;
    binary_follower_free(&f);
    history_destroy(h);
    return cut;
}

/* Calls, and returns, of the operations that the whole reader keeps. */
static void compare_with_whole(const char *bytes, size_t length, const struct seen *seen, const char *cut)
{
    struct diagnostic d = {0};
    struct history *h = history_create();
    char *whole_cut;
    size_t calls = 0, returns = 0, pending = 0;
    bool fine = binary_read(h, bytes, length, &whole_cut, &d);
    assert_true(fine || d.code == PL_EMPTY_FILE);
    for (size_t i = 0; i < seen->events.len; i++) {
        calls += !seen->events.data[i].is_return;
        returns += seen->events.data[i].is_return;
    }
    for (size_t i = 0; i < h->ops.len; i++)
        pending += history_get(h, i).pending;
    assert_int_equal(calls, h->ops.len);
    assert_int_equal(returns, h->ops.len - pending);
    assert_true(!cut == !whole_cut && (!cut || !strcmp(cut, whole_cut)));
    free(whole_cut);
    history_destroy(h);
}

static void pieces_are_the_whole(void **state)
{
    (void)state;
    for (int run = 0; run < RUNS; run++) {
        size_t length;
        char *bytes = write_late(&length);
        for (int part = 0; part < 8; part++) {
            size_t some = part == 0 ? length : BINARY_MAGIC_BYTES + below(length - BINARY_MAGIC_BYTES);
            struct seen seen = {0};
            char *cut = follow(bytes, some, &seen);
            assert_true(!cut == (some == length));
            compare_with_whole(bytes, some, &seen, cut);
            free(cut);
            vec_free(&seen.events);
        }
        free(bytes);
    }
}

static void damage_ends_it(void **state)
{
    (void)state;
    size_t length;
    char *bytes = write_late(&length);
    bytes[length / 2] ^= 1;
    struct seen seen = {0};
    char *cut = follow(bytes, length, &seen);
    assert_non_null(cut);
    compare_with_whole(bytes, length, &seen, cut);
    free(cut);
    vec_free(&seen.events);
    free(bytes);
}

static void what_waits_is_limited(void **state)
{
    (void)state;
    size_t length;
    char *bytes = write_late(&length);
    struct diagnostic d = {0};
    struct history *h = history_create();
    struct seen seen = {0};
    struct binary_follower f = {.h = h, .d = &d, .take = take, .context = &seen, .memory_max = 100};
    assert_true(binary_follow_bytes(&f, bytes, length));
    assert_true(binary_follow_is_over(&f));
    assert_non_null(strstr(f.cut, "memory limit met"));
    binary_follower_free(&f);
    history_destroy(h);
    vec_free(&seen.events);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pieces_are_the_whole),
                                       cmocka_unit_test(damage_ends_it),
                                       cmocka_unit_test(what_waits_is_limited)};
    random_state = prng_start(7, 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
