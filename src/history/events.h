/* SPDX-License-Identifier: Apache-2.0 */
/* Streams: calls and returns as they happen, one JSON object a line, in the order of time:
 *   {"thread":1,"call":"enq","arg":7,"t":3}
 *   {"thread":1,"return":true,"result":7,"t":9}
 * A return belongs to the call that its thread has open. */
#ifndef HISTORY_EVENTS_H
#define HISTORY_EVENTS_H

#include "history/history.h"
#include "history/jsonl_scan.h"

struct history_event {
    int64_t time;
    plumb_value arg, result; /* of calls, of returns; PLUMB_OK: none */
    uint64_t line;
    uint32_t thread;
    uint32_t object; /* of calls, and of returns that name one */
    uint16_t op;     /* of calls: a name of the history */
    bool is_return, names_object;
};

/* The operation that a call begins: it is open until its return comes. */
struct history_op history_event_operation(const struct history_event *call);

struct event_reader {
    struct jsonl_scan scan;
    struct history *names; /* gets the names of threads, objects and operations; and the values */
};

enum event_found { LINE_BAD, LINE_EMPTY, LINE_EVENT };

/* Reads the line at `line`, which ends with '\n' and has JSONL_SLACK readable bytes behind it. `number`
 * counts from 1. LINE_BAD: scan.d says why. */
enum event_found event_read(struct event_reader *r, const char *line, uint64_t number,
                            struct history_event *out);

/* Is the first line that is not empty an event (and not an operation)? */
bool event_starts(const char *bytes, size_t length);

#endif
