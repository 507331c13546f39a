/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of the binary format become events: what reading a whole file and following one that grows share. */
#ifndef FORMATS_BINARY_DECODE_H
#define FORMATS_BINARY_DECODE_H

#include "formats/binary.h"
#include "history/events.h"

struct binary_open {
    bool is_open; /* an operation of the thread */
    int64_t call;
};

struct binary_decoder {
    /* Set before the first block. */
    struct history *h; /* gets names and values */
    struct diagnostic *d;
    bool keeps_marks; /* in `h` */
    /* Of each block in the order of the file; `line` is the number of the event. False: the error is in `d`. */
    bool (*take)(void *context, const struct history_event *e);
    void *context;

    uint64_t block;  /* number of the last one, from 1 */
    uint64_t events; /* of all blocks */
    int64_t promise; /* INT64_MIN at first */
    bool has_ended;  /* the end mark was read */

    const unsigned char *at, *end;   /* records of the block */
    VEC(plumb_value) names, strings; /* of the block */
    VEC(plumb_value) items;
    VEC(struct binary_open) open; /* by thread */
    int64_t last, last_mark;      /* stamps */
    bool has_mark;
};

void binary_decoder_free(struct binary_decoder *r);

/* BINARY_MAGIC_BYTES of them. */
bool binary_check_magic(const char *bytes, struct diagnostic *d);

enum binary_found { BINARY_BLOCK, BINARY_NOTHING, BINARY_PARTIAL, BINARY_DAMAGED };

/* What is at `bytes`? A block is as it was written, header and all of its content behind it. */
enum binary_found binary_find_block(const char *bytes, size_t length, struct binary_header *header);

/* Takes the events of a block. False: wrong content (the checksum is right). */
bool binary_decode(struct binary_decoder *r, const struct binary_header *header, const char *stored);

/* A diagnostic about the present block; false. */
bool binary_fail(struct binary_decoder *r, const char *message);

/* For a file in which a block was looked for, and something else found; the caller frees it. */
char *binary_cut_sentence(const struct binary_decoder *r, enum binary_found found);

#endif
