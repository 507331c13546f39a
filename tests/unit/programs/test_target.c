/* SPDX-License-Identifier: Apache-2.0 */
/* Building, starting and watching worker processes, with a worker that plays roles. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/budget.h"
#include "base/text.h"
#include "target/compilers.h"
#include "target/target.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Everything is made in `scratch`; the tool's temporary folders in `temporary`. */
static char scratch[256], temporary[300];
static char fake_path[300];
static struct target_program fake = {.path = fake_path};

static void shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void shell(const char *format, ...)
{
    struct text command = {0};
    va_list args;
    va_start(args, format);
    text_vprintf(&command, format, args);
    va_end(args);
    assert_int_equal(system(command.data), 0);
    text_free(&command);
}

static const char *write_file(const char *name, const char *content)
{
    static char paths[8][600];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", scratch, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(content, file);
    fclose(file);
    return path;
}

static size_t count_temporary(void)
{
    char pattern[400];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/*", temporary);
    size_t count = glob(pattern, 0, NULL, &found) == 0 ? found.gl_pathc : 0;
    if (count)
        globfree(&found);
    return count;
}

static bool is_alive(pid_t pid)
{
    return kill(pid, 0) == 0;
}

/* --- workers ------------------------------------------------------------------------------------- */

static const struct target_watch watch = {.stall_seconds = 0.8};

static struct target_worker *start(const char *role)
{
    static struct target_run run;
    struct diagnostic why;
    run = (struct target_run){0};
    snprintf(run.config.test, sizeof run.config.test, "%s", role);
    struct target_worker *worker = target_start(&fake, &run, &why);
    assert_non_null(worker);
    return worker;
}

static struct target_worker *play(const char *role)
{
    struct target_worker *worker = start(role);
    assert_ptr_equal(target_wait(&worker, 1, &watch), worker);
    assert_null(target_wait(&worker, 1, &watch));
    pid_t pid = (pid_t)target_shared(worker)->modules[0].base;
    if (pid > 0) {
        assert_false(is_alive(pid));
        assert_false(is_alive(-pid));
    }
    return worker;
}

static void expect(const char *role, enum target_outcome outcome, enum worker_state state,
                   const char *message)
{
    struct target_worker *worker = play(role);
    const struct target_end *end = target_end_of(worker);
    if (end->outcome != outcome || end->state != state || strcmp(end->message, message) != 0)
        fail_msg("%s: outcome %d, state %d, message \"%s\"", role, end->outcome, end->state, end->message);
    target_free(worker);
}

static void expect_error(const char *role, enum worker_error_kind kind, const char *message)
{
    struct target_worker *worker = play(role);
    assert_int_equal(target_end_of(worker)->outcome, TARGET_FOUND);
    assert_int_equal(target_shared(worker)->error.kind, kind);
    assert_string_equal(target_shared(worker)->error.message, message);
    target_free(worker);
}

static void test_regular_ends(void **state)
{
    (void)state;
    expect("finish", TARGET_FINISHED, WORKER_DONE, "");
    expect("found", TARGET_FOUND, WORKER_FOUND, "two threads access x");
    expect("refused", TARGET_REFUSED, WORKER_REFUSED, "the program has no events");
    expect("kill_parent", TARGET_FINISHED, WORKER_DONE, "");
    expect("found_nothing", TARGET_BROKEN, WORKER_FOUND,
           "the runtime stopped at an error and did not say which");
    expect_error("found", WORKER_ERROR_RACE, "two threads access x");
}

static void test_crashes(void **state)
{
    (void)state;
    expect("crash", TARGET_FOUND, WORKER_RUNNING, "the program was killed by signal 11 (SIGSEGV)");
    expect("crash_in_setup", TARGET_FOUND, WORKER_SETUP,
           "the program was killed by signal 11 (SIGSEGV) in the set-up");
    expect("crash_before_main", TARGET_FOUND, WORKER_PREPARING,
           "the program was killed by signal 11 (SIGSEGV) before main");
    expect("crash_judging", TARGET_BROKEN, WORKER_JUDGING, "the runtime was killed by signal 11 (SIGSEGV)");
    expect("crash_done", TARGET_BROKEN, WORKER_DONE, "the runtime was killed by signal 11 (SIGSEGV)");
    expect("killed", TARGET_LOST, WORKER_RUNNING,
           "the program was killed from outside by signal 9 (SIGKILL), perhaps because the system had no "
           "memory left");
    expect_error("crash", WORKER_ERROR_CRASH, "the program was killed by signal 11 (SIGSEGV)");
    expect_error("crash_described", WORKER_ERROR_STACK_OVERFLOW, "the stack is full");
}

static void test_exits_in_the_middle(void **state)
{
    (void)state;
    expect_error("exit_3", WORKER_ERROR_EXIT, "the program ended with exit code 3");
    expect("exit_0", TARGET_UNSEEN, WORKER_RUNNING,
           "the program ended itself in the middle of an execution, past exit(), where the runtime cannot "
           "stop it");
    expect("exit_starting", TARGET_REFUSED, WORKER_STARTING,
           "the program ended with exit code 9 before the runtime took over");
    expect("bug", TARGET_BROKEN, WORKER_RUNNING, "the runtime met a bug of its own: a.c:1: x");
    expect("no_memory", TARGET_LOST, WORKER_RUNNING, "the system has no memory left");
}

static void test_watchdog(void **state)
{
    (void)state;
    expect("loop", TARGET_STUCK, WORKER_RUNNING, "the program made no progress");
    expect("loop_judging", TARGET_STUCK, WORKER_JUDGING, "the verdict on one execution took too long");
    expect("loop_starting", TARGET_STUCK, WORKER_STARTING,
           "the program made no progress before the runtime took over");
    expect("flood_for_ever", TARGET_STUCK, WORKER_RUNNING, "the program made no progress");
    expect("slow", TARGET_FINISHED, WORKER_DONE, "");
}

static bool stop_at_third(void *context)
{
    int *calls = context;
    return ++*calls < 3;
}

static void test_time_is_up(void **state)
{
    (void)state;
    struct target_worker *workers[] = {start("loop"), start("finish"), start("loop")};
    struct target_watch limited = {.deadline = base_now() + 0.3};
    assert_ptr_equal(target_wait(workers, 3, &limited), workers[1]);
    assert_int_equal(target_end_of(workers[0])->outcome, TARGET_RUNNING);
    assert_ptr_equal(target_wait(workers, 3, &limited), workers[0]);
    assert_ptr_equal(target_wait(workers, 3, &limited), workers[2]);
    assert_null(target_wait(workers, 3, &limited));
    assert_int_equal(target_end_of(workers[0])->outcome, TARGET_STOPPED);
    assert_int_equal(target_end_of(workers[2])->outcome, TARGET_STOPPED);
    for (int i = 0; i < 3; i++)
        target_free(workers[i]);
}

static void test_progress_can_stop(void **state)
{
    (void)state;
    int calls = 0;
    struct target_worker *worker = start("loop");
    struct target_watch asking = {.progress = stop_at_third, .context = &calls};
    assert_ptr_equal(target_wait(&worker, 1, &asking), worker);
    assert_int_equal(calls, 3);
    assert_int_equal(target_end_of(worker)->outcome, TARGET_STOPPED);
    target_free(worker);
}

static void test_no_orphans(void **state)
{
    (void)state;
    static const char *const names[] = {"child", "child_crash", "child_loop", "child_leaves"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct target_worker *worker = play(names[i]);
        pid_t child = (pid_t)target_shared(worker)->modules[1].base;
        assert_true(child > 0);
        assert_false(is_alive(child));
        target_free(worker);
    }
    struct target_worker *worker = start("child_loop");
    while (!target_shared(worker)->modules[1].base)
        usleep(1000);
    pid_t child = (pid_t)target_shared(worker)->modules[1].base;
    target_free(worker);
    assert_false(is_alive(child));
}

static void test_output_is_kept(void **state)
{
    (void)state;
    size_t length;
    uint64_t lost;
    struct target_worker *worker = play("flood");
    const char *output = target_output(worker, &length, &lost);
    assert_int_equal(target_end_of(worker)->outcome, TARGET_FINISHED);
    assert_int_equal(length, 1 << 16);
    assert_int_equal(length + lost, 10 * 1024 * 1024 + strlen("the end\n"));
    assert_string_equal(output + length - strlen("10239\nthe end\n"), "10239\nthe end\n");
    target_free(worker);
    worker = play("finish");
    assert_string_equal(target_output(worker, &length, &lost), "");
    target_free(worker);
    expect("close_output", TARGET_FINISHED, WORKER_DONE, "");
}

static void test_surroundings(void **state)
{
    (void)state;
    size_t length;
    uint64_t lost;
    int leaked = open("/dev/null", O_RDONLY); /* without close-on-exec, as careless callers do */
    struct target_worker *worker = play("descriptors");
    assert_string_equal(target_output(worker, &length, &lost), "input 0 highest 3 leader 1\n");
    target_free(worker);
    close(leaked);
}

static void test_addresses_repeat(void **state)
{
    (void)state;
    size_t length;
    uint64_t lost;
    int before = personality(0xffffffff);
    if (personality((unsigned)before | ADDR_NO_RANDOMIZE) < 0)
        skip(); /* some containers forbid it */
    personality((unsigned)before);
    struct target_worker *first = play("addresses"), *second = play("addresses");
    char *kept = strdup(target_output(first, &length, &lost));
    assert_string_equal(kept, target_output(second, &length, &lost));
    free(kept);
    target_free(first);
    target_free(second);
}

static void test_arguments(void **state)
{
    (void)state;
    static const char *arguments[] = {"one", "two words", NULL};
    static struct target_run run = {.config.test = "descriptors"};
    struct target_program program = fake;
    program.arguments = arguments;
    struct diagnostic why;
    size_t length;
    uint64_t lost;
    struct target_worker *worker = target_start(&program, &run, &why);
    target_wait(&worker, 1, &watch);
    assert_non_null(strstr(target_output(worker, &length, &lost), "argument one\nargument two words\n"));
    target_free(worker);
}

static void test_scribbled_memory(void **state)
{
    (void)state;
    struct target_worker *worker = play("scribble");
    const struct worker_shared *shared = target_shared(worker);
    assert_int_equal(target_end_of(worker)->outcome, TARGET_FOUND);
    assert_int_equal(shared->event_count, PROTOCOL_EVENTS);
    assert_int_equal(shared->choice_count, PROTOCOL_SCHEDULE);
    assert_int_equal(shared->module_count, 16);
    assert_int_equal(shared->error.kind, WORKER_ERROR_CRASH);
    assert_int_equal(strlen(shared->modules[15].path), sizeof shared->modules[15].path - 1);
    target_free(worker);
}

static void test_cannot_start(void **state)
{
    (void)state;
    static struct target_run run;
    static struct target_program missing = {.path = "/nowhere/at/all"};
    struct diagnostic why;
    assert_null(target_start(&missing, &run, &why));
    assert_int_equal(why.code, PL_CANNOT_RUN);
    assert_string_equal(why.message, "cannot start /nowhere/at/all: No such file or directory");
}

static void test_descriptors_are_closed(void **state)
{
    (void)state;
    int before = open("/dev/null", O_RDONLY);
    for (int i = 0; i < 20; i++)
        target_free(play("finish"));
    int after = open("/dev/null", O_RDONLY);
    assert_int_equal(after, before + 1);
    int high = fcntl(before, F_DUPFD_CLOEXEC, 16);
    assert_int_equal(high, 16);
    close(high);
    close(before);
    close(after);
}

/* A worker's execution becomes a file, and the file runs the same execution again. */
static void test_record(void **state)
{
    (void)state;
    static const struct schedule_step steps[] = {{0, 1}, {0, 1}, {1, 1}, {0, 2}};
    static struct target_run run = {.schedule = steps, .schedule_count = 4, .config.test = "replay"};
    const char *file = "a.c";
    struct target_source source = {.files = &file, .file_count = 1};
    struct diagnostic why;
    struct trace_file trace;
    struct target_worker *worker = target_start(&fake, &run, &why);
    target_wait(&worker, 1, &watch);
    assert_true(trace_file_record(&trace, &source, &fake, worker, &why));
    target_free(worker);
    assert_string_equal(trace.error, "race");
    assert_int_equal(trace.run.config.expected_hash, 0x1234);
    assert_int_equal(trace.run.config.mode, WORKER_REPLAY);
    assert_memory_equal(trace.run.schedule, steps, sizeof steps);
    worker = target_start(&fake, &trace.run, &why);
    target_wait(&worker, 1, &watch);
    assert_int_equal(target_shared(worker)->choice_count, 4);
    target_shared(worker)->choices_lost = 1;
    struct trace_file lost;
    assert_false(trace_file_record(&lost, &source, &fake, worker, &why));
    assert_int_equal(why.code, PL_BAD_TRACE);
    target_free(worker);
    trace_file_free(&trace);
}

/* --- confirming ---------------------------------------------------------------------------------- */

static void expect_again(const char *role, enum confirm_answer answer, const char *message)
{
    struct target_worker *found = play(role);
    struct confirmation c;
    assert_int_equal(target_end_of(found)->outcome, TARGET_FOUND);
    confirm_error(&fake, found, &watch, &c);
    if (c.answer != answer || strcmp(c.message, message) != 0)
        fail_msg("%s: answer %d, message \"%s\"", role, c.answer, c.message);
    target_free(c.again);
    target_free(found);
}

/* A replay that does something else is no confirmation, whatever it does. */
static void test_confirm(void **state)
{
    (void)state;
    expect_again("again_same", CONFIRM_SAME, "");
    expect_again("again_other_step", CONFIRM_DIFFERS, "differed at step 2");
    expect_again("again_longer", CONFIRM_DIFFERS, "went on after step 3");
    expect_again("again_shorter", CONFIRM_DIFFERS, "ended after step 1");
    expect_again("again_other_history", CONFIRM_DIFFERS, "had the same events and another history");
    expect_again("again_nothing", CONFIRM_DIFFERS, "ended without an error");
    expect_again("again_other_error", CONFIRM_DIFFERS, "ended with another error: crash");
    expect_again("again_stuck", CONFIRM_NOT_POSSIBLE, "came to another end: the program made no progress");
    expect_again("again_broken", CONFIRM_BROKEN,
                 "came to another end: the runtime was killed by signal 11 (SIGSEGV)");
}

static void test_confirm_without_schedule(void **state)
{
    (void)state;
    struct target_worker *found = play("again_same");
    struct confirmation c;
    target_shared(found)->choices_lost = 1;
    confirm_error(&fake, found, &watch, &c);
    assert_int_equal(c.answer, CONFIRM_NOT_POSSIBLE);
    assert_null(c.again);
    target_free(found);
}

/* Where the system loads programs anywhere, places in the code are compared and addresses are not. */
static void test_confirm_moved_program(void **state)
{
    (void)state;
    char message[320];
    struct target_worker *a = play("again_same"), *b = play("again_same");
    struct worker_shared *found = target_shared(a), *again = target_shared(b);
    found->module_count = again->module_count = 1;
    found->modules[0].base = 0x5000;
    again->modules[0].base = 0x7000;
    again->event_hash++;
    assert_false(confirm_same_execution(found, again, message, sizeof message));
    assert_string_equal(message, "differed at step 1");
    for (uint32_t k = 0; k < again->event_count; k++) {
        again->events[k].pc += 0x2000;
        again->events[k].address += 0x2000;
    }
    assert_true(confirm_same_execution(found, again, message, sizeof message));
    again->modules[0].base = 0x5000; /* not moved: then everything counts */
    assert_false(confirm_same_execution(found, again, message, sizeof message));
    target_free(a);
    target_free(b);
}

/* The first and the last events of a long execution, in order. */
static void test_long_execution(void **state)
{
    (void)state;
    struct target_worker *worker = play("long");
    const struct worker_shared *shared = target_shared(worker);
    assert_int_equal(shared->events_lost, 1000);
    for (uint32_t k = 0; k < PROTOCOL_EVENTS; k++)
        assert_int_equal(shared->events[k].value, k < PROTOCOL_EVENTS_FIRST ? k : k + 1000);
    target_free(worker);
}

/* --- building ------------------------------------------------------------------------------------ */

static struct target_program *build(const char *const *files, size_t count, const char *flag,
                                    struct diagnostic *why)
{
    struct target_source source = {
        .files = files, .file_count = count, .flags = &flag, .flag_count = flag != NULL};
    return target_build(&source, why);
}

/* The compiler's complaints are not for the reader of the test's output. */
static void expect_no_build(const char *const *files, size_t count, const char *flag, int code,
                            const char *message)
{
    struct diagnostic why;
    int errors = dup(STDERR_FILENO), nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDERR_FILENO);
    struct target_program *program = build(files, count, flag, &why);
    dup2(errors, STDERR_FILENO);
    close(errors);
    close(nowhere);
    assert_null(program);
    assert_int_equal(why.code, code);
    assert_non_null(strstr(why.message, message));
    assert_int_equal(count_temporary(), 0);
}

static void test_build(void **state)
{
    (void)state;
    struct diagnostic why;
    const char *file = write_file("a program.c", "int value = SMALL;\nint main(void) { return value; }\n");
    struct target_program *first = build(&file, 1, "-DSMALL=1", &why);
    struct target_program *again = build(&file, 1, "-DSMALL=1", &why);
    struct target_program *other = build(&file, 1, "-DSMALL=2", &why);
    assert_non_null(first);
    assert_non_null(again);
    assert_non_null(other);
    assert_int_equal(access(first->path, X_OK), 0);
    assert_int_equal(count_temporary(), 3);
    assert_true(first->code == again->code && first->code != other->code);

    const char *built = first->path;
    struct target_program *prebuilt = build(&built, 1, NULL, &why);
    assert_non_null(prebuilt);
    assert_null(prebuilt->folder);
    assert_true(prebuilt->code == first->code);
    target_program_free(prebuilt);
    target_program_free(first);
    target_program_free(again);
    target_program_free(other);
    assert_int_equal(count_temporary(), 0);
}

static void test_build_mixed_languages(void **state)
{
    (void)state;
    struct diagnostic why;
    const char *files[] = {write_file("c.c", "int class(int new) { return new; }\n"),
                           write_file("cpp.cpp", "extern \"C\" int helper(void) { return 0; }\n"),
                           write_file("m.c", "int helper(void);\nint main(void) { return helper(); }\n")};
    struct target_program *program = build(files, 3, NULL, &why);
    assert_non_null(program);
    target_program_free(program);
}

static void test_build_failures(void **state)
{
    (void)state;
    const char *good = write_file("good.c", "int main(void) { return 0; }\n");
    const char *bad = write_file("bad.c", "int main(void) { return missing; }\n");
    const char *library = write_file("library.c", "int f(void) { return 0; }\n");
    expect_no_build(NULL, 0, NULL, PL_USAGE, "no file");
    expect_no_build((const char *[]){"/nowhere.c"}, 1, NULL, PL_CANNOT_OPEN, "No such file");
    expect_no_build(&bad, 1, NULL, PL_BUILD, "does not build");
    expect_no_build(&library, 1, NULL, PL_BUILD, "does not build");
    expect_no_build(&good, 1, "-c", PL_BUILD, "not an executable");
    expect_no_build(&good, 1, "-fsyntax-only", PL_BUILD, "made no program");
    expect_no_build(&good, 1, "-static", PL_BUILD, "does not build");
    const char *plain = "/bin/true", *pair[] = {good, plain};
    expect_no_build(&plain, 1, NULL, PL_BUILD, "not linked with Plumbline's runtime");
    expect_no_build(pair, 2, NULL, PL_USAGE, "only file");
}

/* --- the tool's own end -------------------------------------------------------------------------- */

/* A tool with a temporary folder and a worker (which has a child): tells both pids and waits. */
static pid_t start_tool(pid_t pids[2])
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t tool = fork();
    if (tool == 0) {
        struct diagnostic why;
        const char *file = write_file("tool.c", "int main(void) { return 0; }\n");
        struct target_program *program = build(&file, 1, NULL, &why);
        struct target_worker *worker = start("child_loop");
        struct worker_shared *shared = target_shared(worker);
        while (!shared->modules[1].base)
            usleep(1000);
        pid_t both[2] = {(pid_t)shared->modules[0].base, (pid_t)shared->modules[1].base};
        if (!program || write(ends[1], both, sizeof both) != sizeof both)
            _exit(1);
        target_wait(&worker, 1, &(struct target_watch){.stall_seconds = 60});
        _exit(1);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], pids, 2 * sizeof *pids), 2 * sizeof *pids);
    close(ends[0]);
    return tool;
}

static void test_tool_is_asked_to_end(void **state)
{
    (void)state;
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP};
    for (int i = 0; i < 3; i++) {
        pid_t pids[2];
        int status;
        pid_t tool = start_tool(pids);
        assert_int_equal(count_temporary(), 1);
        kill(tool, signals[i]);
        assert_int_equal(waitpid(tool, &status, 0), tool);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == signals[i]);
        assert_false(is_alive(pids[0]));
        assert_false(is_alive(pids[1]));
        assert_int_equal(count_temporary(), 0);
    }
}

/* In the middle of a compilation, with a compiler that takes its time. */
static void test_tool_is_asked_to_end_while_building(void **state)
{
    (void)state;
    const char *file = write_file("tool.c", "int main(void) { return 0; }\n");
    const char *begun = write_file("begun", "");
    const char *compiler =
        write_file("slow-cc", "#!/bin/sh\nfor a; do test \"$a\" = -dM && exec cc \"$@\"; done\n"
                              "echo x > \"$TMPDIR/kept\"; rm \"$BEGUN\"; sleep 1000\n");
    assert_int_equal(chmod(compiler, 0700), 0);
    setenv("BEGUN", begun, 1);
    pid_t tool = fork();
    if (tool == 0) {
        struct diagnostic why;
        struct target_source source = {.files = &file, .file_count = 1};
        compilers_choose(compiler, NULL);
        target_build(&source, &why);
        _exit(1);
    }
    while (access(begun, F_OK) == 0)
        usleep(1000);
    int status;
    kill(tool, SIGTERM);
    assert_int_equal(waitpid(tool, &status, 0), tool);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    assert_int_equal(count_temporary(), 0);
}

static void test_tool_is_killed(void **state)
{
    (void)state;
    pid_t pids[2];
    pid_t tool = start_tool(pids);
    kill(tool, SIGKILL);
    assert_int_equal(waitpid(tool, NULL, 0), tool);
    /* This process adopts what is left, as its libraries asked for; the worker has to die by itself. */
    assert_int_equal(waitpid(pids[0], NULL, 0), pids[0]);
    kill(pids[1], SIGKILL);
    assert_int_equal(waitpid(pids[1], NULL, 0), pids[1]);
    shell("rm -rf '%s'/*", temporary);
}

static void test_tool_exits(void **state)
{
    (void)state;
    static struct target_program *program;
    static struct target_worker *worker;
    pid_t tool = fork();
    if (tool == 0) {
        struct diagnostic why;
        const char *file = write_file("tool.c", "int main(void) { return 0; }\n");
        program = build(&file, 1, NULL, &why);
        worker = start("loop");
        fflush(NULL);
        exit(program && worker ? 5 : 6);
    }
    int status;
    assert_int_equal(waitpid(tool, &status, 0), tool);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 5);
    assert_int_equal(count_temporary(), 0);
}

/* --- preparation --------------------------------------------------------------------------------- */

static const char runtime_text[] =
    "void __tsan_init(void) {}\n"
    "void __plumb_note_objects(void *table, long n) { (void)table, (void)n; }\n"
    "long __plumb_undefined_result[17], __plumb_undefined_arguments[17];\n"
    "void __plumb_undefined_fail(const char *what, const char *name) { (void)what, (void)name; }\n"
    "void __tsan_func_entry(void *p) { (void)p; }\n"
    "void __tsan_func_exit(void) {}\n"
    "void __tsan_read4(void *p) { (void)p; }\n"
    "void __tsan_write4(void *p) { (void)p; }\n";

static int prepare(void **state)
{
    (void)state;
    const char *parent = getenv("TMPDIR");
    snprintf(scratch, sizeof scratch, "%s/plumb-test-XXXXXX", parent && *parent ? parent : "/tmp");
    assert_non_null(mkdtemp(scratch));
    snprintf(temporary, sizeof temporary, "%s/tmp", scratch);
    assert_int_equal(mkdir(temporary, 0700), 0);
    snprintf(fake_path, sizeof fake_path, "%s/fake_worker", scratch);
    shell("cc -std=gnu17 -D_GNU_SOURCE -Isrc -Iinclude tests/support/fake_worker.c src/seal/sign_off.c "
          "src/engine/shared/worker_result.c -o '%s'",
          fake_path);
    const char *runtime = write_file("runtime.c", runtime_text);
    shell("cc -shared -fPIC -Wl,-soname,libplumb-rt.so '%s' -o '%s/libplumb-rt.so'", runtime, scratch);
    setenv("TMPDIR", temporary, 1);
    setenv("PLUMB_LIB_DIR", scratch, 1);
    return 0;
}

static int tidy_up(void **state)
{
    (void)state;
    assert_int_equal(count_temporary(), 0);
    shell("rm -rf '%s'", scratch);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_regular_ends),
        cmocka_unit_test(test_crashes),
        cmocka_unit_test(test_exits_in_the_middle),
        cmocka_unit_test(test_watchdog),
        cmocka_unit_test(test_time_is_up),
        cmocka_unit_test(test_progress_can_stop),
        cmocka_unit_test(test_no_orphans),
        cmocka_unit_test(test_output_is_kept),
        cmocka_unit_test(test_surroundings),
        cmocka_unit_test(test_addresses_repeat),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_scribbled_memory),
        cmocka_unit_test(test_cannot_start),
        cmocka_unit_test(test_descriptors_are_closed),
        cmocka_unit_test(test_record),
        cmocka_unit_test(test_confirm),
        cmocka_unit_test(test_confirm_without_schedule),
        cmocka_unit_test(test_confirm_moved_program),
        cmocka_unit_test(test_long_execution),
        cmocka_unit_test(test_build),
        cmocka_unit_test(test_build_mixed_languages),
        cmocka_unit_test(test_build_failures),
        cmocka_unit_test(test_tool_is_asked_to_end),
        cmocka_unit_test(test_tool_is_asked_to_end_while_building),
        cmocka_unit_test(test_tool_is_killed),
        cmocka_unit_test(test_tool_exits),
    };
    return cmocka_run_group_tests(tests, prepare, tidy_up);
}
