/* SPDX-License-Identifier: Apache-2.0 */
#include "autotest/auto_tests.h"

#include "base/hash.h"
#include "engine/shared/protocol.h"
#include "explore/schedules/prng.h"
#include "spec/roles.h"

#include <inttypes.h>
#include <stdlib.h>
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

struct printing {
    struct text *out;
    const struct auto_test *test;
    const auto_calls *calls;
    unsigned values; /* given out so far */
    unsigned elements;
    unsigned keys;
};

/* Of larger tests: every other one is small, so that it may meet another. */
static unsigned some_value(struct printing *p)
{
    enum { SMALL = 3 };
    unsigned own = ++p->values;
    uint64_t draw = hash_word(p->test->salt + own);
    return p->test->salt && draw & 1 ? (unsigned)(draw >> 1) % SMALL : own;
}

/* Of larger tests: one in four is 0, which may be special. */
static unsigned some_key(struct printing *p, unsigned key)
{
    return p->test->salt && hash_word(p->test->salt ^ ++p->keys) % 4 == 0 ? 0 : key;
}

/* What stands between PROTOCOL_ELEMENT and its end: harness/sample_values.h. */
struct element {
    int64_t first;
    uint64_t count;      /* of usual values, from the first; 0: any number */
    const char *unusual; /* divided by commas */
    uint32_t unusual_count;
    bool equal; /* the last of these stands for equal values */
    const char *end;
};

static struct element read_element(const char *text)
{
    char *at;
    struct element e = {.first = strtoll(text, &at, 10)};
    e.count = strtoull(at + 1, &at, 10);
    e.unusual = at + 1;
    e.end = strchr(e.unusual, *PROTOCOL_ELEMENT_END);
    for (const char *c = e.unusual; c < e.end; c++)
        e.unusual_count += c == e.unusual || *c == ',';
    e.equal = e.unusual_count && e.end[-1] == '~';
    return e;
}

static void print_usual(struct printing *p, const struct element *e, uint64_t number)
{
    text_printf(p->out, "%" PRId64, e->first + (int64_t)(e->count ? number % e->count : number));
}

static void print_unusual(struct printing *p, const struct element *e, uint32_t number)
{
    const char *at = e->unusual;
    while (number-- > 0)
        at += strcspn(at, ",") + 1;
    text_add(p->out, at, strcspn(at, "," PROTOCOL_ELEMENT_END));
}

/* Of larger tests: half of them are usual, the others unusual or equal, if they may be. */
static void print_mixed(struct printing *p, const struct element *e, uint32_t plain, uint32_t number)
{
    uint64_t draw = hash_word(p->test->salt + p->values);
    if (draw & 1 && e->equal && (draw & 2 || !plain))
        print_usual(p, e, 0);
    else if (draw & 1 && (e->equal ? plain > 0 : number < plain))
        print_unusual(p, e, e->equal ? (uint32_t)(draw >> 2) % plain : number);
    else
        print_usual(p, e, number);
}

/* Returns the end of what stands for it. In a test of unusual values each of its elements has another one, or all are equal. */
static const char *print_element(struct printing *p, const char *text)
{
    enum { SAME = 6 };
    struct element e = read_element(text);
    uint32_t plain = e.unusual_count - e.equal, way = p->test->unusual, number = p->elements++;
    p->values++;
    if (way == AUTO_MIXED)
        print_mixed(p, &e, plain, number);
    else if (way && e.equal && way == e.unusual_count)
        print_usual(p, &e, SAME);
    else if (way && number < plain)
        print_unusual(p, &e, (way - 1 + number) % plain);
    else
        print_usual(p, &e, number);
    return e.end;
}

static void print_call(struct printing *p, uint32_t number)
{
    enum { TOP = 100 };
    const struct auto_call *call = &p->calls->data[number];
    for (const char *at = call->text; *at; at++) {
        if (*at == *PROTOCOL_ELEMENT)
            at = print_element(p, at + 1);
        else if (*at == *PROTOCOL_ANY_ARGUMENT)
            text_printf(p->out, "%u", ++p->values);
        else if (*at == *PROTOCOL_KEY)
            text_printf(p->out, "%u", call->key);
        else if (*at == *PROTOCOL_SOME_KEY)
            text_printf(p->out, "%u", some_key(p, call->key));
        else if (*at == *PROTOCOL_INDEX)
            text_printf(p->out, "%u", call->key - 1);
        else if (*at == *PROTOCOL_FALLING)
            text_printf(p->out, "%u", TOP - ++p->values);
        else if (*at == *PROTOCOL_SOME_VALUE)
            text_printf(p->out, "%u", some_value(p));
        else
            text_add(p->out, at, 1);
    }
}

static void print_calls(struct printing *p, const uint32_t *numbers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        text_puts(p->out, i ? " " : "");
        print_call(p, numbers[i]);
    }
}

void auto_print_test(struct text *out, const struct auto_test *t, const auto_calls *calls)
{
    struct printing p = {.out = out, .test = t, .calls = calls};
    bool ends = t->init_count || t->final_count;
    print_calls(&p, t->init, t->init_count);
    if (ends)
        text_puts(out, t->init_count ? " => " : "=> ");
    for (uint32_t c = 0; c < t->columns; c++) {
        text_puts(out, c ? " | " : "");
        print_calls(&p, t->calls[c], t->rows[c]);
    }
    text_puts(out, t->final_count ? " => " : "");
    print_calls(&p, t->final, t->final_count);
}

uint32_t auto_unusual_count(const struct auto_test *t, const auto_calls *calls)
{
    uint32_t most = 0;
    for (uint32_t c = 0; c < t->columns; c++)
        for (uint32_t r = 0; r < t->rows[c]; r++) {
            const char *at = strchr(calls->data[t->calls[c][r]].text, *PROTOCOL_ELEMENT);
            uint32_t count = at ? read_element(at + 1).unusual_count : 0;
            most = count > most ? count : most;
        }
    return most;
}

static uint32_t count_elements(const auto_calls *calls, const uint32_t *row, uint32_t count, uint64_t *least)
{
    uint32_t elements = 0;
    for (uint32_t k = 0; k < count; k++) {
        const char *at = strchr(calls->data[row[k]].text, *PROTOCOL_ELEMENT);
        struct element e = at ? read_element(at + 1) : (struct element){0};
        elements += at != NULL;
        if (at && !e.equal && e.count && e.count < *least)
            *least = e.count;
    }
    return elements;
}

bool auto_lacks_values(const struct auto_test *t, const auto_calls *calls)
{
    uint64_t least = UINT64_MAX;
    uint32_t elements = count_elements(calls, t->init, t->init_count, &least) +
                        count_elements(calls, t->final, t->final_count, &least);
    for (uint32_t c = 0; c < t->columns; c++)
        elements += count_elements(calls, t->calls[c], t->rows[c], &least);
    return elements > least;
}

/* ------------------------------------------------------------------ calls */

void auto_add_calls(auto_calls *calls, char *line)
{
    char *roles = strchr(line, *PROTOCOL_ROLES);
    struct auto_call call = {.text = line, .roles = ROLES_ANY};
    if (roles) {
        call.roles = (uint32_t)strtoul(roles + 1, NULL, 16);
        *roles = 0;
    }
    char *holds = strchr(line, *PROTOCOL_HOLDS);
    if (holds) {
        call.holds = holds + 1;
        *holds = 0;
    }
    call.key = strpbrk(line, PROTOCOL_KEY PROTOCOL_SOME_KEY PROTOCOL_INDEX) ? 1 : 0;
    vec_push(calls, call);
}

void auto_add_second_keys(auto_calls *calls)
{
    size_t count = calls->len;
    for (size_t i = 0; i < count; i++)
        if (calls->data[i].key == 1) {
            struct auto_call second = calls->data[i];
            second.key = 2;
            vec_push(calls, second);
        }
}

/* Of tests that differ only in the names of keys, one is enough: that in which the first key is the first. Ordered by
 * the numbers of their calls, it is the least. */
bool auto_is_first_by_keys(const struct auto_test *t, const auto_calls *calls)
{
    for (uint32_t c = 0; c < t->columns; c++)
        for (uint32_t r = 0; r < t->rows[c]; r++)
            if (calls->data[t->calls[c][r]].key)
                return calls->data[t->calls[c][r]].key == 1;
    return true;
}

bool auto_keeps_roles(const struct auto_test *t, const auto_calls *calls, uint32_t single)
{
    uint32_t allowed[AUTO_COLUMNS_MAX];
    for (uint32_t c = 0; c < t->columns; c++) {
        allowed[c] = ROLES_ANY;
        for (uint32_t r = 0; r < t->rows[c]; r++)
            allowed[c] &= calls->data[t->calls[c][r]].roles;
    }
    return roles_can_share(allowed, t->columns, single);
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
    *t = (struct auto_test){.columns = e->size.columns};
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
    *t = (struct auto_test){.columns = size.columns, .salt = hash_combine(seed, number) | 1};
    for (uint32_t c = 0; c < size.columns; c++) {
        t->rows[c] = size.rows;
        for (uint32_t r = 0; r < size.rows; r++)
            t->calls[c][r] = prng_below(&prng, calls);
    }
}
