/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/binary_follow.h"

#include <string.h>

void binary_follower_free(struct binary_follower *f)
{
    binary_decoder_free(&f->decoder);
    text_free(&f->bytes);
    vec_free(&f->waiting);
    vec_free(&f->last);
    free(f->cut);
}

/* ---- events ---- */

static bool add_waiting(void *context, const struct history_event *e)
{
    struct binary_follower *f = context;
    while (f->last.len <= e->thread)
        vec_push(&f->last, INT64_MIN);
    if (e->time < f->last.data[e->thread])
        return binary_fail(&f->decoder, "time runs backwards in a thread");
    f->last.data[e->thread] = e->time;
    if (f->waiting.len && e->time < vec_last(&f->waiting).time)
        f->is_unordered = true;
    vec_push(&f->waiting, *e);
    return true;
}

static int compare_events(const void *left, const void *right)
{
    const struct history_event *a = left, *b = right;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return a->line < b->line ? -1 : a->line > b->line; /* inside a thread the order of the file counts */
}

/* Those before `promise`, or all: what has its stamp is not complete if the file ends here. */
static bool release(struct binary_follower *f, int64_t promise, bool all)
{
    size_t count = 0;
    if (f->is_unordered)
        qsort(f->waiting.data, f->waiting.len, sizeof *f->waiting.data, compare_events);
    f->is_unordered = false;
    for (; count < f->waiting.len && (all || f->waiting.data[count].time < promise); count++)
        if (!f->take(f->context, &f->waiting.data[count]))
            return false;
    f->waiting.len -= count;
    if (f->waiting.len && count)
        memmove(f->waiting.data, f->waiting.data + count, f->waiting.len * sizeof *f->waiting.data);
    return true;
}

static void watch_memory(struct binary_follower *f)
{
    if (!f->memory_max || f->waiting.len * sizeof *f->waiting.data <= f->memory_max)
        return;
    struct text sentence = {0};
    text_printf(&sentence,
                "memory limit met: %zu events wait, because the recorder may still add earlier ones",
                f->waiting.len);
    f->cut = text_take(&sentence);
}

/* ---- bytes ---- */

static void begin(struct binary_follower *f)
{
    f->has_begun = true;
    f->decoder = (struct binary_decoder){
        .h = f->h, .d = f->d, .take = add_waiting, .context = f, .promise = INT64_MIN};
}

static bool take_block(struct binary_follower *f, const struct binary_header *header, const char *stored)
{
    if (!binary_decode(&f->decoder, header, stored) || !release(f, f->decoder.promise, f->decoder.has_ended))
        return false;
    watch_memory(f);
    return true;
}

/* All blocks that are complete; *used: their bytes. */
static bool take_blocks(struct binary_follower *f, const char *bytes, size_t length, size_t *used)
{
    while (!binary_follow_is_over(f)) {
        struct binary_header header;
        enum binary_found found = binary_find_block(bytes + *used, length - *used, &header);
        if (found == BINARY_PARTIAL && length - *used >= sizeof header &&
            header.stored > 2 * BINARY_BLOCK_MAX)
            found = BINARY_DAMAGED;
        if (found == BINARY_DAMAGED)
            f->cut = binary_cut_sentence(&f->decoder, found);
        if (found != BINARY_BLOCK)
            return true;
        if (!take_block(f, &header, bytes + *used + sizeof header))
            return false;
        *used += sizeof header + header.stored;
    }
    return true;
}

bool binary_follow_bytes(struct binary_follower *f, const char *bytes, size_t length)
{
    size_t used = 0;
    text_add(&f->bytes, bytes, length);
    if (!f->has_begun) {
        if (f->bytes.len < BINARY_MAGIC_BYTES)
            return true;
        if (!binary_check_magic(f->bytes.data, f->d))
            return false;
        begin(f);
        used = BINARY_MAGIC_BYTES;
    }
    if (!take_blocks(f, f->bytes.data, f->bytes.len, &used))
        return false;
    f->bytes.len -= used;
    memmove(f->bytes.data, f->bytes.data + used, f->bytes.len);
    return !f->decoder.has_ended || f->bytes.len == 0 ||
           binary_fail(&f->decoder, "something follows the end mark");
}

bool binary_follow_is_over(const struct binary_follower *f)
{
    return f->decoder.has_ended || f->cut;
}

bool binary_follow_end(struct binary_follower *f)
{
    if (!f->has_begun)
        return diagnostic_set(f->d, PL_BAD_BINARY, 0, 0, "this is not a binary history");
    if (!binary_follow_is_over(f))
        f->cut = binary_cut_sentence(&f->decoder, f->bytes.len ? BINARY_PARTIAL : BINARY_NOTHING);
    return true;
}
