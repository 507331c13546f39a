/* SPDX-License-Identifier: Apache-2.0 */
/* Plays the tool for tests/support/native_harness.c: maps the memory that both share, names rounds, reads records. PLUMB_NATIVE_HARNESS
 * may name another program, for instance one for another architecture with its emulator. */
#include "native/stress_shared.h"
#include "record/stamps.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { CALLS_MOST = 1 << 17 };

/* One call as it was read, in order of the thread. */
struct read_call {
    uint32_t slot, segment;
    struct stress_record record;
    uint64_t end;
    char argument[64], result[64]; /* as text */
};

static struct stress_shared *shared;
static struct stress_plan *plan;
static pid_t child;
static struct read_call *calls;
static uint32_t call_count, segment_count;

/* ------------------------------------------------------------------ processes */

static void futex(_Atomic uint32_t *word, int what, uint32_t value, int milliseconds)
{
    struct timespec limit = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    syscall(SYS_futex, word, what, value, milliseconds ? &limit : NULL, NULL, 0);
}

static void start(const char *program, uint32_t slots, uint32_t capacity, uint64_t area)
{
    uint64_t head = (sizeof *shared + 4095) & ~UINT64_C(4095);
    uint64_t records = (uint64_t)slots * STRESS_BANKS * capacity * sizeof(struct stress_record);
    uint64_t size = head + records + slots * STRESS_BANKS * area;
    int fd = memfd_create("native", 0);
    assert_int_equal(ftruncate(fd, (off_t)size), 0);
    shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert_true(shared != MAP_FAILED);
    *(uint64_t *)&shared->magic = STRESS_MAGIC;
    shared->size = size;
    shared->slots = slots;
    shared->capacity = capacity;
    shared->area_size = area;
    shared->records = head;
    shared->areas = head + records;
    plan = &shared->plan;
    plan->keys = 3;
    plan->noise = getenv("PLUMB_NATIVE_NOISE") ? (uint32_t)atoi(getenv("PLUMB_NATIVE_NOISE")) : 0;
    for (int i = 0; i < STRESS_OPERATIONS_MAX; i++)
        plan->operations[i] =
            (struct stress_operation_plan){.arguments = "vvv", .followed_by = STRESS_NOTHING};
    child = fork();
    if (child == 0) {
        char text[16];
        snprintf(text, sizeof text, "%d", fd);
        setenv(STRESS_VARIABLE, text, 1);
        execl(program, program, NULL);
        _exit(127);
    }
    close(fd);
}

static void stop(void)
{
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    munmap(shared, shared->size);
}

static bool has_died(void)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == child;
}

/* Until `done` says so; a test that hangs ends here. */
static bool await(bool (*done)(void))
{
    for (int i = 0; i < 300; i++) {
        uint32_t beats = atomic_load(&shared->beats);
        if (done())
            return true;
        if (has_died())
            return done();
        futex(&shared->beats, FUTEX_WAIT, beats, 100);
    }
    return false;
}

static bool is_listed(void)
{
    return atomic_load(&shared->phase) >= STRESS_LISTED;
}

static const char *harness_program(void)
{
    const char *other = getenv("PLUMB_NATIVE_HARNESS");
    return other ? other : NATIVE_HARNESS;
}

static void begin_with(uint32_t slots, uint32_t capacity, uint64_t area)
{
    start(harness_program(), slots, capacity, area);
    assert_true(await(is_listed));
    assert_int_equal(atomic_load(&shared->phase), STRESS_LISTED);
}

static void begin(uint32_t slots)
{
    begin_with(slots, 1 << 12, 1 << 16);
}

/* ------------------------------------------------------------------ the list */

static const char *line_of(uint32_t kind, const char *name)
{
    static char wanted[128];
    snprintf(wanted, sizeof wanted, "%u\t\t%s\t", kind, name);
    for (const char *line = shared->list; *line; line = strchr(line, '\n') + 1)
        if (strncmp(line, wanted, strlen(wanted)) == 0)
            return line;
    return NULL;
}

static uint32_t number_of(const char *name)
{
    uint32_t number = 0;
    for (const char *line = shared->list; *line; line = strchr(line, '\n') + 1) {
        if (strncmp(line, "4\t", 2) != 0)
            continue;
        size_t length = strlen(name);
        if (strncmp(line + 3, name, length) == 0 && line[3 + length] == '\t')
            return number;
        number++;
    }
    fail_msg("there is no operation %s", name);
    return 0;
}

static struct stress_operation_plan *operation(const char *name)
{
    return &plan->operations[number_of(name)];
}

/* All threads call it that often, compared with others. */
static void weigh(const char *name, uint16_t weight)
{
    for (int i = 0; i < STRESS_SLOTS; i++)
        plan->weights[i][number_of(name)] = weight;
}

/* ------------------------------------------------------------------ values */

static void print_value(char *out, size_t size, plumb_value v, const char *area, uint64_t used)
{
    uint64_t at = v >> 3, word = 0;
    bool inside = at + 8 <= used;
    if (inside)
        memcpy(&word, area + at, 8);
    switch (plumb_tag_of(v)) {
    case PLUMB_TAG_SMALL: snprintf(out, size, "%lld", (long long)((int64_t)v >> 3)); return;
    case PLUMB_TAG_PAIR:
        snprintf(out, size, "[%lld,%lld]", (long long)((int64_t)v >> 34),
                 (long long)((int64_t)(v << 30) >> 34));
        return;
    case PLUMB_TAG_SPECIAL:
        snprintf(out, size, "%s",
                 v == PLUMB_NONE    ? "null"
                 : v == PLUMB_TRUE  ? "true"
                 : v == PLUMB_FALSE ? "false"
                 : v == PLUMB_OK    ? "ok"
                                    : "any");
        return;
    default: break;
    }
    assert_true(inside);
    if (plumb_tag_of(v) == PLUMB_TAG_WIDE)
        snprintf(out, size, "%lld", (long long)word);
    else if (plumb_tag_of(v) == PLUMB_TAG_STRING) {
        assert_true(word <= used - at - 8);
        snprintf(out, size, "\"%.*s\"", (int)word, area + at + 8);
    } else {
        size_t length = (size_t)snprintf(out, size, "[");
        assert_true(word * 8 <= used - at - 8);
        for (uint64_t i = 0; i < word; i++) {
            plumb_value item;
            memcpy(&item, area + at + 8 + 8 * i, 8);
            print_value(out + length, size - length, item, area, used);
            length += strlen(out + length);
            length += (size_t)snprintf(out + length, size - length, i + 1 < word ? "," : "]");
        }
    }
}

/* ------------------------------------------------------------------ rounds */

static void read_bank(uint32_t slot, uint32_t segment)
{
    uint32_t bank = segment % STRESS_BANKS, count = shared->slot[slot].counts[bank];
    uint64_t place = (uint64_t)slot * STRESS_BANKS + bank, used = shared->slot[slot].area_used[bank];
    const struct stress_record *records =
        (struct stress_record *)((char *)shared + shared->records) + place * shared->capacity;
    const char *area = (char *)shared + shared->areas + place * shared->area_size;
    assert_true(count <= shared->capacity && used <= shared->area_size);
    for (uint32_t i = 0; i < count; i++) {
        const struct stress_record *r = &records[i];
        assert_true(call_count < CALLS_MOST);
        struct read_call *c = &calls[call_count++];
        *c = (struct read_call){.slot = slot, .segment = segment, .record = *r, .end = r->call + r->duration};
        print_value(c->argument, sizeof c->argument, r->argument, area, used);
        print_value(c->result, sizeof c->result, r->result, area, used);
        if (r->duration == STRESS_LONG)
            c->end = records[++i].call;
        if (r->duration == STRESS_OPEN)
            c->end = UINT64_MAX;
    }
}

static void read_segments(void)
{
    for (; segment_count < atomic_load(&shared->finished); segment_count++) {
        for (uint32_t slot = 0; slot < shared->slots; slot++)
            read_bank(slot, segment_count);
        atomic_store(&shared->consumed, segment_count + 1);
        futex(&shared->consumed, FUTEX_WAKE, INT32_MAX, 0);
    }
}

static bool has_ended(void)
{
    read_segments();
    return atomic_load(&shared->ended) == atomic_load(&shared->go) || atomic_load(&shared->crash.signal) ||
           atomic_load(&shared->phase) == STRESS_REFUSED;
}

static void go(struct stress_round round)
{
    call_count = segment_count = 0;
    atomic_store(&shared->finished, 0);
    atomic_store(&shared->consumed, 0);
    atomic_store(&shared->stop, 0);
    atomic_store(&shared->abandoned, 0);
    atomic_store(&shared->invariant_bad, 0);
    for (uint32_t i = 0; i < shared->slots; i++)
        memset(shared->slot[i].counts, 0, sizeof shared->slot[i].counts);
    shared->round = round;
    atomic_fetch_add(&shared->go, 1);
    futex(&shared->go, FUTEX_WAKE, INT32_MAX, 0);
}

static struct stress_round round_of(uint64_t number, uint32_t threads, uint32_t count, uint64_t segments)
{
    return (struct stress_round){.number = number,
                                 .seed = 7,
                                 .threads = threads,
                                 .calls = count,
                                 .segments = segments,
                                 .disturbed = number % 2};
}

static void run(struct stress_round round)
{
    go(round);
    assert_true(await(has_ended));
    assert_int_equal(atomic_load(&shared->ended), atomic_load(&shared->go));
    assert_int_equal(atomic_load(&shared->phase), STRESS_WAITING);
    read_segments();
}

static uint32_t count_of(uint32_t slot)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < call_count; i++)
        count += calls[i].slot == slot;
    return count;
}

/* Calls of a thread come one after the other. */
static void check_order(void)
{
    uint64_t last[STRESS_SLOTS] = {0};
    for (uint32_t i = 0; i < call_count; i++) {
        const struct read_call *c = &calls[i];
        assert_int_not_equal(c->record.duration, STRESS_OPEN);
        assert_true(c->record.call >= last[c->slot] && c->end >= c->record.call);
        last[c->slot] = c->end;
    }
}

/* ------------------------------------------------------------------ tests */

/* In whatever order constructors run. */
static void check_order_of_list(void)
{
    int before = 0;
    for (const char *end = strchr(shared->list, '\n'); end; end = strchr(end + 1, '\n')) {
        int line = atoi((const char *)memrchr(shared->list, '\t', (size_t)(end - shared->list)) + 1);
        assert_true(line > before);
        before = line;
    }
    assert_true(before > 1);
}

static void test_list(void **state)
{
    (void)state;
    begin(2);
    assert_non_null(line_of(0, ""));
    assert_string_equal(strndup(line_of(0, ""), 10), "0\t\t\tstack\t");
    assert_non_null(strstr(line_of(4, "three"), "4\t\tthree\t\tisb\t"));
    assert_non_null(strstr(line_of(4, "pop"), "native_harness.c\t"));
    assert_int_equal(number_of("push"), 0);
    assert_int_equal(number_of("pair"), 3);
    check_order_of_list();
    stop();
}

static int compare_long(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void check_distinct(const char *name, bool ascending)
{
    static int64_t values[CALLS_MOST];
    int64_t last[STRESS_SLOTS] = {0};
    uint32_t count = 0, falls = 0;
    for (uint32_t i = 0; i < call_count; i++) {
        if (calls[i].record.operation != number_of(name))
            continue;
        values[count] = atol(calls[i].argument);
        falls += values[count] < last[calls[i].slot];
        last[calls[i].slot] = values[count++];
    }
    assert_true(count > 0 && ascending == (falls == 0));
    qsort(values, count, sizeof *values, compare_long);
    assert_true(values[0] > 0);
    for (uint32_t i = 1; i < count; i++)
        assert_true(values[i] != values[i - 1]);
}

static void test_calls(void **state)
{
    (void)state;
    begin(4);
    weigh("push", 2);
    weigh("pop", 1);
    for (uint32_t stamps = STAMPS_FENCED; stamps <= STAMPS_COUNTER; stamps++) {
        plan->stamps = stamps;
        run(round_of(stamps, 3, 600, 1));
        assert_int_equal(segment_count, 1);
        for (uint32_t slot = 1; slot <= 3; slot++) {
            assert_int_equal(count_of(slot), 600);
            assert_int_equal(atomic_load(&shared->slot[slot].returned), 600);
        }
        assert_int_equal(count_of(0), 0);
        check_order();
        check_distinct("push", true);
        uint32_t pushes = 0;
        for (uint32_t i = 0; i < call_count; i++)
            pushes += calls[i].record.operation == number_of("push");
        assert_in_range(pushes, 1100, 1300);
    }
    stop();
}

static void test_same_seed(void **state)
{
    static struct read_call before[2000];
    (void)state;
    begin(3);
    weigh("push", 1);
    weigh("look", 1);
    weigh("pop", 1);
    operation("look")->arguments[0] = STRESS_KEY;
    run(round_of(5, 2, 1000, 1));
    memcpy(before, calls, sizeof before);
    for (uint64_t number = 5; number <= 6; number++) {
        run(round_of(number, 2, 1000, 1));
        assert_int_equal(call_count, 2000);
        uint32_t same = 0;
        for (uint32_t i = 0; i < call_count; i++)
            same += calls[i].record.operation == before[i].record.operation &&
                    calls[i].record.argument == before[i].record.argument;
        assert_true(number == 5 ? same == 2000 : same < 1500);
    }
    stop();
}

static void test_followers(void **state)
{
    (void)state;
    begin(3);
    weigh("try_acquire", 1);
    operation("try_acquire")->followed_by = (uint16_t)number_of("release");
    run(round_of(1, 2, 301, 1));
    uint32_t taken = 0;
    for (uint32_t i = 0; i < call_count; i++) {
        bool is_taken = strcmp(calls[i].result, "true") == 0;
        taken += is_taken;
        bool is_followed = i + 1 < call_count && calls[i + 1].slot == calls[i].slot &&
                           calls[i + 1].record.operation == number_of("release");
        assert_int_equal(is_taken, is_followed);
    }
    assert_true(taken > 0);
    run(round_of(1, 1, 1, 1)); /* beyond the number of calls, too */
    assert_int_equal(call_count, 2);
    stop();
}

/* One that follows itself ends nevertheless. */
static void test_endless_followers(void **state)
{
    (void)state;
    begin(2);
    weigh("count", 1);
    operation("count")->followed_by = (uint16_t)number_of("count");
    run(round_of(1, 1, 100, 1));
    assert_in_range(call_count, 100, 120);
    stop();
}

static void test_values(void **state)
{
    (void)state;
    begin(3);
    weigh("name", 1);
    weigh("pair", 1);
    weigh("three", 1);
    weigh("wide", 1);
    strcpy(operation("three")->arguments, "vkb");
    run(round_of(1, 2, 700, 1));
    char last_name[2][64] = {"null", "null"};
    for (uint32_t i = 0; i < call_count; i++) {
        const struct read_call *c = &calls[i];
        uint32_t o = c->record.operation;
        if (o == number_of("name")) {
            assert_string_equal(c->result, last_name[c->slot - 1]);
            strcpy(last_name[c->slot - 1], c->argument);
            assert_int_equal(c->argument[0], '"');
        } else if (o == number_of("wide")) {
            assert_true(atol(c->result) == INT64_MAX - atol(c->argument));
        } else {
            assert_string_equal(c->result, c->argument);
            assert_int_equal(c->argument[0], '[');
        }
    }
    stop();
}

static void test_types(void **state)
{
    (void)state;
    begin(2);
    weigh("tiny", 1);
    weigh("swap", 1);
    weigh("look", 1);
    strcpy(operation("swap")->arguments, "ov");
    operation("look")->arguments[0] = STRESS_PRIORITY;
    run(round_of(1, 1, 3000, 1));
    for (uint32_t i = 0; i < call_count; i++)
        if (calls[i].record.operation == number_of("tiny")) {
            assert_in_range(atol(calls[i].argument), 1, INT8_MAX);
            assert_string_equal(calls[i].argument, calls[i].result); /* the record has what was called */
        }
    check_distinct("look", false);
    stop();
}

static void test_choices(void **state)
{
    (void)state;
    begin(2);
    weigh("name", 1);
    weigh("swap", 1);
    *operation("name") = (struct stress_operation_plan){"t", STRESS_NOTHING, 0, 0, 2};
    *operation("swap") = (struct stress_operation_plan){"tt", STRESS_NOTHING, 0, 2, 2};
    strcpy(plan->texts + 1, "word");
    plan->choices[0].text = 1;
    plan->choices[1].text = UINT32_MAX;
    static const int numbers[] = {-5, 6, 7, 8};
    for (int i = 0; i < 4; i++)
        plan->choices[2 + i].number = numbers[i];
    run(round_of(1, 1, 200, 1));
    uint32_t kinds = 0;
    static const char *const wanted[] = {"\"word\"", "null", "[-5,6]", "[7,8]"};
    for (uint32_t i = 0; i < call_count; i++) {
        uint32_t kind = 0;
        while (kind < 4 && strcmp(calls[i].argument, wanted[kind]) != 0)
            kind++;
        assert_true(kind < 4);
        kinds |= 1u << kind;
    }
    assert_int_equal(kinds, 15);
    stop();
}

/* The segment ends for all; what did not fit is not known; the round goes on. */
static void test_full_area(void **state)
{
    (void)state;
    begin_with(3, 1 << 12, 4096);
    weigh("name", 1);
    run(round_of(1, 2, 2000, 4));
    assert_int_equal(segment_count, 4);
    assert_true(call_count > 100 && call_count < 3000);
    assert_true(atomic_load(&shared->slot[1].is_full) || atomic_load(&shared->slot[2].is_full));
    check_order();
    weigh("name", 0);
    weigh("wide", 1);
    run(round_of(2, 2, 2000, 1));
    uint32_t unknown = 0;
    for (uint32_t i = 0; i < call_count; i++)
        unknown += strcmp(calls[i].result, "any") == 0;
    assert_in_range(unknown, 0, 2);
    assert_true(call_count > 100 && call_count < 1500);
    stop();
}

static void test_segments(void **state)
{
    (void)state;
    begin(4);
    weigh("count", 1);
    run(round_of(1, 3, 50, 20));
    assert_int_equal(segment_count, 20);
    assert_int_equal(call_count, 20 * 3 * 50);
    check_order();
    /* No call of a segment begins before those of the one before have ended. */
    uint64_t end[21] = {0};
    for (uint32_t i = 0; i < call_count; i++)
        end[calls[i].segment + 1] =
            calls[i].end > end[calls[i].segment + 1] ? calls[i].end : end[calls[i].segment + 1];
    for (uint32_t i = 0; i < call_count; i++)
        assert_true(calls[i].record.call >= end[calls[i].segment]);
    stop();
}

static bool has_ten_segments(void)
{
    read_segments();
    return segment_count >= 10;
}

static void test_stop(void **state)
{
    (void)state;
    begin(3);
    weigh("count", 1);
    go(round_of(1, 2, 30, 0));
    assert_true(await(has_ten_segments));
    atomic_store(&shared->stop, 1);
    assert_true(await(has_ended));
    read_segments();
    check_order();
    run(round_of(2, 1, 10, 1)); /* and on */
    assert_int_equal(call_count, 10);
    stop();
}

/* A bank is not written again before it has been read. */
static void test_unread(void **state)
{
    (void)state;
    begin(3);
    weigh("count", 1);
    go(round_of(1, 2, 30, 0));
    for (int i = 0; i < 3000 && atomic_load(&shared->finished) < 2; i++)
        usleep(1000);
    usleep(20000);
    assert_int_equal(atomic_load(&shared->finished), 2);
    assert_true(await(has_ten_segments));
    stop();
}

static void test_finals(void **state)
{
    (void)state;
    begin_with(3, 256, 1 << 12);
    weigh("push", 1);
    operation("look")->arguments[0] = STRESS_KEY;
    plan->finals[0] = (struct stress_final){.operation = (uint16_t)number_of("pop"), .until_null = 1000};
    plan->finals[1] = (struct stress_final){.operation = (uint16_t)number_of("look"), .per_key = 1};
    plan->final_count = 2;
    run(round_of(1, 2, 190, 2));
    assert_int_equal(count_of(0), 2 * 2 * 190 + 1 + 3);
    assert_true(segment_count > 3); /* more than fit into a bank */
    check_order();
    uint32_t popped = 0, looked = 0;
    for (uint32_t i = 0; i < call_count; i++) {
        if (calls[i].slot)
            continue;
        assert_true(calls[i].segment >= 2);
        popped += calls[i].record.operation == number_of("pop");
        if (calls[i].record.operation == number_of("look"))
            assert_int_equal(atol(calls[i].argument), ++looked);
    }
    assert_int_equal(popped, 2 * 2 * 190 + 1);
    assert_int_equal(looked, 3);
    stop();
}

/* More threads than processors, and rounds of different sizes. */
static void test_many_threads(void **state)
{
    (void)state;
    begin_with(65, 256, 1 << 12);
    weigh("who_is_here", 1);
    weigh("thread", 1);
    plan->finals[0] = (struct stress_final){.operation = (uint16_t)number_of("who_is_here")};
    plan->final_count = 1;
    static const uint32_t sizes[] = {64, 1, 7, 64, 2};
    for (uint32_t k = 0; k < 5; k++) {
        struct stress_round round = round_of(k, sizes[k], 20, 2);
        round.pinned = k % 2;
        run(round);
        assert_int_equal(call_count, 40 * sizes[k] + 1);
        for (uint32_t i = 0; i < call_count; i++)
            if (calls[i].record.operation == number_of("thread"))
                assert_int_equal(atol(calls[i].result), calls[i].slot);
            else /* thread 0 is one of them, and the last one */
                assert_int_equal(atol(calls[i].result), calls[i].slot ? sizes[k] + 1 : 1);
    }
    stop();
}

static void test_roles(void **state)
{
    (void)state;
    begin(4);
    plan->weights[1][number_of("push")] = 1;
    plan->weights[2][number_of("pop")] = 1;
    run(round_of(1, 3, 40, 1));
    assert_int_equal(count_of(3), 0);
    for (uint32_t i = 0; i < call_count; i++)
        assert_int_equal(calls[i].record.operation, number_of(calls[i].slot == 1 ? "push" : "pop"));
    stop();
}

static void test_assume(void **state)
{
    (void)state;
    begin(3);
    weigh("assume", 1);
    run(round_of(1, 2, 3000, 0));
    assert_true(atomic_load(&shared->abandoned));
    weigh("assume", 0);
    weigh("count", 1);
    run(round_of(2, 2, 100, 1));
    assert_false(atomic_load(&shared->abandoned));
    assert_int_equal(call_count, 200);
    stop();
}

static void test_invariant(void **state)
{
    (void)state;
    begin(2);
    weigh("count", 1);
    run(round_of(1, 1, 10, 1));
    assert_false(atomic_load(&shared->invariant_bad));
    weigh("break_invariant", 1);
    run(round_of(2, 1, 100, 1));
    assert_true(atomic_load(&shared->invariant_bad));
    stop();
}

static void crash_with(const char *name, uint32_t signal)
{
    begin(3);
    weigh("count", 100);
    plan->weights[2][number_of(name)] = 5;
    go(round_of(1, 2, 2000, 0));
    assert_true(await(has_ended));
    assert_int_equal(atomic_load(&shared->crash.signal), signal);
    assert_int_equal(shared->crash.slot, 2);
    assert_int_equal(shared->crash.tid, atomic_load(&shared->slot[2].tid));
    if (signal == SIGSEGV)
        assert_int_equal(shared->crash.address, 8);
    assert_false(has_died());
    assert_int_equal(atomic_load(&shared->phase), STRESS_RUNNING);
    call_count = 0;
    read_bank(2, atomic_load(&shared->finished));
    assert_int_equal(calls[call_count - 1].record.operation, number_of(name));
    assert_int_equal(calls[call_count - 1].record.duration, STRESS_OPEN);
    stop();
}

static void test_crash(void **state)
{
    (void)state;
    if (!getenv("PLUMB_NATIVE_OWN_HANDLERS")) /* theirs win */
        crash_with("crash", SIGSEGV);
    crash_with("fail", SIGABRT);
    crash_with("leave", SIGABRT); /* its thread */
}

static void test_exit(void **state)
{
    int status;
    (void)state;
    begin(3);
    weigh("quit", 1);
    go(round_of(1, 2, 2000, 1));
    assert_false(await(has_ended));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    assert_int_equal(atomic_load(&shared->phase), STRESS_RUNNING);
    munmap(shared, shared->size);
}

/* Is thread 1 in a call that does not return? */
static bool is_waiting(void)
{
    call_count = 0;
    read_bank(1, 0);
    return call_count && calls[call_count - 1].record.operation == number_of("wait") &&
           calls[call_count - 1].record.duration == STRESS_OPEN;
}

/* A call that does not return: the record says which, and the others wait for it. */
static void test_hang(void **state)
{
    (void)state;
    begin(3);
    weigh("count", 1);
    plan->weights[1][number_of("wait")] = 1;
    go(round_of(1, 2, 100, 1));
    for (int i = 0; i < 3000 && !(atomic_load(&shared->slot[2].returned) == 100 && is_waiting()); i++)
        usleep(10000);
    assert_true(is_waiting());
    assert_int_equal(atomic_load(&shared->finished), 0);
    assert_int_equal(atomic_load(&shared->slot[1].busy), 1);
    stop();
}

/* A round in a process of its own begins with what the program begins with, also after others. (ThreadSanitizer and emulators refuse threads
 * in a child of a process that has some: PLUMB_NATIVE_NO_FORKS.) */
static void test_fresh(void **state)
{
    (void)state;
    bool mixed = !getenv("PLUMB_NATIVE_NO_FORKS");
    begin(3);
    weigh("ever", 1);
    for (uint32_t k = 0; k < 6; k++) {
        struct stress_round round = round_of(k, 2, 50, 3);
        round.fresh = k != 2 || !mixed;
        run(round);
        assert_int_equal(call_count, 300);
        check_order();
        long least = LONG_MAX;
        for (uint32_t i = 0; i < call_count; i++)
            least = atol(calls[i].result) < least ? atol(calls[i].result) : least;
        assert_int_equal(least, k <= 2 || !mixed ? 1 : 301);
    }
    stop();
}

static void test_bad_memory(void **state)
{
    (void)state;
    begin(2);
    weigh("count", 1);
    shared->slots = STRESS_SLOTS; /* more than there is room for */
    go(round_of(1, 1, 1, 1));
    assert_true(await(has_ended));
    assert_int_equal(atomic_load(&shared->phase), STRESS_REFUSED);
    assert_non_null(strstr(shared->message, "too small"));
    stop();
}

static void test_own_main(void **state)
{
    (void)state;
#ifdef NATIVE_OWN_MAIN
    start(NATIVE_OWN_MAIN, 2, 256, 256);
    assert_false(await(is_listed));
    assert_int_equal(atomic_load(&shared->phase), STRESS_STARTING);
    stop();
#endif
}

static void test_alone(void **state)
{
    char command[4096];
    (void)state;
    unsetenv(STRESS_VARIABLE);
    snprintf(command, sizeof command, "%s 2>/dev/null", harness_program());
    int status = system(command);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_same_seed),
        cmocka_unit_test(test_followers),
        cmocka_unit_test(test_endless_followers),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_choices),
        cmocka_unit_test(test_full_area),
        cmocka_unit_test(test_segments),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_unread),
        cmocka_unit_test(test_finals),
        cmocka_unit_test(test_many_threads),
        cmocka_unit_test(test_roles),
        cmocka_unit_test(test_assume),
        cmocka_unit_test(test_invariant),
        cmocka_unit_test(test_crash),
        cmocka_unit_test(test_exit),
        cmocka_unit_test(test_hang),
        cmocka_unit_test(test_fresh),
        cmocka_unit_test(test_bad_memory),
        cmocka_unit_test(test_own_main),
        cmocka_unit_test(test_alone),
    };
    calls = calloc(CALLS_MOST, sizeof *calls);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
