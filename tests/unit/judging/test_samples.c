/* SPDX-License-Identifier: Apache-2.0 */
/* Histories that others recorded, with the verdicts they published. Runs in the root of the sources. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/budget.h"
#include "formats/formats.h"
#include "monitor/monitor.h"
#include "spec/registry.h"

#include <fcntl.h>
#include <unistd.h>

static enum verdict judge_file(const char *path)
{
    struct history *h = history_create();
    struct format_options o = {0};
    struct format_reading reading;
    struct diagnostic d = {0};
    int fd = open(path, O_RDONLY);
    if (!format_read(h, fd, &o, &reading, &d))
        fail_msg("%s:%d:%d: %s", path, (int)d.line, (int)d.column, d.message);
    close(fd);
    const struct plumb_spec *specs[1];
    assert_int_equal(h->object_names.len, 1);
    assert_true(spec_infer_all(h, specs, &d) && spec_bind(h, specs, &d));
    struct plumb_spec_options options = {.values = h->values, .initial = reading.initial};
    struct budget budget = budget_start(0, 0);
    struct monitor_settings settings = {.options = &options, .specs = specs, .budget = &budget};
    struct monitor_result result;
    assert_true(monitor_history(h, &settings, &result, &d));
    enum verdict verdict = result.verdict;
    monitor_result_free(&result);
    format_reading_free(&reading);
    history_destroy(h);
    return verdict;
}

static void test_samples(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        enum verdict verdict;
    } samples[] = {
        {"tests/data/jepsen/etcd_000.log", VERDICT_VIOLATED},
        {"tests/data/jepsen/etcd_002.log", VERDICT_HOLDS},
        {"tests/data/jepsen/cas-register-bug.edn", VERDICT_HOLDS},
        {"tests/data/jepsen/memstress3-0.edn", VERDICT_HOLDS},
        {"tests/data/jepsen/cas-failure.edn", VERDICT_VIOLATED},
        {"tests/data/jepsen/rethink-fail-minimal.edn", VERDICT_VIOLATED},
        {"tests/data/jepsen/c01-ok.txt", VERDICT_HOLDS},
        {"tests/data/jepsen/c01-bad.txt", VERDICT_VIOLATED},
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        assert_int_equal(judge_file(samples[i].path), samples[i].verdict);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_samples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
