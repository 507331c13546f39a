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
    while (*at == ' ' || *at == '\t' || *at == '\r')
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

#endif
