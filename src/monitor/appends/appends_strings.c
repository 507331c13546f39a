/* SPDX-License-Identifier: Apache-2.0 */
/* The strings that are put or appended, sorted: all of them that a text begins with are found by one binary search,
 * because the greatest one that is not after the text has them as its prefixes. */
#include "monitor/appends/appends_run.h"

#include "base/sort.h"

const char *appends_written(const struct appends_run *run, uint32_t op, uint32_t *length)
{
    size_t bytes = 0;
    *length = 0;
    if (op == run->initial)
        return "";
    const char *text = plumb_string_of(run->p->history->values, part_payload(run->p, op), &bytes);
    *length = (uint32_t)bytes;
    return text;
}

static int compare_bytes(const char *a, uint32_t a_length, const char *b, uint32_t b_length)
{
    int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
    return order ? order : (a_length > b_length) - (a_length < b_length);
}

/* Operations with what they write, sorted by that and by call. */
static uint32_t list_written(const struct appends_run *run, enum appends_kind kind, struct sort_text *list,
                             size_t *common)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i <= run->count; i++)
        if (run->kind[i] == kind) {
            struct sort_text *w = &list[count++];
            w->bytes = appends_written(run, i, &w->length);
            w->item = i;
            w->tie = run->call[i];
        }
    *common = sort_texts(list, count);
    return count;
}

static bool begins_with(const struct appends_text *t, const char *bytes, uint32_t length)
{
    return t->length <= length && !memcmp(t->bytes, bytes, t->length);
}

/* The text before it, and what that begins with, are all that can be its prefixes. */
static uint32_t find_parent(const struct appends_strings *s, uint32_t text)
{
    uint32_t k = text ? text - 1 : NONE;
    while (k != NONE && !begins_with(&s->texts[k], s->texts[text].bytes, s->texts[text].length))
        k = s->texts[k].parent;
    return k;
}

static bool has_nested_writers(const struct appends_run *run, const uint32_t *writers, uint32_t count)
{
    for (uint32_t k = 1; k < count; k++)
        if (run->ret[writers[k]] < run->ret[writers[k - 1]])
            return true;
    return false;
}

static bool is_same_text(const struct sort_text *a, const struct sort_text *b)
{
    return a->length == b->length && !memcmp(a->bytes, b->bytes, a->length);
}

void appends_strings_make(struct appends_run *run, struct appends_strings *s, enum appends_kind kind)
{
    OWNED struct sort_text *list = NEW_ARRAY(struct sort_text, run->count + 1);
    uint32_t count = list_written(run, kind, list, &s->common);
    s->writers = NEW_ARRAY(uint32_t, count);
    s->texts = NEW_ARRAY(struct appends_text, count + 1);
    s->heads = NEW_ARRAY(uint64_t, count);
    for (uint32_t k = 0; k < count; k++) {
        s->writers[k] = list[k].item;
        if (k && is_same_text(&list[k - 1], &list[k]))
            continue;
        s->texts[s->count] =
            (struct appends_text){.bytes = list[k].bytes, .length = list[k].length, .first = k};
        s->heads[s->count] = list[k].head;
        s->texts[s->count].parent = find_parent(s, s->count);
        s->count++;
    }
    s->texts[s->count] = (struct appends_text){.first = count};
    for (uint32_t t = 0; t < s->count; t++)
        s->texts[t].nested =
            has_nested_writers(run, s->writers + s->texts[t].first, appends_writer_count(s, t));
}

void appends_strings_free(struct appends_strings *s)
{
    free(s->texts);
    free(s->heads);
    free(s->writers);
}

/* Is text number k not after these bytes, which have this head? */
static bool is_not_after(const struct appends_strings *s, uint32_t k, const char *bytes, uint32_t length,
                         uint64_t head)
{
    const struct appends_text *t = &s->texts[k];
    return s->heads[k] != head ? s->heads[k] < head : compare_bytes(t->bytes, t->length, bytes, length) <= 0;
}

uint32_t appends_longest_prefix(const struct appends_strings *s, const char *bytes, uint32_t length)
{
    uint32_t low = 0, high = s->count;
    if (!s->count || length < s->common || memcmp(bytes, s->texts[0].bytes, s->common) != 0)
        return NONE;
    uint64_t head = sort_head(bytes, length, s->common);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (is_not_after(s, middle, bytes, length, head))
            low = middle + 1;
        else
            high = middle;
    }
    uint32_t k = low ? low - 1 : NONE;
    while (k != NONE && !begins_with(&s->texts[k], bytes, length))
        k = s->texts[k].parent;
    return k;
}
