/* SPDX-License-Identifier: Apache-2.0 */
#include "autotest/auto_words.h"

#include <stdlib.h>
#include <string.h>

const char *auto_call_end(const char *at)
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
        const char *end = auto_call_end(at);
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
