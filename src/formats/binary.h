/* SPDX-License-Identifier: Apache-2.0 */
/* The binary format: events in blocks, each complete in itself, compressed and with a checksum.
 * docs/binary_format.md describes the bytes.
 *
 * A recorder appends events and flushes when it likes; what was flushed is read even when the program dies
 * the moment after. A reader of the file knows from each block that nothing below some stamp is still to
 * come: so much of a file that was cut is a beginning of the real history. */
#ifndef FORMATS_BINARY_H
#define FORMATS_BINARY_H

#include "formats/formats.h"

#define BINARY_MAGIC "\x89PLH\r\n\x1a\x01" /* the last byte is the version */

enum {
    BINARY_MAGIC_BYTES = 8,
    BINARY_HEADER_BYTES = 32,
    BINARY_BLOCK_BYTES = 64 * 1024, /* of events, at which a block is ended */
    BINARY_BLOCK_MAX = 128 * 1024 * 1024,
};

enum binary_block_kind { BLOCK_EVENTS = 0x53545645, BLOCK_END = 0x444e4550 }; /* "EVTS", "PEND" */

/* A mark of the recorder in src/record: what its stamps are. */
#define BINARY_RECORDER "plumb/record.h"
#define BINARY_STAMPS "stamps"

enum binary_record { RECORD_CALL, RECORD_RETURN, RECORD_NAME, RECORD_MARK };

/* Tags of encoded values; the rest of the number is given behind. */
enum binary_tag {
    BINARY_INT,        /* the integer, zigzag */
    BINARY_SPECIAL,    /* index of null, false, true, ok, unknown */
    BINARY_STRING,     /* number of a string of this block */
    BINARY_NEW_STRING, /* length; the bytes follow, and the string gets the next number */
    BINARY_ARRAY,      /* count; the items follow */
    BINARY_WIDE,       /* 0; an integer of eight bytes follows */
};

/* ---- writing ---- */

struct binary_writer;

/* Values that are written are of this pool. */
struct binary_writer *binary_writer_create(FILE *out, const struct plumb_values *values);

/* `thread`: an integer or a string; `object` PLUMB_NONE: the unnamed one; `arg` PLUMB_OK: none. Inside a
 * thread calls and returns alternate, and stamps do not descend. */
void binary_write_call(struct binary_writer *w, plumb_value thread, plumb_value object, plumb_value op_name,
                       plumb_value arg, int64_t stamp);
void binary_write_return(struct binary_writer *w, plumb_value thread, plumb_value result, int64_t stamp);
void binary_write_mark(struct binary_writer *w, const struct history_mark *m);

/* A promise: no event with a smaller stamp will be appended. A recorder that never makes one must append
 * events in the order of their stamps: then the last one appended is the promise. One that does makes its
 * first before the first flush, and promises never descend. */
void binary_promise(struct binary_writer *w, int64_t stamp);

/* Hands everything to the system. False: it could not be written (errno). */
bool binary_flush(struct binary_writer *w);

/* The end mark, and frees the writer. False: not everything was written. */
bool binary_close(struct binary_writer *w);

/* A whole history; `out` null: only looks whether it is one. */
bool binary_write(FILE *out, const struct history *h, struct diagnostic *d);

/* ---- reading ---- */

/* Reads all events. *cut: a sentence the caller frees when the file ends early, else null; the history is
 * then the beginning of the recorded one up to the last promise. False: wrong content (the checksum is
 * right). */
bool binary_read(struct history *h, const char *bytes, size_t length, char **cut, struct diagnostic *d);

/* Integers as varints: seven bits a byte, the lowest first. */
static inline uint64_t binary_zigzag(int64_t i)
{
    return (uint64_t)i << 1 ^ (uint64_t)(i >> 63);
}

static inline int64_t binary_unzigzag(uint64_t u)
{
    return (int64_t)(u >> 1 ^ -(u & 1));
}

/* A block's header as bytes: kind, events in it, bytes as stored and unpacked, promise, checksum of all that
 * and the bytes stored. */
struct binary_header {
    uint32_t kind, count, stored, raw;
    int64_t promise;
    uint64_t checksum;
};

uint64_t binary_checksum(const struct binary_header *header, const char *stored);

#endif
