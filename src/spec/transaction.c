/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/transaction.h"

#include <string.h>

enum { PART_KIND, PART_KEY, PART_VALUE, PART_ITEMS };

/* 'r', 'w', or 0. */
static char kind_of(const struct plumb_values *values, plumb_value v)
{
    static const char *const words[] = {"r", "w", "read", "write"};
    size_t length;
    if (plumb_tag_of(v) != PLUMB_TAG_STRING)
        return 0;
    const char *bytes = plumb_string_of(values, v, &length);
    if (length > 2 && !memcmp(bytes, "~:", 2)) {
        bytes += 2;
        length -= 2;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (length == strlen(words[i]) && !memcmp(bytes, words[i], length))
            return *words[i];
    return 0;
}

static bool is_part(const struct plumb_values *values, plumb_value v)
{
    return plumb_is_array(v) && plumb_array_count(values, v) == PART_ITEMS &&
           kind_of(values, plumb_array_item(values, v, PART_KIND));
}

bool transaction_is_one(const struct plumb_values *values, plumb_value v)
{
    size_t count = plumb_is_array(v) ? plumb_array_count(values, v) : 0;
    bool fine = plumb_is_array(v);
    for (size_t i = 0; i < count && fine; i++)
        fine = is_part(values, plumb_array_item(values, v, i));
    return fine;
}

struct transaction_part transaction_part(const struct plumb_values *values, plumb_value v, size_t i)
{
    plumb_value part = plumb_array_item(values, v, i);
    return (struct transaction_part){kind_of(values, plumb_array_item(values, part, PART_KIND)) == 'w',
                                     plumb_array_item(values, part, PART_KEY),
                                     plumb_array_item(values, part, PART_VALUE)};
}

bool transaction_answers(const struct plumb_values *values, plumb_value v, plumb_value answer)
{
    if (!transaction_is_one(values, answer) ||
        plumb_array_count(values, answer) != plumb_array_count(values, v))
        return false;
    for (size_t i = 0; i < plumb_array_count(values, v); i++) {
        struct transaction_part a = transaction_part(values, v, i), b = transaction_part(values, answer, i);
        if (a.writes != b.writes || a.key != b.key || (a.writes && a.value != b.value))
            return false;
    }
    return true;
}
