/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/binary_decode.h"

enum { NO_OPERATION = UINT32_MAX };

struct binary_reader {
    struct binary_decoder decoder;
    struct history *h;
    VEC(uint32_t) open; /* by thread: its operation, or NO_OPERATION */
};

static bool add_operation(struct binary_reader *r, const struct history_event *e)
{
    if (r->h->ops.len >= HISTORY_OPS_MAX)
        return diagnostic_set(r->decoder.d, PL_TOO_LARGE, 0, 0, "more than %zu operations", HISTORY_OPS_MAX);
    while (r->open.len <= e->thread)
        vec_push(&r->open, NO_OPERATION);
    r->open.data[e->thread] = (uint32_t)r->h->ops.len;
    history_add(r->h, history_event_operation(e), e->object);
    return true;
}

static bool take_event(void *context, const struct history_event *e)
{
    struct binary_reader *r = context;
    if (!e->is_return)
        return add_operation(r, e);
    struct history_op *op = history_change(r->h, r->open.data[e->thread]);
    op->pending = 0;
    op->ret = e->time;
    op->result = e->result;
    return true;
}

/* Of what happened at the promised stamp or later, something may be lost. All events before it make a
 * beginning of the recorded history: what returned later is pending there, what was called later is not in
 * it. */
static void keep_promised(struct history *h, int64_t promise)
{
    size_t kept = 0;
    for (size_t i = 0; i < h->ops.len; i++) {
        struct history_op op = history_get(h, i);
        if (op.call >= promise)
            continue;
        if (!op.pending && op.ret >= promise)
            op.pending = 1, op.ret = INT64_MAX, op.result = PLUMB_ANY;
        *history_change(h, kept) = op;
        if (h->objects.len)
            h->objects.data[kept] = h->objects.data[i];
        kept++;
    }
    h->ops.len = kept;
    h->objects.len = h->objects.len ? kept : 0;
    while (h->marks.len && vec_last(&h->marks).stamp >= promise)
        h->marks.len--;
}

static bool read_blocks(struct binary_decoder *decoder, const char *bytes, const char *end, char **cut)
{
    while (!decoder->has_ended) {
        struct binary_header header;
        enum binary_found found = binary_find_block(bytes, (size_t)(end - bytes), &header);
        if (found != BINARY_BLOCK) {
            *cut = binary_cut_sentence(decoder, found);
            keep_promised(decoder->h, decoder->promise);
            return true;
        }
        if (!binary_decode(decoder, &header, bytes + sizeof header))
            return false;
        bytes += sizeof header + header.stored;
    }
    return bytes == end || binary_fail(decoder, "something follows the end mark");
}

bool binary_read(struct history *h, const char *bytes, size_t length, char **cut, struct diagnostic *d)
{
    struct binary_reader r = {.h = h};
    r.decoder = (struct binary_decoder){
        .h = h, .d = d, .keeps_marks = true, .take = take_event, .context = &r, .promise = INT64_MIN};
    *cut = NULL;
    if (length < BINARY_MAGIC_BYTES)
        return diagnostic_set(d, PL_BAD_BINARY, 0, 0, "this is not a binary history");
    if (!binary_check_magic(bytes, d))
        return false;
    bool fine = read_blocks(&r.decoder, bytes + BINARY_MAGIC_BYTES, bytes + length, cut);
    for (size_t i = 0; i < h->ops.len; i++)
        vec_push(&h->lines, 0);
    if (fine && !h->ops.len)
        fine = diagnostic_set(d, PL_EMPTY_FILE, 0, 0, "the input has no operation%s%s", *cut ? ": " : "",
                              *cut ? *cut : "");
    binary_decoder_free(&r.decoder);
    vec_free(&r.open);
    return fine;
}
