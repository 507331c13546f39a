/* SPDX-License-Identifier: Apache-2.0 */
/* What plumb/record.h writes is read as what the threads did. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "formats/formats.h"
#include "history/value_text.h"
#include "monitor/monitor.h"
#include "pipeline/pipeline.h"

#include <plumb/record.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char path[] = "/tmp/test_record.XXXXXX";

static struct history *read_back(struct format_reading *reading)
{
    struct history *h = history_create();
    struct diagnostic d = {0};
    struct format_options o = {0};
    if (!history_file_read(h, path, &o, reading, &d))
        fail_msg("%s", d.message);
    return h;
}

static enum verdict judge(const char *file)
{
    struct pipeline_input in;
    struct pipeline_question question = {0};
    pipeline_judge_file(&in, file, NULL, &question);
    if (in.error.code)
        fail_msg("%s", in.error.message);
    enum verdict verdict = pipeline_verdict(&in);
    pipeline_free(&in);
    return verdict;
}

/* ---- values ---- */

static void expect(const struct history *h, size_t number, const char *op, const char *argument,
                   const char *result)
{
    struct text text = {0};
    assert_true(number < h->ops.len);
    const struct history_op *o = history_at(h, number);
    assert_string_equal(h->op_names.data[o->op], op);
    if (o->arg != PLUMB_OK) {
        value_print(&text, h->values, o->arg);
        assert_string_equal(text.data, argument);
    } else {
        assert_null(argument);
    }
    text_clear(&text);
    if (o->result != PLUMB_OK) {
        value_print(&text, h->values, o->result);
        assert_string_equal(text.data, result);
    } else {
        assert_null(result);
    }
    text_free(&text);
}

static char *long_text(size_t length)
{
    char *text = malloc(length + 1);
    memset(text, 'x', length);
    text[length] = 0;
    return text;
}

static void record_values(const char *large)
{
    char name[] = "changes";
    plumb_call("a", "plain");
    plumb_return(plumb_ok());
    plumb_call("a", "numbers", -1);
    plumb_return((int64_t)INT64_MIN);
    plumb_call("a", "unsigned", UINT64_MAX);
    plumb_return((unsigned char)200);
    plumb_call("a", "truth", plumb_truth(1 == 1));
    plumb_return((bool)false);
    plumb_call("a", "nothing", NULL);
    plumb_return(plumb_maybe(false, 7));
    plumb_call("a", "something", plumb_maybe(true, 7));
    plumb_return(plumb_null());
    plumb_call(NULL, "text", "a \"b\"");
    plumb_return(plumb_bytes("\xff\x01", 2));
    plumb_call(name, name, 1, 2);
    plumb_return(1, INT64_MAX, "x");
    name[0] = 'C'; /* names are compared by content */
    plumb_call(name, name, 1, "two", (bool)true);
    plumb_return(-536870912, 536870911);
    plumb_call("a", "large", large);
    plumb_return(large);
}

static void values_are_read_back(void **state)
{
    (void)state;
    char *large = long_text(300 * 1024);
    struct format_reading reading;
    assert_int_equal(plumb_record_open(path), 0);
    assert_int_equal(plumb_record_open(path), -1);
    assert_int_equal(errno, EBUSY);
    record_values(large);
    assert_int_equal(plumb_record_flush(), 0);
    assert_int_equal(plumb_record_close(), 0);
    plumb_call("a", "late");
    plumb_return(plumb_ok());
    struct history *h = read_back(&reading);
    assert_null(reading.cut);
    assert_int_equal(h->ops.len, 10);
    expect(h, 0, "plain", NULL, NULL);
    expect(h, 1, "numbers", "-1", "-9223372036854775808");
    expect(h, 2, "unsigned", "\"18446744073709551615\"", "200");
    expect(h, 3, "truth", "true", "false");
    expect(h, 4, "nothing", "null", "null");
    expect(h, 5, "something", "7", "null");
    expect(h, 6, "text", "\"a \\\"b\\\"\"", "[255,1]");
    expect(h, 7, "changes", "[1,2]", "[1,9223372036854775807,\"x\"]");
    expect(h, 8, "Changes", "[1,\"two\",true]", "[-536870912,536870911]");
    size_t length;
    assert_string_equal(plumb_string_of(h->values, history_get(h, 9).result, &length), large);
    assert_int_equal(h->object_names.data[history_object_of(h, 6)], PLUMB_NONE);
    assert_int_equal(h->marks.len, 0);
    assert_string_equal(plumb_string_of(h->values, h->stamps, &length), plumb_record_stamps());
    format_reading_free(&reading);
    history_destroy(h);
    free(large);
}

/* ---- threads ---- */

enum { WRITERS = 4, CALLS = 50000 };

static _Atomic long total;

/* More than a ring has room for. */
static void *count(void *unused)
{
    (void)unused;
    for (int i = 0; i < CALLS; i++) {
        plumb_call("counter", "add", 1);
        atomic_fetch_add(&total, 1);
        plumb_return(plumb_ok());
        if (i % 100)
            continue;
        plumb_call("counter", "get");
        plumb_return(atomic_load(&total));
    }
    return NULL;
}

static void run_threads(void *(*body)(void *))
{
    pthread_t threads[WRITERS];
    for (int i = 0; i < WRITERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, body, NULL), 0);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(threads[i], NULL);
}

static void nothing_is_lost(void **state)
{
    (void)state;
    struct format_reading reading;
    total = 0;
    assert_int_equal(plumb_record_open(path), 0);
    run_threads(count);
    assert_int_equal(plumb_record_close(), 0);
    struct history *h = read_back(&reading);
    assert_null(reading.cut);
    assert_int_equal(h->ops.len, WRITERS * (CALLS + CALLS / 100));
    assert_int_equal(h->thread_names.len, WRITERS);
    format_reading_free(&reading);
    history_destroy(h);
    assert_int_equal(judge(path), VERDICT_HOLDS);
}

static void *judge_pipe(void *unused)
{
    (void)unused;
    return (void *)(intptr_t)judge(path);
}

/* A reader that starts first, and a pipe. */
static void pipe_is_followed(void **state)
{
    (void)state;
    pthread_t reader;
    void *verdict;
    total = 0;
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(pthread_create(&reader, NULL, judge_pipe, NULL), 0);
    assert_int_equal(plumb_record_open(path), 0);
    run_threads(count);
    assert_int_equal(plumb_record_close(), 0);
    pthread_join(reader, &verdict);
    assert_int_equal((intptr_t)verdict, VERDICT_HOLDS);
    unlink(path);
}

/* ---- operations without an end ---- */

static void abandoned_calls_are_pending(void **state)
{
    (void)state;
    struct format_reading reading;
    assert_int_equal(plumb_record_open(path), 0);
    plumb_return(plumb_ok()); /* of nothing */
    plumb_call("q", "enq", 1);
    plumb_call("q", "enq", 2);
    plumb_return(plumb_ok());
    plumb_call("q", "deq");
    assert_int_equal(plumb_record_close(), 0);
    plumb_return(1);
    struct history *h = read_back(&reading);
    assert_int_equal(h->ops.len, 3);
    assert_true(history_get(h, 0).pending && !history_get(h, 1).pending && history_get(h, 2).pending);
    assert_int_equal(h->thread_names.len, 2);
    format_reading_free(&reading);
    history_destroy(h);
}

/* A child has nothing to do with the recording; one that is killed leaves a beginning. */
static void children_do_not_record(void **state)
{
    (void)state;
    struct format_reading reading;
    assert_int_equal(plumb_record_open(path), 0);
    plumb_call("q", "enq", 1);
    plumb_return(plumb_ok());
    pid_t child = fork();
    if (child == 0) {
        plumb_call("q", "enq", 2);
        plumb_return(plumb_ok());
        _exit(plumb_record_close());
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    assert_int_equal(plumb_record_close(), 0);
    struct history *h = read_back(&reading);
    assert_int_equal(h->ops.len, 1);
    assert_null(reading.cut);
    format_reading_free(&reading);
    history_destroy(h);
}

static void killed_program_leaves_a_beginning(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        plumb_record_open(path);
        plumb_call("q", "enq", 1);
        plumb_return(plumb_ok());
        plumb_call("q", "deq");
        plumb_record_flush();
        raise(SIGKILL);
    }
    waitpid(child, NULL, 0);
    struct format_reading reading;
    struct history *h = read_back(&reading);
    assert_int_equal(h->ops.len, 2);
    assert_true(!history_get(h, 0).pending && history_get(h, 1).pending);
    assert_non_null(reading.cut);
    format_reading_free(&reading);
    history_destroy(h);
    assert_int_equal(judge(path), VERDICT_INCONCLUSIVE);
}

/* A full disk: threads do not hang, and the end is missed. */
static void errors_end_the_recording(void **state)
{
    (void)state;
    assert_int_equal(plumb_record_open("/there/is/no/such/folder"), -1);
    assert_int_equal(plumb_record_open("/dev/full"), -1);
    unsetenv("PLUMB_RECORD");
    assert_int_equal(plumb_record_open(NULL), 0);
    run_threads(count);
    assert_int_equal(plumb_record_close(), 0);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(plumb_record_open_descriptor(ends[1]), 0);
    signal(SIGPIPE, SIG_IGN);
    close(ends[0]);
    run_threads(count);
    assert_int_equal(plumb_record_close(), -1);
    assert_int_equal(errno, EPIPE);
}

/* A null pointer ends the recording, which says so. */
static void null_arguments_end_the_recording(void **state)
{
    (void)state;
    for (int k = 0; k < 5; k++) {
        assert_int_equal(plumb_record_open(path), 0);
        plumb_call("q", "enq", 1);
        plumb_return(plumb_ok());
        switch (k) {
        case 0: plumb_record_call("q", NULL, plumb_ok()); break;
        case 1: plumb_record_call("q", "enq", plumb_bytes(NULL, 3)); break;
        case 2: plumb_record_call_array("q", "enq", NULL, 2); break;
        case 3:
            plumb_call("q", "deq");
            plumb_record_return_array(NULL, 2);
            break;
        default: plumb_call("q", "deq"); plumb_record_return(plumb_bytes(NULL, 3));
        }
        plumb_call("q", "enq", 2); /* is not recorded */
        assert_int_equal(plumb_record_close(), -1);
        assert_int_equal(errno, EINVAL);
    }
    assert_int_equal(plumb_record_open(path), 0);
    plumb_record_call(NULL, "enq", plumb_bytes(NULL, 0));
    plumb_record_return_array(NULL, 0);
    assert_int_equal(plumb_record_close(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_read_back),     cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(pipe_is_followed),         cmocka_unit_test(abandoned_calls_are_pending),
        cmocka_unit_test(children_do_not_record),   cmocka_unit_test(killed_program_leaves_a_beginning),
        cmocka_unit_test(errors_end_the_recording), cmocka_unit_test(null_arguments_end_the_recording),
    };
    int descriptor = mkstemp(path);
    close(descriptor);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
