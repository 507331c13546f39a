/* SPDX-License-Identifier: Apache-2.0 */
/* Histories in any of the formats that people have: the main header of this folder. */
#ifndef FORMATS_FORMATS_H
#define FORMATS_FORMATS_H

#include "base/text.h"
#include "history/history.h"

#include <stdio.h>

enum format {
    FORMAT_AUTO,   /* recognised by the content */
    FORMAT_JSONL,  /* an operation a line; history/jsonl.h */
    FORMAT_BINARY, /* what recorders write; formats/binary.h */
    FORMAT_EDN,    /* what Jepsen stores */
    FORMAT_LOG,    /* what Jepsen prints */
    FORMAT_KV,     /* EDN with a map a line and :key */
    FORMAT_COUNT
};

/* "auto", "jsonl", "bin", "edn", "log", "kv". */
const char *format_name(enum format format);

/* What the events of a Jepsen history mean where tests differ; 0: what is usual in the format. */
enum jepsen_nil { NIL_USUAL, NIL_ANY, NIL_VALUE }; /* a read that answered nil: unknown, or nil */
enum jepsen_fail {
    FAIL_USUAL,
    FAIL_DROPPED,
    FAIL_FALSE
}; /* a cas that failed: never was, or answered false */
enum jepsen_keys {
    KEYS_USUAL,
    KEYS_TUPLES,
    KEYS_NONE
}; /* values [k v]: v for the object k, or plain values */

struct format_options {
    enum format format;
    enum jepsen_nil nil;
    enum jepsen_fail fail;
    enum jepsen_keys keys;
    bool counter; /* --spec counter: a read is that of a counter, whatever else there is */
};

/* Reads "nil=any,fail=false,keys=none", any of them. */
bool format_parse_jepsen(const char *text, struct format_options *o, struct diagnostic *d);

/* What reading found besides the operations. */
struct format_reading {
    enum format format;
    /* What a register of such a history holds at first; PLUMB_OK: nothing is said */
    plumb_value initial;
    char *cut;   /* the input ends early, and how; else null */
    char *notes; /* sentences about what was left out, a line each; else null */
};

/* Reads all of `fd`. False: *d says where and why. */
bool format_read(struct history *h, int fd, const struct format_options *o, struct format_reading *out,
                 struct diagnostic *d);

/* The same when `bytes` were read from it already; they are freed. */
bool format_read_rest(struct history *h, struct text bytes, int fd, const struct format_options *o,
                      struct format_reading *out, struct diagnostic *d);

/* The same from memory; `format` must not be FORMAT_AUTO. `bytes` has a zero behind it. */
bool format_read_memory(struct history *h, const char *bytes, size_t length, const struct format_options *o,
                        struct format_reading *out, struct diagnostic *d);

/* Reads the first line of the input, or more, into `head`. Is it an event? */
bool format_starts_stream(int fd, struct text *head);

/* Is there so much of the input that its format is known? */
bool format_is_recognised(const struct text *head);

/* Reads a stream of events (history/events.h), of which `head` was read already. */
bool events_read(struct history *h, const struct text *head, int fd, struct diagnostic *d);

void format_reading_free(struct format_reading *r);

/* By the first bytes of a file; FORMAT_AUTO: none that we know. An empty one is FORMAT_JSONL. */
enum format format_detect(const char *bytes, size_t length);

/* Writes the history, which is not bound to specifications. `out` null: only looks whether it could. False:
 * it has something that the format cannot say, or it could not be written. What is lost without changing a
 * verdict is added to `notes`, a line each. */
bool format_write(FILE *out, const struct history *h, enum format format, struct text *notes,
                  struct diagnostic *d);

#endif
