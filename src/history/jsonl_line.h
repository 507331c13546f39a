/* SPDX-License-Identifier: Apache-2.0 */
/* From lines to operations: what the members of an object mean. */
#ifndef HISTORY_JSONL_LINE_H
#define HISTORY_JSONL_LINE_H

#include "history/history.h"
#include "history/jsonl_scan.h"

enum { JSONL_SMALL_THREADS = 1024, JSONL_CACHED_NAMES = 64 };

/* An operation name of 1 to 15 bytes without escapes; length 0: no name here yet. */
struct jsonl_cached_name {
    uint64_t words[2];
    uint16_t op;
    uint8_t length;
};

struct jsonl_reader {
    struct jsonl_scan scan;
    struct history *history;
    size_t added;                                /* operations */
    uint32_t small_threads[JSONL_SMALL_THREADS]; /* number + 1 of threads named 0, 1, 2, ... */
    struct jsonl_cached_name names[JSONL_CACHED_NAMES];
};

/* Adds the operations of the lines from `first` to `end`. The last line ends with '\n' too, and
 * JSONL_SLACK bytes behind `end` may be read. */
bool jsonl_read_lines(struct jsonl_reader *r, const char *first, const char *end);

#endif
