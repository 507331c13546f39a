/* SPDX-License-Identifier: Apache-2.0 */
/* Strict scanner of the JSON that histories use. It works inside one line
 * that ends with '\n': no token contains that byte, so no function looks for
 * the end. At least JSONL_SLACK bytes behind the line may be read.
 *
 * Functions take the place where a token starts and return the place behind
 * it, or null after filling in the diagnostic. */
#ifndef HISTORY_JSONL_SCAN_H
#define HISTORY_JSONL_SCAN_H

#include "base/diagnostic.h"
#include "base/text.h"
#include "base/vec.h"
#include "history/history.h"

#include <plumb/value.h>

enum { JSONL_SLACK = 32, JSONL_DEPTH_MAX = 32 };

struct jsonl_scan {
    struct plumb_values *values;
    struct diagnostic *d;
    const char *line; /* first byte of the line */
    uint64_t line_number;
    struct text decoded;    /* content of the last string with escapes */
    VEC(plumb_value) items; /* of the arrays being read */
};

void jsonl_scan_free(struct jsonl_scan *s);

/* Says that the byte at `at` is wrong. Always null. */
const char *jsonl_fail(struct jsonl_scan *s, int code, const char *at, const char *format, ...)
    __attribute__((format(printf, 4, 5), cold));

/* The same, ending in ", found <what is there>". */
const char *jsonl_fail_expected(struct jsonl_scan *s, int code, const char *at, const char *expected)
    __attribute__((cold));

/* A string; `at` is its opening quote. The content is in the line or in
 * s->decoded, until the next string is read. */
const char *jsonl_scan_string(struct jsonl_scan *s, const char *at, const char **bytes, size_t *length);

/* A string that is the name of an operation: its number among those of `h`. */
const char *jsonl_scan_op_name(struct jsonl_scan *s, const char *at, struct history *h, uint16_t *op);

/* Any value but an object. */
const char *jsonl_scan_value(struct jsonl_scan *s, const char *at, plumb_value *out);

/* A number that jsonl_scan_int leaves alone: the smallest integer, or an error. */
const char *jsonl_scan_odd_int(struct jsonl_scan *s, const char *at, int64_t *out);

static inline const char *jsonl_skip_space(const char *at)
{
    while ((unsigned char)*at <= ' ' && (*at == ' ' || *at == '\t' || *at == '\r'))
        at++;
    return at;
}

static inline bool jsonl_starts_number(char c)
{
    return c == '-' || (c >= '0' && c <= '9');
}

/* An integer; `at` satisfies jsonl_starts_number. Nineteen digits always fit the unsigned sum. */
static inline const char *jsonl_scan_int(struct jsonl_scan *s, const char *at, int64_t *out)
{
    bool negative = *at == '-';
    const char *first = at + negative, *p = first;
    uint64_t sum = 0;
    unsigned digit;
    while ((digit = (unsigned)(unsigned char)*p - '0') <= 9) {
        sum = sum * 10 + digit;
        p++;
    }
    size_t digits = (size_t)(p - first);
    bool odd = digits - 1 >= 19 || sum > INT64_MAX || (*first == '0' && digits > 1) || *p == '.' ||
               (*p | 0x20) == 'e';
    if (__builtin_expect(odd, 0))
        return jsonl_scan_odd_int(s, at, out);
    *out = negative ? -(int64_t)sum : (int64_t)sum;
    return p;
}

/* {"unknown":true}; `at` is the brace. */
const char *jsonl_scan_unknown(struct jsonl_scan *s, const char *at);

/* A value, or {"unknown":true}, which is PLUMB_ANY. */
static inline const char *jsonl_scan_result(struct jsonl_scan *s, const char *at, plumb_value *out)
{
    if (*at != '{')
        return jsonl_scan_value(s, at, out);
    *out = PLUMB_ANY;
    return jsonl_scan_unknown(s, at);
}

/* The colon between the name of a member, which ends at `at`, and its value, where the answer is. */
static inline const char *jsonl_scan_colon(struct jsonl_scan *s, const char *at)
{
    at = jsonl_skip_space(at);
    if (*at != ':')
        return jsonl_fail_expected(s, PL_SYNTAX, at, "':' after the name of a member");
    return jsonl_skip_space(at + 1);
}

/* ---- objects with known members ---- */

enum { JSONL_MEMBERS_MAX = 8 };

struct jsonl_object {
    struct jsonl_scan *scan;
    const char *const *names;          /* of the members, and a null */
    unsigned seen;                     /* a bit for each member */
    const char *at[JSONL_MEMBERS_MAX]; /* where its value starts */
};

typedef const char *jsonl_read_name(struct jsonl_object *o, const char *at, unsigned *member);
typedef const char *jsonl_read_value(struct jsonl_object *o, const char *at, unsigned member);

static inline bool jsonl_has(const struct jsonl_object *o, unsigned member)
{
    return o->seen >> member & 1;
}

/* The name of a member, in any spelling, among those of the object; *member is JSONL_MEMBERS_MAX if it is not
 * one of them. */
const char *jsonl_scan_member(struct jsonl_object *o, const char *at, unsigned *member, const char **name,
                              size_t *length);

/* A value that is not of the `kind` of the member: a bad field, or bad syntax if it is not a value at all.
 * `hint`: what else to say, or null. Always null. */
const char *jsonl_fail_kind(struct jsonl_object *o, const char *at, unsigned member, const char *kind,
                            const char *hint) __attribute__((cold));

/* An integer or a string: the name of a thread or an object. */
static inline const char *jsonl_scan_identity(struct jsonl_object *o, const char *at, unsigned member,
                                              plumb_value *out)
{
    if (*at != '"' && !jsonl_starts_number(*at))
        return jsonl_fail_kind(o, at, member, "an integer or a string", NULL);
    return jsonl_scan_value(o->scan, at, out);
}

static inline __attribute__((always_inline)) const char *jsonl_read_member(struct jsonl_object *o,
                                                                           const char *at,
                                                                           jsonl_read_name *name,
                                                                           jsonl_read_value *value)
{
    unsigned m;
    const char *p = name(o, at, &m);
    if (!p)
        return NULL;
    if (jsonl_has(o, m))
        return jsonl_fail(o->scan, PL_BAD_FIELD, at, "member \"%s\" is given twice", o->names[m]);
    o->seen |= 1u << m;
    p = o->at[m] = jsonl_scan_colon(o->scan, p);
    return p ? value(o, p, m) : NULL;
}

/* The object whose brace is at `at`. */
static inline __attribute__((always_inline)) const char *jsonl_read_object(struct jsonl_object *o,
                                                                           const char *at,
                                                                           jsonl_read_name *name,
                                                                           jsonl_read_value *value)
{
    const char *p = jsonl_skip_space(at + 1);
    if (*p == '}')
        return p + 1;
    for (;; p = jsonl_skip_space(p + 1)) {
        if (!(p = jsonl_read_member(o, p, name, value)))
            return NULL;
        p = jsonl_skip_space(p);
        if (*p == '}')
            return p + 1;
        if (*p != ',')
            return jsonl_fail_expected(o->scan, PL_SYNTAX, p, "',' or '}' after a member");
    }
}

#endif
