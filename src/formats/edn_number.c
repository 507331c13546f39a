/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers: those of 64 bits are integers, the others strings in one form per number, so that equal ones are
 * equal strings. As in Clojure 1 and 1N are equal, 2/4 is 1/2, and 1, 1.0 and 1.0M are three numbers. */
#include "formats/edn.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS_MAX = 4096 }; /* of numbers beyond 64 bits */

struct number {
    bool negative;
    const char *digits; /* before the point; at least one, no zeros in front of others */
    size_t digit_count;
    const char *fraction;
    size_t fraction_count;
    int64_t exponent;
    bool has_point, has_exponent;
    char suffix; /* N, M or 0 */
};

static size_t count_digits(const char *at, const char *end)
{
    const char *p = at;
    while (p < end && *p >= '0' && *p <= '9')
        p++;
    return (size_t)(p - at);
}

static const char *scan_exponent(const char *at, const char *end, struct number *n)
{
    bool negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    size_t count = count_digits(at, end);
    if (count == 0 || count > 9)
        return NULL;
    for (size_t i = 0; i < count; i++)
        n->exponent = n->exponent * 10 + (at[i] - '0');
    if (negative)
        n->exponent = -n->exponent;
    n->has_exponent = true;
    return at + count;
}

/* False: not a number. */
static bool scan_parts(const char *at, const char *end, struct number *n)
{
    *n = (struct number){.negative = *at == '-'};
    at += *at == '-' || *at == '+';
    n->digits = at;
    n->digit_count = count_digits(at, end);
    at += n->digit_count;
    if (n->digit_count == 0 || (n->digit_count > 1 && n->digits[0] == '0'))
        return false;
    if (at < end && *at == '.') {
        n->has_point = true;
        n->fraction = ++at;
        n->fraction_count = count_digits(at, end);
        at += n->fraction_count;
    }
    if (at < end && (*at == 'e' || *at == 'E') && !(at = scan_exponent(at + 1, end, n)))
        return false;
    if (at < end && (*at == 'N' || *at == 'M'))
        n->suffix = *at++;
    return at == end && n->digit_count + n->fraction_count <= DIGITS_MAX;
}

/* The digits as an integer of 64 bits. */
static bool to_int(const char *digits, size_t count, bool negative, int64_t *out)
{
    uint64_t sum = 0, limit = (uint64_t)INT64_MAX + negative;
    if (count > 19)
        return false;
    for (size_t i = 0; i < count; i++)
        sum = sum * 10 + (uint64_t)(digits[i] - '0');
    *out = negative ? (int64_t)-sum : (int64_t)sum;
    return sum <= limit;
}

/* 0x1f: no number of EDN, but what Clojure prints of objects, #object[java.lang.Thread 0x1f "..."], has
 * one. */
static bool hex_value(struct edn *e, const char *digits, const char *end, plumb_value *out)
{
    uint64_t sum = 0;
    if (digits == end || end - digits > 15)
        return false;
    for (; digits < end; digits++) {
        if (!isxdigit((unsigned char)*digits))
            return false;
        sum = sum * 16 +
              (uint64_t)(isdigit((unsigned char)*digits) ? *digits - '0' : (*digits | 32) - 'a' + 10);
    }
    *out = plumb_int(e->values, (int64_t)sum);
    return true;
}

static plumb_value text_value(struct edn *e)
{
    return plumb_string(e->values, e->scratch.data, e->scratch.len);
}

static plumb_value integer_value(struct edn *e, const struct number *n)
{
    int64_t small;
    if (to_int(n->digits, n->digit_count, n->negative, &small))
        return plumb_int(e->values, small);
    text_clear(&e->scratch);
    text_puts(&e->scratch, n->negative ? "~n-" : "~n");
    text_add(&e->scratch, n->digits, n->digit_count);
    return text_value(e);
}

/* The digits without zeros at either end, and the exponent of the last one. */
static plumb_value decimal_value(struct edn *e, const struct number *n)
{
    struct text digits = {0};
    text_add(&digits, n->digits, n->digit_count);
    text_add(&digits, n->fraction_count ? n->fraction : "", n->fraction_count);
    int64_t exponent = n->exponent - (int64_t)n->fraction_count;
    size_t first = 0, last = digits.len;
    while (first + 1 < last && digits.data[first] == '0')
        first++;
    while (first + 1 < last && digits.data[last - 1] == '0')
        last--, exponent++;
    bool zero = digits.data[first] == '0';
    text_clear(&e->scratch);
    text_puts(&e->scratch, n->negative && !zero ? "~d-" : "~d");
    text_add(&e->scratch, digits.data + first, last - first);
    text_printf(&e->scratch, "e%" PRId64, zero ? 0 : exponent);
    text_free(&digits);
    return text_value(e);
}

/* The shortest digits that mean the same double; a point or an exponent distinguishes it from an integer. */
static void print_double(struct text *out, double x)
{
    char digits[40];
    for (int precision = 1; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, x);
        if (strtod(digits, NULL) == x)
            break;
    }
    text_puts(out, digits);
    if (!strpbrk(digits, ".e"))
        text_puts(out, ".0");
}

static bool double_value(struct edn *e, const char *token, size_t length, plumb_value *out)
{
    text_clear(&e->scratch);
    text_add(&e->scratch, token, length);
    double x = strtod(e->scratch.data, NULL);
    if (isinf(x))
        return false;
    if (x == 0)
        x = 0; /* -0.0 is equal to it */
    text_clear(&e->scratch);
    text_puts(&e->scratch, "~f");
    print_double(&e->scratch, x);
    *out = text_value(e);
    return true;
}

static uint64_t greatest_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static bool ratio_value(struct edn *e, const char *token, const char *slash, const char *end,
                        plumb_value *out)
{
    struct number above, below;
    int64_t a, b;
    if (!scan_parts(token, slash, &above) || slash + 1 == end || !scan_parts(slash + 1, end, &below) ||
        above.has_point || above.has_exponent || above.suffix || below.has_point || below.has_exponent ||
        below.suffix || slash[1] == '-' || slash[1] == '+')
        return false;
    if (!to_int(above.digits, above.digit_count, above.negative, &a) ||
        !to_int(below.digits, below.digit_count, false, &b) || b == 0)
        return false;
    uint64_t size = a < 0 ? -(uint64_t)a : (uint64_t)a, divisor = greatest_divisor(size, (uint64_t)b);
    size /= divisor;
    b = (int64_t)((uint64_t)b / divisor);
    if (b == 1) {
        *out = plumb_int(e->values, a < 0 ? (int64_t)-size : (int64_t)size);
        return true;
    }
    text_clear(&e->scratch);
    text_printf(&e->scratch, "~r%s%" PRIu64 "/%" PRId64, a < 0 ? "-" : "", size, b);
    *out = text_value(e);
    return true;
}

bool edn_number(struct edn *e, const char *token, size_t length, plumb_value *out)
{
    struct number n;
    const char *slash = memchr(token, '/', length);
    if (length > 2 && !memcmp(token, "0x", 2))
        return hex_value(e, token + 2, token + length, out);
    if (slash)
        return ratio_value(e, token, slash, token + length, out);
    if (!scan_parts(token, token + length, &n))
        return false;
    if (n.suffix == 'M') {
        *out = decimal_value(e, &n);
        return true;
    }
    if (n.has_point || n.has_exponent)
        return n.suffix ? false : double_value(e, token, length, out);
    *out = integer_value(e, &n);
    return true;
}

/* Reads the number again: it is one of ours when the same string comes out. */
bool edn_is_odd_number(char tag, const char *bytes, size_t length)
{
    struct diagnostic ignored;
    struct edn e = {.values = plumb_values_create(), .d = &ignored};
    struct text token = {0};
    text_add(&token, bytes, length);
    text_puts(&token, tag == 'd' ? "M" : "");
    plumb_value v;
    const char *first = token.data + (token.len && *token.data == '-'), *again = NULL;
    size_t count = 0;
    if (token.len && *first >= '0' && *first <= '9' && edn_number(&e, token.data, token.len, &v) &&
        plumb_tag_of(v) == PLUMB_TAG_STRING)
        again = plumb_string_of(e.values, v, &count);
    bool same = again && count == length + 2 && again[1] == tag && !memcmp(again + 2, bytes, length);
    text_free(&token);
    edn_free(&e);
    plumb_values_destroy(e.values);
    return same;
}
