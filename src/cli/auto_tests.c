/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/auto_tests.h"

#include "engine/protocol.h"
#include "explore/prng.h"

#include <string.h>

bool auto_parse_size(const char *text, struct auto_size *size)
{
    bool fine = text[0] >= '1' && text[0] <= '0' + AUTO_ROWS_MAX && (text[1] == 'x' || text[1] == '*') &&
                text[2] >= '1' && text[2] <= '0' + AUTO_COLUMNS_MAX && !text[3];
    if (fine)
        *size = (struct auto_size){(uint32_t)(text[0] - '0'), (uint32_t)(text[2] - '0')};
    return fine;
}

/* ------------------------------------------------------------------ text */

static void print_call(struct text *out, const char *call, unsigned *values)
{
    for (; *call; call++) {
        if (*call == *PROTOCOL_ANY_ARGUMENT)
            text_printf(out, "%u", ++*values);
        else
            text_add(out, call, 1);
    }
}

void auto_print_test(struct text *out, const struct auto_test *t, const auto_calls *calls)
{
    unsigned values = 0;
    for (uint32_t c = 0; c < t->columns; c++) {
        text_puts(out, c ? " | " : "");
        for (uint32_t r = 0; r < t->rows[c]; r++) {
            text_puts(out, r ? " " : "");
            print_call(out, calls->data[t->calls[c][r]], &values);
        }
    }
}

/* ------------------------------------------------------------------ one after the other */

static uint64_t power(uint64_t base, uint32_t exponent)
{
    uint64_t p = 1;
    while (exponent--)
        p *= base;
    return p;
}

struct auto_enumeration auto_enumerate(struct auto_size most, uint32_t calls)
{
    return (struct auto_enumeration){.most = most, .size = {1, 1}, .calls = calls, .ended = calls == 0};
}

/* The next size with as many cells, else with more: wide ones first. */
static bool next_size(struct auto_enumeration *e)
{
    uint32_t cells = e->size.rows * e->size.columns, rows = e->size.rows + 1;
    for (uint32_t most = e->most.rows * e->most.columns; cells <= most; cells++, rows = 1)
        for (; rows <= e->most.rows; rows++)
            if (cells % rows == 0 && cells / rows <= e->most.columns) {
                e->size = (struct auto_size){rows, cells / rows};
                return true;
            }
    return false;
}

/* A column is a number, its calls the digits. Columns are not descending. */
static bool next_columns(struct auto_enumeration *e)
{
    uint64_t kinds = power(e->newest + 1, e->size.rows);
    for (uint32_t c = e->size.columns; c-- > 0;) {
        if (e->columns[c] + 1 >= kinds)
            continue;
        e->columns[c]++;
        for (uint32_t k = c + 1; k < e->size.columns; k++)
            e->columns[k] = e->columns[c];
        return true;
    }
    return false;
}

static bool step(struct auto_enumeration *e)
{
    if (!e->started) {
        e->started = true;
        return true;
    }
    if (next_columns(e))
        return true;
    memset(e->columns, 0, sizeof e->columns);
    if (++e->newest < e->calls)
        return true;
    e->newest = 0;
    return next_size(e);
}

/* False: it does without the newest call. */
static bool read_columns(const struct auto_enumeration *e, struct auto_test *t)
{
    bool uses_newest = false;
    t->columns = e->size.columns;
    for (uint32_t c = 0; c < t->columns; c++) {
        uint64_t digits = e->columns[c];
        t->rows[c] = e->size.rows;
        for (uint32_t r = e->size.rows; r-- > 0;) {
            t->calls[c][r] = (uint32_t)(digits % (e->newest + 1));
            digits /= e->newest + 1;
            uses_newest |= t->calls[c][r] == e->newest;
        }
    }
    return uses_newest;
}

bool auto_next(struct auto_enumeration *e, struct auto_test *t)
{
    while (!e->ended) {
        e->ended = !step(e);
        if (!e->ended && read_columns(e, t))
            return true;
    }
    return false;
}

/* Multisets of `columns` columns. */
static double count_of_size(struct auto_size s, uint32_t calls)
{
    double kinds = 1, count = 1;
    for (uint32_t r = 0; r < s.rows; r++)
        kinds *= calls;
    for (uint32_t c = 0; c < s.columns; c++)
        count = count * (kinds + c) / (c + 1);
    return count;
}

double auto_count(struct auto_size most, uint32_t calls)
{
    double count = 0;
    for (uint32_t r = 1; r <= most.rows; r++)
        for (uint32_t c = 1; c <= most.columns; c++)
            count += count_of_size((struct auto_size){r, c}, calls);
    return count;
}

void auto_sample(struct auto_size size, uint32_t calls, uint64_t seed, uint64_t number, struct auto_test *t)
{
    struct prng prng = prng_start(seed, number);
    t->columns = size.columns;
    for (uint32_t c = 0; c < size.columns; c++) {
        t->rows[c] = size.rows;
        for (uint32_t r = 0; r < size.rows; r++)
            t->calls[c][r] = prng_below(&prng, calls);
    }
}
