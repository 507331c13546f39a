/* SPDX-License-Identifier: Apache-2.0 */
/* Writing: histories are gathered by what each operation answered. */
#include "spec/serial/observations.h"

#include "base/text.h"
#include "history/value_text.h"

#include <string.h>

/* Histories with the same answers. `key` has the answers of each thread; of an operation that waits PLUMB_ANY. */
struct group {
    uint64_t hash;
    plumb_value *key;
    uint32_t next;
    struct text histories; /* as they are printed */
};

struct writer {
    const struct serials *s;
    size_t ops;       /* of all threads */
    plumb_value *key; /* PLUMB_ANY - 1: not called */
    uint32_t *done;   /* operations of each thread so far */
    VEC(struct group) groups;
    struct hash_map numbers;
};

#define NOT_CALLED (PLUMB_ANY | 1 << 8) /* no value */

static size_t first_of(const struct serials *s, uint32_t thread)
{
    size_t first = 0;
    for (uint32_t t = 0; t < thread; t++)
        first += s->threads.data[t].ops.len;
    return first;
}

static struct group *find_group(struct writer *w)
{
    size_t size = w->ops * sizeof *w->key;
    uint64_t hash = hash_bytes(w->key, size);
    uint32_t *first = hash_map_at(&w->numbers, hash), k = *first;
    while (k != HASH_NO_NUMBER && memcmp(w->groups.data[k].key, w->key, size) != 0)
        k = w->groups.data[k].next;
    if (k != HASH_NO_NUMBER)
        return &w->groups.data[k];
    struct group g = {.hash = hash, .key = NEW_ARRAY(plumb_value, w->ops), .next = *first};
    memcpy(g.key, w->key, size);
    vec_push(&w->groups, g);
    *first = (uint32_t)w->groups.len - 1;
    return &vec_last(&w->groups);
}

/* Numbers are those within the group: of the operations that were called, by thread. */
static uint32_t number_of(const plumb_value *key, size_t op)
{
    uint32_t number = 1;
    for (size_t i = 0; i < op; i++)
        number += key[i] != NOT_CALLED;
    return number;
}

static void gather(void *context, const struct serial_step *steps, size_t count, uint32_t waiting)
{
    struct writer *w = context;
    for (size_t i = 0; i < w->ops; i++)
        w->key[i] = NOT_CALLED;
    memset(w->done, 0, w->s->threads.len * sizeof *w->done);
    for (size_t i = 0; i < count; i++)
        w->key[first_of(w->s, steps[i].thread) + w->done[steps[i].thread]++] = steps[i].result;
    if (waiting != SERIAL_NO_THREAD)
        w->key[first_of(w->s, waiting) + w->done[waiting]] = PLUMB_ANY;
    struct group *g = find_group(w);
    struct text *out = &g->histories;
    size_t waits_at = waiting != SERIAL_NO_THREAD ? first_of(w->s, waiting) + w->done[waiting] : 0;
    memset(w->done, 0, w->s->threads.len * sizeof *w->done);
    text_puts(out, "    <history>");
    for (size_t i = 0; i < count; i++) {
        uint32_t n = number_of(w->key, first_of(w->s, steps[i].thread) + w->done[steps[i].thread]++);
        text_printf(out, "%s%u[ ]%u", i ? " " : "", n, n);
    }
    if (waiting != SERIAL_NO_THREAD)
        text_printf(out, "%s%u[ #", count ? " " : "", number_of(w->key, waits_at));
    text_puts(out, "</history>\n");
}

static void add_escaped(struct text *out, const char *s)
{
    for (; *s; s++)
        switch (*s) {
        case '<': text_puts(out, "&lt;"); break;
        case '>': text_puts(out, "&gt;"); break;
        case '&': text_puts(out, "&amp;"); break;
        case '"': text_puts(out, "&quot;"); break;
        default: text_add(out, s, 1);
        }
}

static void add_value(struct text *out, const char *word, const struct plumb_values *values, plumb_value v)
{
    OWNED struct text plain = {0};
    value_print(&plain, values, v);
    text_printf(out, "%s=\"", word);
    add_escaped(out, plain.data);
    text_puts(out, "\"");
}

void observations_add_op(struct text *out, const struct plumb_values *values, uint32_t number,
                         const struct serial_op *op, plumb_value answer)
{
    bool has_result = answer != PLUMB_OK && answer != PLUMB_ANY, has_value = op->arg != PLUMB_OK;
    text_printf(out, "<op id=\"%u\" name=\"", number);
    add_escaped(out, op->name);
    text_puts(out, has_result || has_value ? "\">" : "\" />\n");
    if (has_value)
        add_value(out, "value", values, op->arg);
    if (has_value && has_result)
        text_puts(out, " ");
    if (has_result)
        add_value(out, "result", values, answer);
    if (has_result || has_value)
        text_puts(out, "</op>\n");
}

void observations_add_thread_name(struct text *out, uint32_t name)
{
    if (name == 0)
        text_puts(out, "init");
    else if (name <= 26)
        text_printf(out, "%c", 'A' + (char)(name - 1));
    else
        text_printf(out, "T%u", name);
}

static void write_group(FILE *out, const struct writer *w, const struct group *g)
{
    OWNED struct text threads = {0}, ops = {0};
    uint32_t number = 1;
    size_t i = 0;
    for (uint32_t t = 0; t < w->s->threads.len; t++) {
        const struct serial_thread *thread = &w->s->threads.data[t];
        text_puts(&threads, "    <thread id=\"");
        observations_add_thread_name(&threads, thread->name);
        text_puts(&threads, "\">");
        for (size_t k = 0; k < thread->ops.len; k++, i++) {
            if (g->key[i] == NOT_CALLED)
                continue;
            text_printf(&threads, "%s%u%s", k ? " " : "", number, g->key[i] == PLUMB_ANY ? "B" : "");
            text_puts(&ops, "    ");
            observations_add_op(&ops, w->s->values, number++, &thread->ops.data[k], g->key[i]);
        }
        text_puts(&threads, "</thread>\n");
    }
    fprintf(out, "  <observation>\n%s%s%s  </observation>\n", threads.data ? threads.data : "",
            ops.data ? ops.data : "", g->histories.data);
}

void observations_write(FILE *out, const struct serials *s)
{
    struct writer w = {.s = s, .ops = first_of(s, (uint32_t)s->threads.len)};
    w.key = NEW_ARRAY(plumb_value, w.ops + 1);
    w.done = NEW_ARRAY(uint32_t, s->threads.len + 1);
    serials_visit(s, gather, &w);
    fputs("<observationset>\n", out);
    for (size_t i = 0; i < w.groups.len; i++) {
        write_group(out, &w, &w.groups.data[i]);
        text_free(&w.groups.data[i].histories);
        free(w.groups.data[i].key);
    }
    fputs("</observationset>\n", out);
    vec_free(&w.groups);
    hash_map_free(&w.numbers);
    free(w.key);
    free(w.done);
}
