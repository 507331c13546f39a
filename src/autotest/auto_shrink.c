/* SPDX-License-Identifier: Apache-2.0 */
#include "autotest/auto_shrink.h"

#include "base/budget.h"
#include "base/interruption.h"

#include <stdlib.h>
#include <string.h>

struct shrinking {
    struct auto_words *w;
    const auto_holdings *holdings; /* null: the test does not keep to them */
    const struct auto_runner *runner;
    struct auto_shrinking done;
    bool progress;
};

static bool is_late(const struct shrinking *s)
{
    return interruption_came() || (s->runner->deadline > 0 && base_now() > s->runner->deadline);
}

static bool still_fails(struct shrinking *s)
{
    size_t calls = 0;
    for (uint32_t c = 0; c < s->w->column_count; c++)
        calls += s->w->columns[c].len;
    bool late = is_late(s);
    s->done.cut |= calls && late;
    if (!calls || late || (s->holdings && !auto_words_hold(s->holdings, s->w)))
        return false;
    char *text = auto_words_text(s->w);
    s->done.tried++;
    bool fails = auto_run_one(s->runner, text).verdict == VERDICT_VIOLATED;
    s->done.cut |= !fails && is_late(s);
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

/* Which of the values matter? */
static bool shrink_values(struct shrinking *s, auto_list *list, const auto_list *usual)
{
    bool needed = false;
    for (size_t i = 0; i < list->len && i < usual->len; i++) {
        char *unusual = list->data[i];
        if (strcmp(unusual, usual->data[i]) == 0)
            continue;
        list->data[i] = usual->data[i];
        bool fails = still_fails(s);
        list->data[i] = fails ? strdup(usual->data[i]) : unusual;
        if (fails)
            free(unusual);
        needed |= !fails;
    }
    return needed;
}

bool auto_shrink_values(struct auto_words *w, const struct auto_words *usual,
                        const struct auto_runner *runner)
{
    struct shrinking s = {.w = w, .runner = runner};
    bool needed = shrink_values(&s, &w->init, &usual->init);
    for (uint32_t c = 0; c < w->column_count; c++)
        needed |= shrink_values(&s, &w->columns[c], &usual->columns[c]);
    return shrink_values(&s, &w->final, &usual->final) || needed;
}

struct auto_shrinking auto_shrink(struct auto_words *w, const auto_holdings *holdings,
                                  const struct auto_runner *runner)
{
    struct shrinking s = {
        .w = w, .holdings = auto_words_hold(holdings, w) ? holdings : NULL, .runner = runner};
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
