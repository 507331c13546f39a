/* SPDX-License-Identifier: Apache-2.0 */
#include "record/recorder/record_block.h"
#include "record/recorder/record_bytes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum {
    BLOCK_BYTES = 64 * 1024,
    BLOCK_MOST = 64 * 1024 * 1024,
    RAW_BYTES = 128 * 1024,
    FRAME_HEAD = 9,
    RAW_HEAD = 3
};
enum { KIND_EVENTS = 0x53545645, KIND_END = 0x444e4550 };
enum { RECORD_CALL, RECORD_RETURN, RECORD_NAME, RECORD_MARK };
static const char magic[8] = "\x89PLH\r\n\x1a\x01";

struct block_header {
    uint32_t kind, count, stored, raw;
    uint64_t promise, checksum;
};
_Static_assert(sizeof(struct block_header) == 32, "without holes");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "headers are stored as they are in memory");

/* ---- writing ---- */

static void write_all(struct block_writer *writer, const char *bytes, size_t length)
{
    while (length && !writer->error) {
        ssize_t written = write(writer->descriptor, bytes, length);
        if (written >= 0) {
            bytes += written;
            length -= (size_t)written;
        } else if (errno != EINTR) {
            writer->error = errno;
        }
    }
}

bool block_start(struct block_writer *writer, int descriptor)
{
    *writer = (struct block_writer){.descriptor = descriptor, .number = writer->number + 1};
    write_all(writer, magic, sizeof magic);
    return !writer->error;
}

void block_free(struct block_writer *writer)
{
    free(writer->content);
    free(writer->stored);
    writer->content = writer->stored = NULL;
}

/* So many more bytes fit then. */
static bool make_room(struct block_writer *writer, size_t bytes)
{
    if (writer->room - writer->length >= bytes)
        return true;
    size_t room = writer->length + bytes + BLOCK_BYTES;
    char *content = bytes > BLOCK_MOST ? NULL : realloc(writer->content, room);
    if (!content) {
        writer->error = bytes > BLOCK_MOST ? E2BIG : ENOMEM;
        return false;
    }
    writer->content = content;
    writer->room = room;
    return true;
}

/* ---- records ---- */

static void put_number(struct block_writer *writer, uint64_t number)
{
    writer->length = (size_t)(bytes_put_number(writer->content + writer->length, number) - writer->content);
}

static void put_stamp(struct block_writer *writer, uint64_t stamp)
{
    put_number(writer, bytes_zigzag((int64_t)(stamp - writer->last)));
    writer->last = stamp;
}

static void put_bytes(struct block_writer *writer, const char *bytes, size_t length)
{
    if (!make_room(writer, length))
        return;
    memcpy(writer->content + writer->length, bytes, length);
    writer->length += length;
}

static void put_text(struct block_writer *writer, const char *text, size_t length)
{
    struct plumb_item item = plumb_bytes(text, length);
    if (make_room(writer, bytes_item_size(item)))
        writer->length = (size_t)(bytes_put_item(writer->content + writer->length, item) - writer->content);
}

static void put_value(struct block_writer *writer, struct ring *ring, plumb_value value)
{
    uint64_t length;
    if ((value & 7) < RING_IN_AREA) {
        char *end = bytes_put_word(writer->content + writer->length, value);
        writer->length = (size_t)(end - writer->content);
        return;
    }
    const char *bytes = record_ring_value_bytes(ring, value, &length);
    put_bytes(writer, bytes, length);
    record_ring_value_done(ring, value);
}

/* A record of a name, whose value follows. */
static uint32_t give_name(struct block_writer *writer)
{
    put_number(writer, RECORD_NAME);
    return writer->names++;
}

static uint32_t name_thread(struct block_writer *writer, struct ring *ring)
{
    char name[32];
    if (ring->named_in == writer->number)
        return ring->name;
    ring->named_in = writer->number;
    ring->name = give_name(writer);
    if (ring->identity == 0) {
        writer->length =
            (size_t)(bytes_put_word(writer->content + writer->length, (uint64_t)ring->number << 3) -
                     writer->content);
        return ring->name;
    }
    int length = snprintf(name, sizeof name, "%u#%u", ring->number, ring->identity + 1);
    put_text(writer, name, (size_t)length);
    return ring->name;
}

static uint32_t name_word(struct block_writer *writer, struct block_name *name)
{
    if (name->named_in == writer->number)
        return name->name;
    name->named_in = writer->number;
    name->name = give_name(writer);
    put_text(writer, name->text, name->length);
    return name->name;
}

enum { RECORD_BYTES = 8 * BYTES_NUMBER_MAX + 64 }; /* all of it but names and values that are not in a word */

void block_mark(struct block_writer *writer, uint64_t stamp, const char *what, const char *value)
{
    if (writer->error || !make_room(writer, RECORD_BYTES))
        return;
    put_number(writer, RECORD_MARK);
    put_stamp(writer, stamp);
    put_text(writer, "plumb/record.h", strlen("plumb/record.h"));
    put_text(writer, what, strlen(what));
    put_text(writer, value, strlen(value));
    writer->count++;
}

void block_call(struct block_writer *writer, struct ring *ring, struct block_name *operation,
                struct block_name *object)
{
    const struct ring_slot *slot = ring_slot(ring, ring->taken / 2);
    size_t names = operation->length + (object ? object->length : 0);
    if (writer->error || !make_room(writer, RECORD_BYTES + 2 * names))
        return;
    uint32_t thread = name_thread(writer, ring), word = name_word(writer, operation);
    uint32_t object_word = object ? name_word(writer, object) : 0;
    if (!make_room(writer, RECORD_BYTES))
        return;
    put_number(writer, (uint64_t)thread << 2 | RECORD_CALL);
    put_stamp(writer, ring->next);
    put_number(writer, (uint64_t)word << 1 | (object != NULL));
    if (object)
        put_number(writer, object_word);
    put_value(writer, ring, slot->argument);
    writer->count++;
}

void block_return(struct block_writer *writer, struct ring *ring)
{
    if (writer->error || !make_room(writer, RECORD_BYTES))
        return;
    uint32_t thread = name_thread(writer, ring);
    put_number(writer, (uint64_t)thread << 2 | RECORD_RETURN);
    put_stamp(writer, ring->next);
    put_value(writer, ring, ring_slot(ring, ring->taken / 2)->result);
    writer->count++;
}

/* ---- blocks ---- */

bool block_is_full(const struct block_writer *writer)
{
    return writer->length >= BLOCK_BYTES;
}

static uint64_t mix(uint64_t x)
{
    x ^= x >> 32;
    x *= 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    return x;
}

static uint64_t checksum(const struct block_header *header, const char *stored)
{
    uint64_t head = XXH3_64bits(header, sizeof *header), tail = XXH3_64bits(stored, header->stored);
    return mix(head ^ (tail + 0x9e3779b97f4a7c15u + (head << 6) + (head >> 2)));
}

/* A zstd frame whose blocks are raw: the size of the content, then up to 128 KiB at a time. */
static size_t make_frame(const struct block_writer *writer, char *frame)
{
    static const unsigned char head[5] = {0x28, 0xb5, 0x2f, 0xfd, 0xa0};
    uint32_t size = (uint32_t)writer->length;
    char *at = frame;
    memcpy(at, head, sizeof head);
    memcpy(at + sizeof head, &size, sizeof size);
    at += FRAME_HEAD;
    for (size_t done = 0, piece; done < writer->length; done += piece) {
        piece = writer->length - done < RAW_BYTES ? writer->length - done : RAW_BYTES;
        uint32_t raw = (uint32_t)piece << 3 | (done + piece == writer->length);
        memcpy(at, &raw, RAW_HEAD);
        memcpy(at + RAW_HEAD, writer->content + done, piece);
        at += RAW_HEAD + piece;
    }
    return (size_t)(at - frame);
}

static bool make_stored_room(struct block_writer *writer)
{
    size_t raws = writer->length / RAW_BYTES + 1;
    size_t room = sizeof(struct block_header) + FRAME_HEAD + raws * RAW_HEAD + writer->length;
    if (room <= writer->stored_room)
        return true;
    free(writer->stored);
    writer->stored = malloc(room);
    writer->stored_room = writer->stored ? room : 0;
    if (!writer->stored)
        writer->error = ENOMEM;
    return writer->stored != NULL;
}

void block_write(struct block_writer *writer, uint64_t promise)
{
    if (writer->error || !writer->count || !make_stored_room(writer))
        return;
    struct block_header header = {
        .kind = KIND_EVENTS, .count = writer->count, .raw = (uint32_t)writer->length, .promise = promise};
    char *frame = writer->stored + sizeof header;
    header.stored = (uint32_t)make_frame(writer, frame);
    header.checksum = checksum(&header, frame);
    memcpy(writer->stored, &header, sizeof header);
    write_all(writer, writer->stored, sizeof header + header.stored);
    writer->total += writer->count;
    writer->number++;
    writer->names = writer->count = 0;
    writer->length = 0;
    writer->last = 0;
}

void block_end(struct block_writer *writer, uint64_t promise)
{
    struct block_header header = {.kind = KIND_END, .stored = sizeof writer->total, .promise = promise};
    header.checksum = checksum(&header, (const char *)&writer->total);
    write_all(writer, (const char *)&header, sizeof header);
    write_all(writer, (const char *)&writer->total, sizeof writer->total);
}
