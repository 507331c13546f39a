/* SPDX-License-Identifier: Apache-2.0 */
/* Writes JSON on one line, members in the order of the calls. The writer puts the commas; the caller
 * closes what it opens. `{&text}` starts one. */
#ifndef BASE_JSON_WRITER_H
#define BASE_JSON_WRITER_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct json_writer {
    struct text *out;
    bool comma; /* a value was written at this level: a comma goes before the next one */
};

void json_open_object(struct json_writer *w);
void json_close_object(struct json_writer *w);
void json_open_array(struct json_writer *w);
void json_close_array(struct json_writer *w);

void json_key(struct json_writer *w, const char *name);

/* Bytes that are not UTF-8 become U+FFFD; a null pointer becomes null. */
void json_string(struct json_writer *w, const char *s);
void json_int(struct json_writer *w, int64_t i);
void json_uint(struct json_writer *w, uint64_t i);
void json_bool(struct json_writer *w, bool b);
void json_null(struct json_writer *w);
void json_seconds(struct json_writer *w, double seconds); /* rounded to microseconds */

/* A complete value that is JSON already. */
void json_raw(struct json_writer *w, const char *json);

/* A key and its string. */
void json_member(struct json_writer *w, const char *name, const char *s);

/* A key and an array, of which the statement behind it writes item i: JSON_ARRAY(w, "ids", i, count)
 * json_uint(w, ids[i]); */
#define JSON_ARRAY(w, name, i, count) \
    for (size_t i = (json_key(w, name), json_open_array(w), 0); i < (count) || (json_close_array(w), 0); i++)

#endif
