/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/unseen_code.h"

#include "base/terminal.h"
#include "explain/program/explain_error.h"
#include "target/symbols/symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED = 12 }; /* functions of one library in a line for readers */

static int compare(const struct worker_unseen *a, const struct worker_unseen *b)
{
    int order = strcmp(a->library, b->library);
    return order ? order : strcmp(a->function, b->function);
}

static void add(struct unseen_code *u, struct worker_unseen found)
{
    const struct worker_unseen *one = &found;
    symbols_demangle(found.function, sizeof found.function);
    size_t place = 0;
    while (place < u->list.len && compare(&u->list.data[place], one) < 0)
        place++;
    if (place < u->list.len && compare(&u->list.data[place], one) == 0)
        return;
    vec_push(&u->list, *one);
    for (size_t k = u->list.len - 1; k > place; k--)
        u->list.data[k] = u->list.data[k - 1];
    u->list.data[place] = *one;
}

void unseen_take_foreign(struct unseen_code *u, struct foreign *f)
{
    for (size_t k = 0; k < f->functions.len; k++) {
        struct worker_unseen one = {.library = "the program"};
        snprintf(one.function, sizeof one.function, "%s", f->functions.data[k]);
        add(u, one);
    }
    foreign_free(f);
}

void unseen_set_record(struct unseen_code *u, const struct compiled *record)
{
    u->record = record;
}

/* Into a sorted list, which takes it over. */
static void add_name(struct unseen_names *list, char *found)
{
    size_t place = 0;
    while (place < list->len && strcmp(list->data[place], found) < 0)
        place++;
    if (place < list->len && strcmp(list->data[place], found) == 0) {
        free(found);
        return;
    }
    vec_push(list, found);
    for (size_t k = list->len - 1; k > place; k--)
        list->data[k] = list->data[k - 1];
    list->data[place] = found;
}

static void take_unwritten(struct unseen_code *u, const struct worker_shared *shared)
{
    for (uint32_t k = 0; k < shared->unwritten_count && k < PROTOCOL_UNWRITTEN; k++) {
        char *place = code_place(shared, shared->unwritten[k]);
        add_name(&u->unwritten, place ? place : strdup("a place without line"));
    }
    u->unwritten_lost |= shared->unwritten_lost != 0;
}

static void take_answers(struct unseen_code *u, const struct worker_shared *shared)
{
    const uint32_t room = sizeof shared->answers / sizeof *shared->answers;
    for (uint32_t k = 0; k < shared->answer_count && k < room; k++)
        add_name(&u->answers, strndup(shared->answers[k].name, sizeof shared->answers[k].name));
}

void unseen_add_worker(struct unseen_code *u, const struct worker_shared *shared)
{
    take_answers(u, shared);
    for (uint32_t k = 0; k < shared->unseen_count && k < PROTOCOL_UNSEEN; k++)
        add(u, shared->unseen[k]);
    u->lost |= shared->unseen_lost != 0;
    take_unwritten(u, shared);
}

/* Functions from `first` on that are of the same library. */
static size_t count_of_library(const struct unseen_code *u, size_t first)
{
    size_t end = first;
    while (end < u->list.len && strcmp(u->list.data[end].library, u->list.data[first].library) == 0)
        end++;
    return end - first;
}

/* Places from `first` on where there are accesses of the same kind. */
static size_t count_of_kind(const struct compiled *record, size_t first)
{
    size_t end = first;
    while (end < record->places.len &&
           strcmp(record->places.data[end].kind, record->places.data[first].kind) == 0)
        end++;
    return end - first;
}

/* "; structures that calls return at x.c:12, y.c:30" */
static void add_places(const struct compiled *record, const char *before, struct text *out)
{
    for (size_t first = 0; first < record->places.len;) {
        size_t count = count_of_kind(record, first);
        const struct compiled_place *place = &record->places.data[first];
        text_printf(out, "%s%s", first ? "; " : before, place->kind);
        for (size_t k = 0; k < count && k < NAMED; k++) {
            text_puts(out, k ? ", " : " at ");
            terminal_add_safe(out, place[k].file);
            text_printf(out, ":%lu", place[k].line);
        }
        if (count > NAMED)
            text_printf(out, " and %zu more", count - NAMED);
        first += count;
    }
}

static void add_unwritten_text(const struct unseen_code *u, struct text *out)
{
    const size_t named = 4, count = u->unwritten.len;
    for (size_t k = 0; k < count && k < named; k++) {
        text_puts(out, k ? ", " : "; reads memory that was never written at ");
        terminal_add_safe(out, u->unwritten.data[k]);
    }
    if (count > named || u->unwritten_lost)
        text_puts(out, " and at other places");
    text_puts(out, count ? " (--uninitialized=all)" : "");
}

bool unseen_is_called(const struct worker_unseen *one)
{
    return strcmp(one->function, WORKER_BEFORE_MAIN) != 0;
}

void unseen_add_functions(const struct unseen_code *u, struct text *out)
{
    for (size_t first = 0; first < u->list.len;) {
        size_t count = count_of_library(u, first);
        text_puts(out, first ? "; " : "; not examined: ");
        terminal_add_safe(out, u->list.data[first].library);
        for (size_t k = 0; k < count && k < NAMED; k++) {
            text_puts(out, k ? ", " : ": ");
            terminal_add_safe(out, u->list.data[first + k].function);
        }
        if (count > NAMED)
            text_printf(out, " and %zu more", count - NAMED);
        first += count;
    }
}

static void add_answers(const struct unseen_code *u, struct text *out)
{
    const size_t count = u->answers.len;
    for (size_t k = 0; k < count && k < NAMED; k++) {
        text_puts(out, k ? ", " : "; other answers of ");
        terminal_add_safe(out, u->answers.data[k]);
    }
    if (count > NAMED)
        text_printf(out, " and %zu more", count - NAMED);
    text_puts(out, count ? " not tried" : "");
}

void unseen_add_found(const struct unseen_code *u, struct text *out)
{
    add_unwritten_text(u, out);
    add_answers(u, out);
    unseen_add_functions(u, out);
    if (u->record)
        add_places(u->record, u->list.len ? "; " : "; not examined: ", out);
    if (u->lost)
        text_puts(out, "; and others");
}

void unseen_add_text(const struct unseen_code *u, struct text *out)
{
    OWNED char *unshown = u->record ? compiled_unshown(u->record, false) : NULL;
    unseen_add_found(u, out);
    if (unshown)
        text_printf(out, "; not examined %s", unshown);
}

static void add_places_json(const struct compiled *record, struct json_writer *w)
{
    if (!record || !record->places.len)
        return;
    JSON_ARRAY(w, "unannounced", k, record->places.len) {
        json_open_object(w);
        json_member(w, "access", record->places.data[k].kind);
        json_member(w, "file", record->places.data[k].file);
        json_key(w, "line"), json_uint(w, record->places.data[k].line);
        json_close_object(w);
    }
}

void unseen_add_json(const struct unseen_code *u, struct json_writer *w)
{
    add_places_json(u->record, w);
    if (u->unwritten.len)
        JSON_ARRAY(w, "unwritten", k, u->unwritten.len)
            json_string(w, u->unwritten.data[k]);
    if (!u->list.len)
        return;
    JSON_ARRAY(w, "unseen", k, u->list.len) {
        json_open_object(w);
        json_member(w, "library", u->list.data[k].library);
        json_member(w, "function", u->list.data[k].function);
        json_close_object(w);
    }
}

void unseen_free(struct unseen_code *u)
{
    for (size_t k = 0; k < u->unwritten.len; k++)
        free(u->unwritten.data[k]);
    vec_free(&u->unwritten);
    for (size_t k = 0; k < u->answers.len; k++)
        free(u->answers.data[k]);
    vec_free(&u->answers);
    vec_free(&u->list);
}
