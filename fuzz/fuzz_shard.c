/* SPDX-License-Identifier: Apache-2.0 */
/* Any lines as the result of a shard, with the hash that they should have: refused with a sentence, or what was read is written
 * and read again as the same, and can be merged. */
#include "base/check.h"
#include "base/hash.h"
#include "campaign/cluster/shard_merge.h"

#include <inttypes.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void check_merge(struct shard_record *r)
{
    struct shard_merge m;
    struct diagnostic d = {0};
    r->path = strdup("f");
    CHECK(shard_merge(&m, r, 1, &d) && m.present == 1);
    CHECK(m.verdict == r->answer || m.verdict == VERDICT_INCONCLUSIVE);
    shard_merge_free(&m);
}

static void check_round_trip(struct shard_record *r)
{
    struct text once = {0}, again = {0};
    struct shard_record other = {0};
    struct diagnostic d = {0};
    shard_record_print(&once, r);
    CHECK(shard_record_parse(&other, once.data, once.len, &d));
    shard_record_print(&again, &other);
    CHECK(once.len == again.len && memcmp(once.data, again.data, once.len) == 0);
    shard_record_free(&other);
    text_free(&once);
    text_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct text t = {0};
    struct shard_record r = {0};
    struct diagnostic d = {0};
    text_add(&t, (const char *)bytes, length);
    text_printf(&t, "end %016" PRIx64 "\n", hash_bytes(t.data, t.len));
    if (shard_record_parse(&r, t.data, t.len, &d)) {
        check_round_trip(&r);
        check_merge(&r);
    } else {
        CHECK(d.code == PL_BAD_SHARD && d.message[0]);
    }
    shard_record_free(&r);
    text_free(&t);
    return 0;
}
