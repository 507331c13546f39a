/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints whose hash is right and whose content is not. The first byte says what the others are: a checkpoint of plumb check,
 * one of plumb-mpi, or changes of the work that a real exploration has left: refused, or explored for a while. */
#include "base/check.h"
#include "base/hash.h"
#include "campaign/cluster/coordinator.h"
#include "explore/explore.h"
#include "explore/graphs.h"
#include "explore/graphs_sharing.h"
#include "graph/model.h"
#include "litmus/litmus.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* Both files have a magic number of eight bytes; the hash follows behind `check_at`, over all behind it. */
static void seal(struct text *t, size_t check_at)
{
    if (t->len < check_at + sizeof(uint64_t))
        return;
    size_t from = check_at + sizeof(uint64_t);
    uint64_t check = hash_bytes(t->data + from, t->len - from);
    memcpy(t->data + check_at, &check, sizeof check);
}

static void check_file(struct text *t)
{
    enum { CHECK_AT = 16 };
    struct checkpoint c = {0}, again = {0};
    struct diagnostic d = {0};
    struct text whole = {0};
    seal(t, CHECK_AT);
    if (checkpoint_parse(&c, t->data, t->len, &d)) {
        CHECK(c.counts.complete <= c.counts.executions);
        checkpoint_print(&c, &whole);
        CHECK(checkpoint_parse(&again, whole.data, whole.len, &d) &&
              checkpoint_digest(&c) == checkpoint_digest(&again));
        checkpoint_free(&again);
        text_free(&whole);
    } else {
        CHECK(d.code == PL_BAD_CHECKPOINT && d.message[0]);
    }
    checkpoint_free(&c);
}

static void check_coordinator(struct text *t)
{
    enum { CHECK_AT = 8 };
    struct coordinator c;
    struct text request = {0};
    seal(t, CHECK_AT);
    coordinator_begin(&c, 2, t->len % 2);
    if (coordinator_load(&c, t->data, t->len))
        for (uint64_t rank = 0; rank < 2; rank++)
            coordinator_next(&c, rank, &request);
    else
        CHECK(c.why.code != 0 && c.why.message[0]);
    coordinator_free(&c);
    text_free(&request);
}

/* --- the work --------------------------------------------------------------------------------------- */

static const char source[] =
    "C t\n{ x = 0; y = 0; }\n"
    "P0 (atomic_int *x, atomic_int *y) { atomic_fetch_add_explicit(x, 1, memory_order_relaxed);"
    " int r0 = atomic_load_explicit(y, memory_order_acquire); atomic_store_explicit(y, 1, "
    "memory_order_release); }\n"
    "P1 (atomic_int *x, atomic_int *y) { atomic_fetch_add_explicit(x, 1, memory_order_seq_cst);"
    " int r0 = atomic_load_explicit(y, memory_order_seq_cst); atomic_store_explicit(y, 2, "
    "memory_order_relaxed); }\n"
    "P2 (atomic_int *x, atomic_int *y) { atomic_store_explicit(y, 3, memory_order_relaxed);"
    " atomic_thread_fence(memory_order_seq_cst); int r0 = atomic_fetch_add_explicit(x, 1, "
    "memory_order_acq_rel); }\n"
    "exists (x = 3)\n";

struct limited {
    uint32_t left;
};

static bool count_down(void *context, const struct program_state *s)
{
    struct limited *l = context;
    (void)s;
    return --l->left > 0;
}

/* What is left after some executions. */
static void make_work(struct litmus_test *test, struct text *work)
{
    struct diagnostic d = {0};
    struct graphs_settings settings = {.model = &model_rc11};
    struct limited limited = {.left = 12};
    const void *bytes;
    CHECK(litmus_parse(test, source, sizeof source - 1, &d));
    struct explorer *e = explore_graphs(&settings);
    program_explore(&test->program, e, count_down, &limited);
    size_t size = explore_graphs_save(e, &bytes);
    text_add(work, bytes, size);
    explore_destroy(e);
}

/* Three bytes each: where, and which bits. */
static void check_work(const uint8_t *bytes, size_t length)
{
    static struct litmus_test test;
    static struct text work;
    if (!work.len)
        make_work(&test, &work);
    struct text changed = {0};
    struct graphs_settings settings = {.model = &model_rc11};
    struct limited limited = {.left = 60};
    text_add(&changed, work.data, work.len);
    for (size_t k = 0; k + 3 <= length; k += 3)
        changed.data[(bytes[k] | (size_t)bytes[k + 1] << 8) % work.len] ^= (char)bytes[k + 2];
    struct explorer *e = explore_graphs(&settings);
    if (explore_graphs_take(e, changed.data, changed.len))
        program_explore(&test.program, e, count_down, &limited);
    else
        CHECK(length >= 3);
    explore_destroy(e);
    text_free(&changed);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct text t = {0};
    text_add(&t, length ? (const char *)bytes + 1 : "", length ? length - 1 : 0);
    switch (length ? bytes[0] % 3 : 0) {
    case 0: check_file(&t); break;
    case 1: check_coordinator(&t); break;
    default: check_work(bytes + 1, length - 1);
    }
    text_free(&t);
    return 0;
}
