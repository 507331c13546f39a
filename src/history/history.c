/* SPDX-License-Identifier: Apache-2.0 */
#include "history/history.h"

#include "base/check.h"

struct history *history_create(void)
{
    struct history *h = NEW(struct history);
    h->values = plumb_values_create();
    h->ops = rows_of(NULL, 0);
    return h;
}

void history_destroy(struct history *h)
{
    if (!h)
        return;
    for (size_t i = 0; i < h->op_names.len; i++)
        free(h->op_names.data[i]);
    vec_free(&h->op_names);
    rows_free(&h->ops);
    vec_free(&h->objects);
    vec_free(&h->object_names);
    vec_free(&h->thread_names);
    vec_free(&h->skipped_lines);
    vec_free(&h->lines);
    vec_free(&h->marks);
    hash_map_free(&h->thread_numbers);
    hash_map_free(&h->object_numbers);
    hash_map_free(&h->op_numbers);
    plumb_values_destroy(h->values);
    free(h);
}

uint32_t history_thread(struct history *h, plumb_value name)
{
    uint32_t *number = hash_map_at(&h->thread_numbers, name);
    if (*number == HASH_NO_NUMBER) {
        *number = (uint32_t)h->thread_names.len;
        vec_push(&h->thread_names, name);
    }
    return *number;
}

uint32_t history_object(struct history *h, plumb_value name)
{
    uint32_t *number = hash_map_at(&h->object_numbers, name);
    if (*number == HASH_NO_NUMBER) {
        *number = (uint32_t)h->object_names.len;
        vec_push(&h->object_names, name);
    }
    return *number;
}

uint16_t history_op_name(struct history *h, const char *name, size_t length)
{
    plumb_value key = plumb_string(h->values, name, length);
    uint32_t known = hash_map_get(&h->op_numbers, key);
    if (known != HASH_NO_NUMBER)
        return (uint16_t)known;
    if (h->op_names.len == HISTORY_NAMES_MAX)
        return HISTORY_NO_NAME;
    uint16_t number = (uint16_t)h->op_names.len;
    *hash_map_at(&h->op_numbers, key) = number;
    vec_push(&h->op_names, base_strndup(name, length));
    return number;
}

/* `objects` stays empty until an operation is on another object than number 0. */
static void add_object(struct history *h, uint32_t object)
{
    CHECK(object < h->object_names.len);
    if (h->objects.len == 0) {
        vec_reserve(&h->objects, h->ops.len + 1);
        for (size_t i = 0; i < h->ops.len; i++)
            h->objects.data[i] = 0;
        h->objects.len = h->ops.len;
    }
    vec_push(&h->objects, object);
}

void history_add(struct history *h, struct history_op op, uint32_t object)
{
    if (h->object_names.len == 0)
        history_object(h, PLUMB_NONE);
    if (object != 0 || h->objects.len)
        add_object(h, object);
    rows_push(&h->ops, &op);
}

/* Skipped line number i has skipped_lines[i] - 1 - i lines with an operation before it. */
uint64_t history_line(const struct history *h, size_t op)
{
    if (h->lines.len)
        return h->lines.data[op];
    size_t low = 0, high = h->skipped_lines.len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (h->skipped_lines.data[middle] - 1 - middle <= op)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint64_t)op + 1 + low;
}
