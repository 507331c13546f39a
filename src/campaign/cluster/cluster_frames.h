/* SPDX-License-Identifier: Apache-2.0 */
/* What a coordinator and a process that works for it say to each other, through a descriptor: a request, then its answer. */
#ifndef CAMPAIGN_CLUSTER_FRAMES_H
#define CAMPAIGN_CLUSTER_FRAMES_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* The descriptor of a process that works for another is in this variable of its environment. */
#define FRAMES_VARIABLE "PLUMB_WORKS_FOR"

enum request_kind {
    REQUEST_DIVIDE, /* until there are `wanted` pieces */
    REQUEST_EXPLORE,
    REQUEST_TESTS, /* every `wanted`-th, from number `first` */
};

struct request {
    uint32_t kind;
    uint32_t milliseconds; /* that it may take; 0: any number */
    uint64_t first, wanted;
    uint64_t length; /* of the work that follows, as a checkpoint; 0: all */
};

enum answer_kind {
    ANSWER_DONE,   /* but for the work that is left */
    ANSWER_SLOW,   /* nothing was done: it takes longer */
    ANSWER_DIED,   /* nothing counts: a process under test was killed; the record says so */
    ANSWER_FAILED, /* nothing counts, nor would it the next time; the record says why */
};

struct answer {
    uint64_t record; /* bytes of a shard_record, then */
    uint64_t work;   /* of the work that is left, as a checkpoint */
    uint64_t kind;   /* enum answer_kind */
};

/* Of this process; -1: it works for none. */
int frames_descriptor(void);

/* Bytes with their length before them. False: the other end is gone. */
bool frames_write(int descriptor, const char *bytes, size_t length);
bool frames_read(int descriptor, struct text *bytes);

#endif
