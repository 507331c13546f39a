/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json_parts.h"

#include "base/hash.h"
#include "base/vec.h"

#include <stdio.h>
#include <string.h>

/* JavaScript's numbers are exact up to here. */
static const int64_t EXACT = (int64_t)1 << 53;

static bool is_exact(int64_t stamp)
{
    return stamp >= -EXACT && stamp <= EXACT;
}

static bool stamps_are_exact(const struct report_history *h)
{
    for (size_t i = 0; i < h->count; i++)
        if (!is_exact(h->ops[i].call) || (!h->ops[i].pending && !is_exact(h->ops[i].ret)))
            return false;
    return true;
}

static void add_stamp(struct json_writer *w, int64_t stamp, bool exact)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%lld", (long long)stamp);
    if (exact)
        json_raw(w, digits);
    else
        json_string(w, digits);
}

static void add_stamps(struct json_writer *w, const struct report_history *h)
{
    bool exact = stamps_are_exact(h);
    JSON_ARRAY(w, "called", i, h->count)
        add_stamp(w, h->ops[i].call, exact);
    JSON_ARRAY(w, "returned", i, h->count)
        if (h->ops[i].pending)
            json_null(w);
        else
            add_stamp(w, h->ops[i].ret, exact);
}

static void add_positions(struct json_writer *w, const char *name, const uint32_t *positions, size_t count)
{
    JSON_ARRAY(w, name, i, count)
        json_int(w, positions[i] == REPORT_NEVER ? -1 : (int64_t)positions[i]);
}

/* Threads are numbered as they are met; their names stand beside. */
static void add_threads(struct json_writer *w, const struct report_history *h)
{
    struct hash_map numbers = {0};
    VEC(const char *) names = {0};
    JSON_ARRAY(w, "thread", i, h->count) {
        uint32_t *number = hash_map_at(&numbers, h->ops[i].thread_name);
        if (*number == HASH_NO_NUMBER) {
            *number = (uint32_t)names.len;
            vec_push(&names, h->ops[i].thread);
        }
        json_uint(w, *number);
    }
    JSON_ARRAY(w, "threads", i, names.len)
        json_string(w, names.data[i]);
    vec_free(&names);
    hash_map_free(&numbers);
}

static void add_bands(struct json_writer *w, const struct report_history *h)
{
    JSON_ARRAY(w, "bands", i, h->band_count) {
        json_open_object(w);
        json_key(w, "from"), json_uint(w, h->bands[i].from);
        json_key(w, "to"), json_uint(w, h->bands[i].to);
        json_member(w, "label", h->bands[i].label);
        json_close_object(w);
    }
}

static void add_order(struct json_writer *w, const struct report_order *o)
{
    json_open_object(w);
    json_member(w, "initial", o->initial);
    JSON_ARRAY(w, "order", i, o->count)
        json_uint(w, o->ops[i]);
    json_key(w, "states"), json_open_array(w);
    for (size_t i = 0; o->states && i < o->count; i++)
        json_string(w, o->states[i]);
    json_close_array(w);
    json_close_object(w);
}

void json_add_history(struct json_writer *w, const struct report_history *h)
{
    json_key(w, "timeline"), json_open_object(w);
    JSON_ARRAY(w, "id", i, h->count)
        json_uint(w, h->ops[i].id);
    JSON_ARRAY(w, "line", i, h->count)
        json_uint(w, h->ops[i].line);
    add_threads(w, h);
    add_positions(w, "call", h->call, h->count);
    add_positions(w, "ret", h->ret, h->count);
    add_stamps(w, h);
    JSON_ARRAY(w, "label", i, h->count)
        json_string(w, h->ops[i].label);
    add_bands(w, h);
    JSON_ARRAY(w, "orders", i, h->order_count)
        add_order(w, &h->orders[i]);
    json_key(w, "left_out"), json_uint(w, h->left_out);
    json_close_object(w);
}
