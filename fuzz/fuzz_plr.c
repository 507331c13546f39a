/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a recorded execution: refused with a place, or what was read is written and read again as the same. */
#include "base/check.h"
#include "support/bytes_file.h"
#include "target/trace_file.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void check_same(const struct trace_file *a, const struct trace_file *b)
{
    const struct target_run *x = &a->run, *y = &b->run;
    CHECK(a->source.file_count == b->source.file_count && a->source.flag_count == b->source.flag_count);
    for (size_t k = 0; k < a->source.file_count; k++)
        CHECK(strcmp(a->source.files[k], b->source.files[k]) == 0);
    CHECK(x->schedule_count == y->schedule_count && a->proof_count == b->proof_count);
    CHECK(!x->schedule_count ||
          memcmp(x->schedule, y->schedule, x->schedule_count * sizeof *x->schedule) == 0);
    CHECK(!a->proof_count || memcmp(a->proof, b->proof, a->proof_count * sizeof *a->proof) == 0);
    CHECK(strcmp(x->config.test, y->config.test) == 0 && x->config.order_count == y->config.order_count);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static int file = -1;
    char path[32];
    struct trace_file trace, again;
    struct diagnostic d;
    if (!trace_file_parse(&trace, (const char *)bytes, length, &d)) {
        CHECK(d.code == PL_BAD_TRACE && d.message[0] && d.line >= 1 && d.column <= length + 1);
        return 0;
    }
    bytes_file(&file, path, "", 0);
    CHECK(trace_file_save(&trace, path, &d) && trace_file_load(&again, path, &d));
    check_same(&trace, &again);
    trace_file_free(&again);
    trace_file_free(&trace);
    return 0;
}
