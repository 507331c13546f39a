/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a recording: blocks of docs/binary_format.md. They are not compressed: each has a zstd frame of raw blocks. */
#ifndef RECORD_BLOCK_H
#define RECORD_BLOCK_H

#include "record/recorder/record_ring.h"

struct block_writer {
    int descriptor;
    int error; /* errno of what went wrong; then nothing is written any more */
    char *content, *stored;
    size_t length, room, stored_room;
    uint32_t number; /* of the block, in all files of the process, from 1 */
    uint32_t names;  /* that the block has given */
    uint32_t count;  /* events */
    uint64_t total;  /* events of all blocks before */
    uint64_t last;   /* stamp */
};

/* The name of operations and objects. */
struct block_name {
    char *text;
    size_t length;
    uint32_t named_in, name; /* the block in which it has the number `name` */
};

bool block_start(struct block_writer *writer, int descriptor);
void block_free(struct block_writer *writer);

/* Something beside the operations, in words. */
void block_mark(struct block_writer *writer, uint64_t stamp, const char *what, const char *value);

/* The half that the ring is at. `object` null: the one that has no name. */
void block_call(struct block_writer *writer, struct ring *ring, struct block_name *operation,
                struct block_name *object);
void block_return(struct block_writer *writer, struct ring *ring);

/* Is it time to write it? */
bool block_is_full(const struct block_writer *writer);
/* Writes the block, if it has events. No event with a smaller stamp than `promise` follows. */
void block_write(struct block_writer *writer, uint64_t promise);
/* The end mark. */
void block_end(struct block_writer *writer, uint64_t promise);

#endif
