/* SPDX-License-Identifier: Apache-2.0 */
#include "autotest/auto_holding.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ what there is to hold */

/* "object:part" */
static const char *what_of(const struct auto_call *c)
{
    return c->holds + 1 + strspn(c->holds + 1, "*&");
}

static bool is_taken(const auto_calls *listed, const char *what)
{
    for (size_t k = 0; k < listed->len; k++)
        if (listed->data[k].holds && *listed->data[k].holds == '+' &&
            strcmp(what_of(&listed->data[k]), what) == 0)
            return true;
    return false;
}

static uint32_t number_of(const auto_holdings *h, const char *what)
{
    uint32_t highest = 0;
    for (size_t k = 0; k < h->len; k++) {
        if (strcmp(h->data[k].of, what) == 0)
            return h->data[k].what;
        highest = h->data[k].what + 1 > highest ? h->data[k].what + 1 : highest;
    }
    return highest;
}

void auto_holdings_find(auto_holdings *h, const auto_calls *listed)
{
    for (size_t k = 0; k < listed->len; k++) {
        const struct auto_call *c = &listed->data[k];
        if (!c->holds || (*c->holds == '-' && !is_taken(listed, what_of(c))))
            continue;
        struct auto_holding one = {.name = strndup(c->text, strcspn(c->text, "(")),
                                   .of = strdup(what_of(c)),
                                   .what = number_of(h, what_of(c)),
                                   .change = *c->holds,
                                   .nests = c->holds[1] == '*',
                                   .shared = what_of(c)[-1] == '&'};
        vec_push(h, one);
    }
}

const char *auto_holdings_lack(const auto_calls *listed)
{
    for (size_t k = 0; k < listed->len; k++) {
        const struct auto_call *c = &listed->data[k];
        if (c->holds && *c->holds == '-' && !is_taken(listed, what_of(c)))
            return c->text;
    }
    return NULL;
}

void auto_holdings_free(auto_holdings *h)
{
    for (size_t k = 0; k < h->len; k++) {
        free(h->data[k].name);
        free(h->data[k].of);
    }
    vec_free(h);
}

/* ------------------------------------------------------------------ who holds it */

static bool same_object(const char *a, const char *b)
{
    size_t length = strcspn(a, ":");
    return length == strcspn(b, ":") && memcmp(a, b, length) == 0;
}

/* Does the thread hold the object, perhaps, in a way that forbids this call to take it? */
static bool forbids(const auto_holdings *h, const struct auto_held *held, const struct auto_holding *taken)
{
    for (size_t k = 0; k < h->len; k++) {
        const struct auto_holding *one = &h->data[k];
        bool is_held = one->what < AUTO_HELD_MAX && (held->counts[one->what] > 0 || held->tried[one->what]);
        if (is_held && same_object(one->of, taken->of) && !(taken->nests && one->what == taken->what))
            return true;
    }
    return false;
}

/* False: the thread must not make this call. */
static bool hold(const auto_holdings *h, struct auto_held *held, const struct auto_holding *one,
                 bool is_first)
{
    if (one->change == '-')
        return --held->counts[one->what] >= 0;
    if (is_first && forbids(h, held, one))
        return false;
    if (one->change == '+')
        held->counts[one->what]++, held->waits[one->what] = true;
    else
        held->tried[one->what] = true;
    return true;
}

static bool hold_one(const auto_holdings *h, struct auto_held *held, const char *name, size_t length,
                     bool is_first)
{
    for (size_t k = 0; k < h->len; k++) {
        const struct auto_holding *one = &h->data[k];
        if (strlen(one->name) != length || strncmp(one->name, name, length) != 0 ||
            one->what >= AUTO_HELD_MAX)
            continue;
        return hold(h, held, one, is_first);
    }
    return true;
}

bool auto_hold(const auto_holdings *h, struct auto_held *held, const char *calls)
{
    if (!h->len)
        return true;
    for (const char *at = calls, *end; *at; at = end + strspn(end, " ")) {
        end = auto_call_end(at);
        size_t length = strcspn(at, "( ");
        if (!hold_one(h, held, at, length < (size_t)(end - at) ? length : (size_t)(end - at), at == calls))
            return false;
    }
    return true;
}

static bool hold_row(const auto_holdings *h, struct auto_held *held, const auto_calls *calls,
                     const uint32_t *row, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        if (!auto_hold(h, held, calls->data[row[k]].text))
            return false;
    return true;
}

/* ------------------------------------------------------------------ readers behind writers */

/* The threads of a test, and what they hold in the end. The last one ran before the others. */
struct threads {
    struct auto_held held[AUTO_COLUMNS_MAX + 1];
    uint32_t count;
};

/* Those, as a set, that wait for the object: for this part of it, or for another one. */
static uint32_t waiting(const auto_holdings *h, const struct threads *t, const struct auto_holding *part,
                        bool for_this)
{
    uint32_t set = 0;
    for (size_t k = 0; k < h->len; k++) {
        const struct auto_holding *one = &h->data[k];
        bool counts = one->what < AUTO_HELD_MAX && same_object(one->of, part->of) &&
                      (one->what == part->what) == for_this;
        for (uint32_t c = 0; counts && c + 1 < t->count; c++)
            set |= (uint32_t)t->held[c].waits[one->what] << c;
    }
    return set;
}

/* May one thread keep a read lock, a second one wait for it to write, and a third one wait behind that to read? Locks that
 * prefer writers do so. */
static bool ends_behind_writer(const auto_holdings *h, const struct threads *t,
                               const struct auto_holding *part)
{
    uint32_t readers = waiting(h, t, part, true), writers = waiting(h, t, part, false);
    for (uint32_t c = 0; c < t->count; c++) {
        bool keeps = t->held[c].counts[part->what] > 0 || t->held[c].tried[part->what];
        uint32_t others = ~(UINT32_C(1) << c), both = (readers | writers) & others;
        if (keeps && readers & others && writers & others && both & (both - 1))
            return true;
    }
    return false;
}

static bool all_can_end(const auto_holdings *h, const struct threads *t)
{
    for (size_t k = 0; k < h->len; k++)
        if (h->data[k].shared && h->data[k].what < AUTO_HELD_MAX && ends_behind_writer(h, t, &h->data[k]))
            return false;
    return true;
}

/* ------------------------------------------------------------------ tests */

bool auto_test_holds(const auto_holdings *h, const struct auto_test *t, const auto_calls *calls)
{
    struct threads threads = {.count = t->columns + 1};
    for (uint32_t c = 0; c < t->columns; c++)
        if (!hold_row(h, &threads.held[c], calls, t->calls[c], t->rows[c]))
            return false;
    struct auto_held *ends = &threads.held[t->columns];
    return hold_row(h, ends, calls, t->init, t->init_count) && all_can_end(h, &threads) &&
           hold_row(h, ends, calls, t->final, t->final_count);
}

static bool hold_list(const auto_holdings *h, struct auto_held *held, const auto_list *list)
{
    for (size_t k = 0; k < list->len; k++)
        if (!auto_hold(h, held, list->data[k]))
            return false;
    return true;
}

bool auto_words_hold(const auto_holdings *h, const struct auto_words *w)
{
    struct threads threads = {.count = w->column_count + 1};
    for (uint32_t c = 0; c < w->column_count; c++)
        if (!hold_list(h, &threads.held[c], &w->columns[c]))
            return false;
    struct auto_held *ends = &threads.held[w->column_count];
    return hold_list(h, ends, &w->init) && all_can_end(h, &threads) && hold_list(h, ends, &w->final);
}
