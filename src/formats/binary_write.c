/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/binary.h"

#include "base/check.h"
#include "formats/event_list.h"

#include <errno.h>
#include <string.h>
#include <zstd.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "headers are stored as they are in memory");
_Static_assert(sizeof(struct binary_header) == BINARY_HEADER_BYTES, "without holes");

enum { LEVEL = 3 };

struct binary_writer {
    FILE *out;
    const struct plumb_values *values;
    ZSTD_CCtx *zstd;
    struct text block;        /* records of the block being made */
    struct hash_map names;    /* of this block: values */
    struct hash_map strings;  /* the same for strings inside values */
    uint32_t count;           /* events of this block */
    uint64_t total;           /* events of all blocks before */
    int64_t last;             /* stamp of the last record */
    int64_t highest, promise; /* greatest stamp appended; what was promised */
    int64_t floor;            /* what the blocks written so far promise */
    bool promised, failed;
};

/* Part of the format: it must never change. The recorder has it, too. */
static uint64_t mix_checksums(uint64_t header, uint64_t content)
{
    return hash_word(header ^ (content + 0x9e3779b97f4a7c15u + (header << 6) + (header >> 2)));
}

uint64_t binary_checksum(const struct binary_header *header, const char *stored)
{
    struct binary_header h = *header;
    h.checksum = 0;
    return mix_checksums(hash_bytes(&h, sizeof h), hash_bytes(stored, header->stored));
}

struct binary_writer *binary_writer_create(FILE *out, const struct plumb_values *values)
{
    struct binary_writer *w = NEW(struct binary_writer);
    w->out = out;
    w->values = values;
    w->zstd = ZSTD_createCCtx();
    w->highest = w->floor = INT64_MIN;
    if (!w->zstd)
        base_out_of_memory();
    w->failed = fwrite(BINARY_MAGIC, 1, BINARY_MAGIC_BYTES, out) != BINARY_MAGIC_BYTES;
    return w;
}

/* ---- numbers and values ---- */

static void put_varint(struct text *t, uint64_t u)
{
    char bytes[10];
    size_t length = 0;
    for (; u >= 0x80; u >>= 7)
        bytes[length++] = (char)(u | 0x80);
    bytes[length++] = (char)u;
    text_add(t, bytes, length);
}

static void put_tagged(struct text *t, enum binary_tag tag, uint64_t rest)
{
    put_varint(t, rest << 3 | tag);
}

static void put_int(struct text *t, int64_t i)
{
    uint64_t zigzag = binary_zigzag(i);
    if (zigzag >> 61 == 0) {
        put_tagged(t, BINARY_INT, zigzag);
        return;
    }
    put_tagged(t, BINARY_WIDE, 0);
    text_add(t, (const char *)&i, sizeof i);
}

static void put_string(struct binary_writer *w, plumb_value v)
{
    uint32_t fresh = (uint32_t)w->strings.count, *number = hash_map_at(&w->strings, v);
    if (*number != HASH_NO_NUMBER) {
        put_tagged(&w->block, BINARY_STRING, *number);
        return;
    }
    size_t length;
    const char *bytes = plumb_string_of(w->values, v, &length);
    *number = fresh;
    put_tagged(&w->block, BINARY_NEW_STRING, length);
    text_add(&w->block, bytes, length);
}

static void put_value(struct binary_writer *w, plumb_value v)
{
    switch (plumb_tag_of(v)) {
    case PLUMB_TAG_SMALL:
    case PLUMB_TAG_WIDE: put_int(&w->block, plumb_int_of(w->values, v)); break;
    case PLUMB_TAG_STRING: put_string(w, v); break;
    case PLUMB_TAG_ARRAY:
    case PLUMB_TAG_PAIR:
    case PLUMB_TAG_KEYED: {
        size_t count = plumb_array_count(w->values, v);
        put_tagged(&w->block, BINARY_ARRAY, count);
        for (size_t i = 0; i < count; i++)
            put_value(w, plumb_array_item(w->values, v, i));
        break;
    }
    default: put_tagged(&w->block, BINARY_SPECIAL, v >> 3); break;
    }
}

/* ---- records ---- */

static void put_head(struct binary_writer *w, enum binary_record kind, uint64_t rest)
{
    put_varint(&w->block, rest << 2 | kind);
}

/* The number of a name in this block; a new one gets a record of its own before the record that uses it. */
static uint32_t name_number(struct binary_writer *w, plumb_value name)
{
    uint32_t fresh = (uint32_t)w->names.count, *number = hash_map_at(&w->names, name);
    if (*number == HASH_NO_NUMBER) {
        *number = fresh;
        put_head(w, RECORD_NAME, 0);
        put_value(w, name);
        return fresh;
    }
    return *number;
}

static void put_stamp(struct binary_writer *w, int64_t stamp)
{
    put_varint(&w->block, binary_zigzag((int64_t)((uint64_t)stamp - (uint64_t)w->last)));
    CHECK(stamp >= w->floor);
    w->last = stamp;
    if (stamp > w->highest)
        w->highest = stamp;
}

static void finish_record(struct binary_writer *w)
{
    w->count++;
    if (w->block.len >= BINARY_BLOCK_BYTES)
        binary_flush(w);
}

void binary_write_call(struct binary_writer *w, plumb_value thread, plumb_value object, plumb_value op_name,
                       plumb_value arg, int64_t stamp)
{
    uint32_t thread_number = name_number(w, thread), op_number = name_number(w, op_name);
    uint32_t object_number = object == PLUMB_NONE ? 0 : name_number(w, object) + 1;
    put_head(w, RECORD_CALL, thread_number);
    put_stamp(w, stamp);
    put_varint(&w->block, (uint64_t)op_number << 1 | (object_number != 0));
    if (object_number)
        put_varint(&w->block, object_number - 1);
    put_value(w, arg);
    finish_record(w);
}

void binary_write_return(struct binary_writer *w, plumb_value thread, plumb_value result, int64_t stamp)
{
    uint32_t thread_number = name_number(w, thread);
    put_head(w, RECORD_RETURN, thread_number);
    put_stamp(w, stamp);
    put_value(w, result);
    finish_record(w);
}

void binary_write_mark(struct binary_writer *w, const struct history_mark *m)
{
    put_head(w, RECORD_MARK, 0);
    put_stamp(w, m->stamp);
    put_value(w, m->who);
    put_value(w, m->what);
    put_value(w, m->value);
    finish_record(w);
}

void binary_promise(struct binary_writer *w, int64_t stamp)
{
    w->promised = true;
    w->promise = stamp;
}

/* ---- blocks ---- */

static bool write_block(struct binary_writer *w, struct binary_header *header, const char *stored)
{
    header->checksum = binary_checksum(header, stored);
    return fwrite(header, sizeof *header, 1, w->out) == 1 &&
           fwrite(stored, 1, header->stored, w->out) == header->stored;
}

static int64_t current_promise(const struct binary_writer *w)
{
    return w->promised ? w->promise : w->highest;
}

static bool write_events(struct binary_writer *w)
{
    CHECK(w->block.len <= BINARY_BLOCK_MAX);
    size_t room = ZSTD_compressBound(w->block.len);
    char *stored = base_alloc(room);
    size_t size = ZSTD_compressCCtx(w->zstd, stored, room, w->block.data, w->block.len, LEVEL);
    CHECK(!ZSTD_isError(size));
    struct binary_header header = {.kind = BLOCK_EVENTS,
                                   .count = w->count,
                                   .stored = (uint32_t)size,
                                   .raw = (uint32_t)w->block.len,
                                   .promise = current_promise(w)};
    bool fine = write_block(w, &header, stored);
    free(stored);
    return fine;
}

bool binary_flush(struct binary_writer *w)
{
    if (w->block.len && !w->failed) {
        w->failed = !write_events(w);
        w->floor = current_promise(w);
        w->total += w->count;
        w->count = 0;
        w->last = 0;
        text_clear(&w->block);
        hash_map_clear(&w->names);
        hash_map_clear(&w->strings);
    }
    w->failed |= fflush(w->out) != 0;
    return !w->failed;
}

bool binary_close(struct binary_writer *w)
{
    bool fine = binary_flush(w);
    if (fine) {
        uint64_t total = w->total;
        struct binary_header header = {
            .kind = BLOCK_END, .stored = sizeof total, .promise = current_promise(w)};
        fine = write_block(w, &header, (const char *)&total) && fflush(w->out) == 0;
    }
    ZSTD_freeCCtx(w->zstd);
    text_free(&w->block);
    hash_map_free(&w->names);
    hash_map_free(&w->strings);
    free(w);
    return fine;
}

/* ---- whole histories ---- */

static void write_event(struct binary_writer *w, const struct history *h, uint32_t event,
                        const plumb_value *names)
{
    const struct history_op *op = history_at(h, event >> 1);
    plumb_value thread = h->thread_names.data[op->thread];
    if (event & 1)
        binary_write_return(w, thread, op->result, op->ret);
    else
        binary_write_call(w, thread, h->object_names.data[history_object_of(h, event >> 1)], names[op->op],
                          op->arg, op->call);
}

/* Before all events. */
static void write_stamps(struct binary_writer *w, const struct history *h, const struct event_list *l)
{
    if (plumb_tag_of(h->stamps) != PLUMB_TAG_STRING || !l->count)
        return;
    int64_t first = event_list_stamp(l, h, 0);
    if (h->marks.len && h->marks.data[0].stamp < first)
        first = h->marks.data[0].stamp;
    binary_write_mark(
        w, &(struct history_mark){first, plumb_string(h->values, BINARY_RECORDER, strlen(BINARY_RECORDER)),
                                  plumb_string(h->values, BINARY_STAMPS, strlen(BINARY_STAMPS)), h->stamps});
}

static void write_list(struct binary_writer *w, const struct history *h, const struct event_list *l,
                       const plumb_value *names)
{
    size_t mark = 0;
    write_stamps(w, h, l);
    for (size_t i = 0; i < l->count; i++) {
        while (mark < h->marks.len && h->marks.data[mark].stamp <= event_list_stamp(l, h, i))
            binary_write_mark(w, &h->marks.data[mark++]);
        write_event(w, h, l->event[i], names);
    }
    while (mark < h->marks.len)
        binary_write_mark(w, &h->marks.data[mark++]);
}

bool binary_write(FILE *out, const struct history *h, struct diagnostic *d)
{
    struct event_list l;
    if (!event_list_by_stamp(h, &l, d))
        return false;
    if (!out) {
        event_list_free(&l);
        return true;
    }
    plumb_value *names = NEW_ARRAY(plumb_value, h->op_names.len + 1);
    for (size_t i = 0; i < h->op_names.len; i++)
        names[i] = plumb_string(h->values, h->op_names.data[i], strlen(h->op_names.data[i]));
    struct binary_writer *w = binary_writer_create(out, h->values);
    write_list(w, h, &l, names);
    free(names);
    event_list_free(&l);
    errno = 0;
    return binary_close(w) || diagnostic_set(d, PL_CANNOT_OPEN, 0, 0, "cannot write: %s", strerror(errno));
}
