/* SPDX-License-Identifier: Apache-2.0 */
#include "autotest/auto_shrink.h"

#include "base/budget.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ words */

/* A call ends at the first space outside of parentheses and texts. */
static const char *call_end(const char *at)
{
    int depth = 0;
    char quote = 0;
    for (; *at; at++) {
        if (quote && *at == '\\' && at[1])
            at++;
        else if (quote ? *at == quote : *at == '"' || *at == '\'')
            quote = quote ? 0 : *at;
        else if (!quote && *at == '(')
            depth++;
        else if (!quote && *at == ')')
            depth--;
        else if (!quote && depth <= 0 && *at == ' ')
            break;
    }
    return at;
}

static void add_words(auto_list *list, const char *at)
{
    while (at && *at) {
        const char *end = call_end(at);
        if (end > at)
            vec_push(list, strndup(at, (size_t)(end - at)));
        at = *end ? end + 1 : end;
    }
}

void auto_words_of(struct auto_words *w, const struct auto_test *t, const auto_calls *calls, const char *init,
                   const char *final)
{
    struct text all = {0};
    *w = (struct auto_words){.column_count = t->columns};
    auto_print_test(&all, t, calls);
    auto_list words = {0};
    add_words(&words, all.data); /* as they are printed: open arguments are numbered through */
    text_free(&all);
    uint32_t column = 0, arrows = t->init_count || t->final_count ? 0 : 1;
    for (size_t i = 0; i < words.len; i++) {
        bool arrow = strcmp(words.data[i], "=>") == 0, bar = strcmp(words.data[i], "|") == 0;
        arrows += arrow;
        column += bar;
        auto_list *list = arrows == 0 ? &w->init : arrows == 1 ? &w->columns[column] : &w->final;
        if (arrow || bar)
            free(words.data[i]);
        else
            vec_push(list, words.data[i]);
    }
    vec_free(&words);
    add_words(&w->init, init);
    add_words(&w->final, final);
}

static void free_words(auto_list *list)
{
    for (size_t i = 0; i < list->len; i++)
        free(list->data[i]);
    vec_free(list);
}

void auto_words_free(struct auto_words *w)
{
    for (uint32_t c = 0; c < AUTO_COLUMNS_MAX; c++)
        free_words(&w->columns[c]);
    free_words(&w->init);
    free_words(&w->final);
}

static void print_words(struct text *out, const auto_list *list)
{
    for (size_t i = 0; i < list->len; i++)
        text_printf(out, "%s%s", i ? " " : "", list->data[i]);
}

char *auto_words_text(const struct auto_words *w)
{
    struct text t = {0};
    bool first = true;
    text_puts(&t, "");
    print_words(&t, &w->init);
    if (w->init.len || w->final.len)
        text_puts(&t, w->init.len ? " => " : "=> ");
    for (uint32_t c = 0; c < w->column_count; c++) {
        if (!w->columns[c].len)
            continue;
        text_puts(&t, first ? "" : " | ");
        first = false;
        print_words(&t, &w->columns[c]);
    }
    if (w->final.len)
        text_puts(&t, " => ");
    print_words(&t, &w->final);
    return text_take(&t);
}

/* ------------------------------------------------------------------ shrinking */

struct shrinking {
    struct auto_words *w;
    const struct auto_runner *runner;
    struct auto_shrinking done;
    bool progress;
};

static bool still_fails(struct shrinking *s)
{
    size_t calls = 0;
    for (uint32_t c = 0; c < s->w->column_count; c++)
        calls += s->w->columns[c].len;
    bool late = s->runner->deadline && base_now() > s->runner->deadline;
    s->done.cut |= calls && late;
    if (!calls || late)
        return false;
    char *text = auto_words_text(s->w);
    s->done.tried++;
    bool fails = auto_run_one(s->runner, text).verdict == VERDICT_VIOLATED;
    s->done.cut |= !fails && s->runner->deadline && base_now() > s->runner->deadline;
    free(text);
    return fails;
}

/* Leaves out each call of the list without which it still fails; the last ones first. */
static void shrink_list(struct shrinking *s, auto_list *list)
{
    for (size_t i = list->len; i-- > 0;) {
        char *left_out = list->data[i];
        memmove(&list->data[i], &list->data[i + 1], (list->len - i - 1) * sizeof(char *));
        list->len--;
        if (still_fails(s)) {
            free(left_out);
            s->progress = true;
            continue;
        }
        memmove(&list->data[i + 1], &list->data[i], (list->len - i) * sizeof(char *));
        list->data[i] = left_out;
        list->len++;
    }
}

/* A whole thread at once is often what can go when no single operation can. */
static void shrink_threads(struct shrinking *s)
{
    for (uint32_t c = s->w->column_count; c-- > 0;) {
        size_t len = s->w->columns[c].len;
        if (len < 2)
            continue;
        s->w->columns[c].len = 0;
        if (still_fails(s)) {
            for (size_t i = 0; i < len; i++)
                free(s->w->columns[c].data[i]);
            s->progress = true;
        } else {
            s->w->columns[c].len = len;
        }
    }
}

struct auto_shrinking auto_shrink(struct auto_words *w, const struct auto_runner *runner)
{
    struct shrinking s = {.w = w, .runner = runner};
    do {
        s.progress = false;
        shrink_threads(&s);
        for (uint32_t c = w->column_count; c-- > 0;)
            shrink_list(&s, &w->columns[c]);
        shrink_list(&s, &w->final);
        shrink_list(&s, &w->init);
    } while (s.progress);
    return s.done;
}
