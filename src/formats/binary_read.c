/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/binary.h"

#include "history/value_text.h"

#include <string.h>
#include <zstd.h>

enum { NO_OPERATION = UINT32_MAX, DEPTH_MAX = 32 };

struct binary_reader {
    struct history *h;
    struct diagnostic *d;
    const char *rest, *file_end;     /* bytes of the file that are not read yet */
    uint64_t block;                  /* number of the block, from 1 */
    const unsigned char *at, *end;   /* records of the block */
    VEC(plumb_value) names, strings; /* of the block */
    VEC(plumb_value) items;
    VEC(uint32_t) open; /* thread -> its open operation, or NO_OPERATION */
    int64_t last;
    int64_t promise;
    uint64_t events;
};

static bool fail(struct binary_reader *r, const char *message)
{
    diagnostic_set(r->d, PL_BAD_BINARY, 0, 0, "block %llu of the file: %s", (unsigned long long)r->block,
                   message);
    return false;
}

/* ---- numbers and values ---- */

static bool get_varint(struct binary_reader *r, uint64_t *out)
{
    uint64_t u = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (r->at == r->end)
            return fail(r, "a record ends early");
        unsigned char c = *r->at++;
        u |= (uint64_t)(c & 0x7f) << shift;
        if (c < 0x80) {
            *out = u;
            return shift < 63 || c < 2 || fail(r, "a number is too large");
        }
    }
    return fail(r, "a number is too large");
}

static bool is_utf8(const char *bytes, size_t length)
{
    for (size_t i = 0, one; i < length; i += one)
        if (!(one = value_utf8_length(bytes + i, length - i)))
            return false;
    return true;
}

static bool get_new_string(struct binary_reader *r, uint64_t length, plumb_value *out)
{
    if (length > (uint64_t)(r->end - r->at))
        return fail(r, "a string ends early");
    if (!is_utf8((const char *)r->at, length))
        return fail(r, "a string is not UTF-8");
    *out = plumb_string(r->h->values, (const char *)r->at, length);
    r->at += length;
    vec_push(&r->strings, *out);
    return true;
}

static bool get_wide(struct binary_reader *r, plumb_value *out)
{
    int64_t i;
    if (r->end - r->at < (ptrdiff_t)sizeof i)
        return fail(r, "a number ends early");
    memcpy(&i, r->at, sizeof i);
    r->at += sizeof i;
    *out = plumb_int(r->h->values, i);
    return true;
}

static bool get_value(struct binary_reader *r, unsigned depth, plumb_value *out);

static bool get_array(struct binary_reader *r, uint64_t count, unsigned depth, plumb_value *out)
{
    size_t base = r->items.len;
    if (depth >= DEPTH_MAX)
        return fail(r, "arrays are nested too deep");
    if (count > (uint64_t)(r->end - r->at))
        return fail(r, "an array ends early");
    for (uint64_t i = 0; i < count; i++) {
        plumb_value item;
        if (!get_value(r, depth + 1, &item))
            return false;
        if (item == PLUMB_OK || item == PLUMB_ANY)
            return fail(r, "an array has an item that is not a value");
        vec_push(&r->items, item);
    }
    vec_reserve(&r->items, 1);
    *out = plumb_array(r->h->values, r->items.data + base, count);
    r->items.len = base;
    return true;
}

static bool get_value(struct binary_reader *r, unsigned depth, plumb_value *out)
{
    static const plumb_value specials[] = {PLUMB_NONE, PLUMB_FALSE, PLUMB_TRUE, PLUMB_OK, PLUMB_ANY};
    uint64_t head;
    if (!get_varint(r, &head))
        return false;
    uint64_t rest = head >> 3;
    switch (head & 7) {
    case BINARY_INT: *out = plumb_int(r->h->values, binary_unzigzag(rest)); return true;
    case BINARY_SPECIAL:
        if (rest >= sizeof specials / sizeof *specials)
            break;
        *out = specials[rest];
        return true;
    case BINARY_STRING:
        if (rest >= r->strings.len)
            break;
        *out = r->strings.data[rest];
        return true;
    case BINARY_NEW_STRING: return get_new_string(r, rest, out);
    case BINARY_ARRAY: return get_array(r, rest, depth, out);
    case BINARY_WIDE: return get_wide(r, out);
    }
    return fail(r, "no value has this tag");
}

/* ---- records ---- */

static bool get_name(struct binary_reader *r, uint64_t number, plumb_value *out)
{
    if (number >= r->names.len)
        return fail(r, "a name was not given");
    *out = r->names.data[number];
    return true;
}

static bool get_stamp(struct binary_reader *r, int64_t *out)
{
    uint64_t difference;
    if (!get_varint(r, &difference))
        return false;
    *out = r->last = (int64_t)((uint64_t)r->last + (uint64_t)binary_unzigzag(difference));
    return *out >= r->promise || fail(r, "an event is older than blocks before it promised");
}

static bool get_thread(struct binary_reader *r, uint64_t number, uint32_t *out)
{
    plumb_value name;
    if (!get_name(r, number, &name))
        return false;
    if (!plumb_is_int(name) && plumb_tag_of(name) != PLUMB_TAG_STRING)
        return fail(r, "the name of a thread is neither an integer nor a string");
    *out = history_thread(r->h, name);
    while (r->open.len <= *out)
        vec_push(&r->open, NO_OPERATION);
    return true;
}

static bool get_op_name(struct binary_reader *r, uint64_t number, uint16_t *out)
{
    plumb_value name;
    size_t length;
    if (!get_name(r, number, &name))
        return false;
    if (plumb_tag_of(name) != PLUMB_TAG_STRING)
        return fail(r, "the name of an operation is not a string");
    const char *bytes = plumb_string_of(r->h->values, name, &length);
    if (memchr(bytes, 0, length))
        return fail(r, "the name of an operation has a zero byte");
    *out = history_op_name(r->h, bytes, length);
    return *out != HISTORY_NO_NAME || fail(r, "there are too many names of operations");
}

static bool get_object(struct binary_reader *r, uint64_t has_object, plumb_value *out)
{
    uint64_t number;
    *out = PLUMB_NONE;
    if (!has_object)
        return true;
    return get_varint(r, &number) && get_name(r, number, out);
}

static bool get_call(struct binary_reader *r, uint64_t thread)
{
    struct history_op op = {.pending = 1, .ret = INT64_MAX, .result = PLUMB_ANY};
    uint64_t word;
    plumb_value object;
    if (!get_thread(r, thread, &op.thread) || !get_stamp(r, &op.call) || !get_varint(r, &word) ||
        !get_op_name(r, word >> 1, &op.op) || !get_object(r, word & 1, &object) || !get_value(r, 0, &op.arg))
        return false;
    if (op.arg == PLUMB_ANY)
        return fail(r, "an argument is unknown");
    if (r->open.data[op.thread] != NO_OPERATION)
        return fail(r, "a thread calls while an operation of it is open");
    if (r->h->ops.len >= HISTORY_OPS_MAX)
        return diagnostic_set(r->d, PL_TOO_LARGE, 0, 0, "more than %zu operations", HISTORY_OPS_MAX);
    r->open.data[op.thread] = (uint32_t)r->h->ops.len;
    history_add(r->h, op, history_object(r->h, object));
    return true;
}

static bool get_return(struct binary_reader *r, uint64_t thread_number)
{
    uint32_t thread;
    int64_t stamp;
    plumb_value result;
    if (!get_thread(r, thread_number, &thread) || !get_stamp(r, &stamp) || !get_value(r, 0, &result))
        return false;
    if (r->open.data[thread] == NO_OPERATION)
        return fail(r, "a thread returns from nothing");
    struct history_op *op = &r->h->ops.data[r->open.data[thread]];
    if (stamp < op->call)
        return diagnostic_set(r->d, PL_RETURN_BEFORE_CALL, 0, 0,
                              "an operation returns at %lld, before its call at %lld", (long long)stamp,
                              (long long)op->call);
    op->pending = 0;
    op->ret = stamp;
    op->result = result;
    r->open.data[thread] = NO_OPERATION;
    return true;
}

static bool get_mark(struct binary_reader *r)
{
    struct history_mark m;
    if (!get_stamp(r, &m.stamp) || !get_value(r, 0, &m.who) || !get_value(r, 0, &m.what) ||
        !get_value(r, 0, &m.value))
        return false;
    if (r->h->marks.len && vec_last(&r->h->marks).stamp > m.stamp)
        return fail(r, "marks are not in order");
    vec_push(&r->h->marks, m);
    return true;
}

static bool get_record(struct binary_reader *r, uint32_t *events)
{
    uint64_t head;
    plumb_value name;
    if (!get_varint(r, &head))
        return false;
    *events += (head & 3) != RECORD_NAME;
    switch (head & 3) {
    case RECORD_CALL: return get_call(r, head >> 2);
    case RECORD_RETURN: return get_return(r, head >> 2);
    case RECORD_MARK: return get_mark(r);
    default:
        if (!get_value(r, 0, &name))
            return false;
        vec_push(&r->names, name);
        return true;
    }
}

/* ---- blocks ---- */

static bool read_records(struct binary_reader *r, const char *raw, const struct binary_header *header)
{
    uint32_t events = 0;
    r->at = (const unsigned char *)raw;
    r->end = r->at + header->raw;
    r->last = 0;
    vec_clear(&r->names);
    vec_clear(&r->strings);
    while (r->at < r->end)
        if (!get_record(r, &events))
            return false;
    if (events != header->count)
        return fail(r, "it does not have as many events as it says");
    r->events += events;
    return true;
}

static bool read_events(struct binary_reader *r, const struct binary_header *header, const char *stored)
{
    if (header->raw > BINARY_BLOCK_MAX)
        return fail(r, "it is too large");
    char *raw = base_alloc((size_t)header->raw + 1);
    size_t size = ZSTD_decompress(raw, header->raw, stored, header->stored);
    bool fine = size == header->raw ? read_records(r, raw, header) : fail(r, "it cannot be unpacked");
    free(raw);
    return fine;
}

/* The next block, if all of it is there and as it was written. Null: what is wrong with it. */
static const char *find_block(struct binary_reader *r, struct binary_header *header, const char **why)
{
    size_t left = (size_t)(r->file_end - r->rest);
    *why = left ? "in the middle of a block" : "without an end mark";
    if (left < sizeof *header)
        return NULL;
    memcpy(header, r->rest, sizeof *header);
    const char *stored = r->rest + sizeof *header;
    *why = "at a damaged block";
    if (header->kind != BLOCK_EVENTS && header->kind != BLOCK_END)
        return NULL;
    if (header->stored > left - sizeof *header) {
        *why = "in the middle of a block";
        return NULL;
    }
    return binary_checksum(header, stored) == header->checksum ? stored : NULL;
}

static bool read_end(struct binary_reader *r, const struct binary_header *header, const char *stored)
{
    uint64_t total;
    if (header->stored != sizeof total)
        return fail(r, "the end mark has the wrong size");
    memcpy(&total, stored, sizeof total);
    if (total != r->events)
        return fail(r, "the end mark counts other events");
    if (r->rest != r->file_end)
        return fail(r, "something follows the end mark");
    return true;
}

/* Of what happened at the promised stamp or later, something may be lost. All events before it make a
 * beginning of the recorded history: what returned later is pending there, what was called later is not in
 * it. */
static void keep_promised(struct binary_reader *r)
{
    struct history *h = r->h;
    size_t kept = 0;
    for (size_t i = 0; i < h->ops.len; i++) {
        struct history_op op = h->ops.data[i];
        if (op.call >= r->promise)
            continue;
        if (!op.pending && op.ret >= r->promise)
            op.pending = 1, op.ret = INT64_MAX, op.result = PLUMB_ANY;
        h->ops.data[kept] = op;
        if (h->objects.len)
            h->objects.data[kept] = h->objects.data[i];
        kept++;
    }
    h->ops.len = kept;
    h->objects.len = h->objects.len ? kept : 0;
    while (h->marks.len && vec_last(&h->marks).stamp >= r->promise)
        h->marks.len--;
}

static bool read_blocks(struct binary_reader *r, char **cut)
{
    for (;;) {
        struct binary_header header;
        const char *why, *stored;
        r->block++;
        stored = find_block(r, &header, &why);
        if (!stored) {
            struct text sentence = {0};
            text_printf(&sentence, "the file is cut after %llu events, %s", (unsigned long long)r->events,
                        why);
            *cut = text_take(&sentence);
            keep_promised(r);
            return true;
        }
        r->rest = stored + header.stored;
        if (header.kind == BLOCK_END)
            return read_end(r, &header, stored);
        if (!read_events(r, &header, stored))
            return false;
        if (header.promise > r->promise)
            r->promise = header.promise;
    }
}

bool binary_read(struct history *h, const char *bytes, size_t length, char **cut, struct diagnostic *d)
{
    struct binary_reader r = {.h = h, .d = d, .file_end = bytes + length, .promise = INT64_MIN};
    *cut = NULL;
    if (length < BINARY_MAGIC_BYTES || memcmp(bytes, BINARY_MAGIC, BINARY_MAGIC_BYTES - 1))
        return diagnostic_set(d, PL_BAD_BINARY, 0, 0, "this is not a binary history");
    if (bytes[BINARY_MAGIC_BYTES - 1] != BINARY_MAGIC[BINARY_MAGIC_BYTES - 1])
        return diagnostic_set(d, PL_BAD_BINARY, 0, 0,
                              "a binary history of version %d, which this program does not know",
                              (unsigned char)bytes[BINARY_MAGIC_BYTES - 1]);
    r.rest = bytes + BINARY_MAGIC_BYTES;
    bool fine = read_blocks(&r, cut);
    for (size_t i = 0; i < h->ops.len; i++)
        vec_push(&h->lines, 0);
    if (fine && !h->ops.len)
        fine = diagnostic_set(d, PL_EMPTY_FILE, 0, 0, "the input has no operation%s%s", *cut ? ": " : "",
                              *cut ? *cut : "");
    vec_free(&r.names);
    vec_free(&r.strings);
    vec_free(&r.items);
    vec_free(&r.open);
    return fine;
}
