/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/cluster/shard_merge.h"

#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *difference(const struct shard_record *a, const struct shard_record *b)
{
    return strcmp(a->tool, b->tool) != 0         ? "of another version of plumb"
           : strcmp(a->command, b->command) != 0 ? "of another command"
           : a->count != b->count                ? "of another number of shards"
           : a->fingerprint != b->fingerprint    ? "of another program, or of one with other options,"
           : a->division && b->division && a->division != b->division
               ? "of an exploration that was divided in another way"
               : NULL;
}

/* One of the first that has all that there is to compare. */
static const struct shard_record *find_first(const struct shard_record *records, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (records[k].division)
            return &records[k];
    return records;
}

static bool is_like(const struct shard_record *first, const struct shard_record *r, struct diagnostic *why)
{
    const char *differs = difference(first, r);
    if (!differs)
        return true;
    diagnostic_set(why, PL_BAD_SHARD, 0, 0, "the result is %s than '%.100s'", differs, first->path);
    snprintf(why->file, sizeof why->file, "%s", r->path);
    return false;
}

/* Of two results of one shard the one that says more. */
static int weight(const struct shard_record *r)
{
    return r->answer == VERDICT_VIOLATED ? 2 : r->answer == VERDICT_INCONCLUSIVE ? 0 : 1;
}

static bool is_same(const struct shard_record *a, const struct shard_record *b)
{
    return a->answer == b->answer && memcmp(a->numbers, b->numbers, sizeof a->numbers) == 0;
}

/* By number; null: missing. */
static bool place(const struct shard_record **by_number, const struct shard_record *r, struct diagnostic *why)
{
    const struct shard_record **place = &by_number[r->number], *other = *place;
    if (other && weight(other) == 1 && weight(r) == 1 && !is_same(other, r)) {
        diagnostic_set(why, PL_BAD_SHARD, 0, 0,
                       "another result of shard %" PRIu64 ", '%.100s', has other numbers", r->number + 1,
                       other->path);
        snprintf(why->file, sizeof why->file, "%s", r->path);
        return false;
    }
    if (!other || weight(r) > weight(other))
        *place = r;
    return true;
}

static void add_once(shard_texts *list, const char *words)
{
    for (size_t k = 0; k < list->len; k++)
        if (strcmp(list->data[k], words) == 0)
            return;
    shard_add_text(list, words);
}

/* "shards 2 and 4 of 4 are missing" */
static void name_missing(struct shard_merge *m, const struct shard_record *const *by_number, uint64_t count)
{
    struct text t = {0};
    uint64_t missing = count - m->present, named = 0;
    for (uint64_t k = 0; k < count; k++)
        if (!by_number[k]) {
            text_printf(&t, "%s%" PRIu64, !named ? "" : named + 1 < missing ? ", " : " and ", k + 1);
            named++;
        }
    struct text all = {0};
    text_printf(&all, "shard%s %s of %" PRIu64 " %s missing", missing == 1 ? "" : "s", t.data, count,
                missing == 1 ? "is" : "are");
    shard_add_text(&m->limits, all.data);
    text_free(&t);
    text_free(&all);
}

static void add_shard(struct shard_merge *m, const struct shard_record *r)
{
    m->present++;
    for (size_t k = 0; k < SHARD_NUMBER_COUNT; k++)
        m->numbers[k] = k == SHARD_PIECES ? r->numbers[k] : m->numbers[k] + r->numbers[k];
    for (size_t k = 0; k < r->limits.len; k++) {
        struct text t = {0};
        if (r->count > 1)
            text_printf(&t, "shard %" PRIu64 ": ", r->number + 1);
        text_puts(&t, r->limits.data[k]);
        add_once(&m->limits, t.data);
        text_free(&t);
    }
    for (size_t k = 0; k < r->notes.len; k++)
        add_once(&m->notes, r->notes.data[k]);
    /* The test that one process would have come to first. */
    if (r->answer == VERDICT_VIOLATED && (!m->violated || r->failing < m->violated->failing))
        m->violated = r;
}

/* ------------------------------------------------------------------ the rule for mutexes */

static int by_address(const void *a, const void *b)
{
    const struct pool_object *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

/* Was an object under the rule in one shard, and found to be no mutex in another? Their executions do not add up then. */
static bool shards_disagree(const struct shard_record *const *by_number, uint64_t count)
{
    VEC(struct pool_object) all = {0};
    bool disagree = false;
    for (uint64_t k = 0; k < count; k++)
        for (size_t i = 0; by_number[k] && i < by_number[k]->objects.len; i++)
            vec_push(&all, by_number[k]->objects.data[i]);
    if (all.len)
        qsort(all.data, all.len, sizeof *all.data, by_address);
    for (size_t from = 0, to; from < all.len; from = to) {
        bool locked = false, no_mutex = false, together = false;
        for (to = from; to < all.len && all.data[to].address == all.data[from].address; to++) {
            const struct pool_object *o = &all.data[to];
            locked |= o->locked && !o->no_mutex;
            no_mutex |= o->no_mutex;
            together |= o->locked && o->no_mutex;
        }
        disagree |= locked && (no_mutex || together);
    }
    vec_free(&all);
    return disagree;
}

/* ------------------------------------------------------------------ all of them */

static enum verdict answer_of(const struct shard_merge *m, const struct shard_record *const *by_number,
                              uint64_t count)
{
    bool sampled = false;
    if (m->violated)
        return VERDICT_VIOLATED;
    for (uint64_t k = 0; k < count; k++) {
        if (!by_number[k] || by_number[k]->answer == VERDICT_INCONCLUSIVE)
            return VERDICT_INCONCLUSIVE;
        sampled |= by_number[k]->answer == VERDICT_SURVIVED;
    }
    return m->limits.len ? VERDICT_INCONCLUSIVE : sampled ? VERDICT_SURVIVED : VERDICT_HOLDS;
}

static bool has_run_nothing(const struct shard_merge *m)
{
    return strcmp(m->first->command, "auto") == 0 ? !m->numbers[SHARD_PASSED] : !m->numbers[SHARD_EXECUTIONS];
}

static void conclude(struct shard_merge *m, const struct shard_record *const *by_number, uint64_t count)
{
    for (uint64_t k = 0; k < count; k++)
        if (by_number[k])
            add_shard(m, by_number[k]);
    if (m->present < count)
        name_missing(m, by_number, count);
    else if (!m->limits.len && has_run_nothing(m))
        shard_add_text(&m->limits, "nothing was run");
    if (shards_disagree(by_number, count))
        shard_add_text(&m->limits,
                       "a lock is a mutex in one shard and more than that in another: explore it as a whole");
    m->verdict = answer_of(m, by_number, count);
}

bool shard_merge(struct shard_merge *m, const struct shard_record *records, size_t count,
                 struct diagnostic *why)
{
    *m = (struct shard_merge){.first = find_first(records, count)};
    const struct shard_record **by_number = NEW_ZEROED(const struct shard_record *, m->first->count);
    bool fine = true;
    for (size_t k = 0; fine && k < count; k++)
        fine = is_like(m->first, &records[k], why) && place(by_number, &records[k], why);
    if (fine)
        conclude(m, by_number, m->first->count);
    free(by_number);
    return fine;
}

void shard_merge_free(struct shard_merge *m)
{
    for (size_t k = 0; k < m->limits.len; k++)
        free(m->limits.data[k]);
    for (size_t k = 0; k < m->notes.len; k++)
        free(m->notes.data[k]);
    vec_free(&m->limits);
    vec_free(&m->notes);
}
