/* SPDX-License-Identifier: Apache-2.0 */
#include "orders/order_patch.h"

#include "orders/source_call.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ------------------------------------------------------------------ edits */

static int compare_edits(const void *x, const void *y)
{
    const struct source_edit *a = x, *b = y;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return (a->to > b->to) - (a->to < b->to);
}

/* Two sites may want the same change, such as those of one call in two functions; false: they want different ones. */
static bool are_compatible(const source_edits *edits)
{
    for (size_t k = 1; k < edits->len; k++) {
        const struct source_edit *a = &edits->data[k - 1], *b = &edits->data[k];
        bool same = a->from == b->from && a->to == b->to && strcmp(a->text, b->text) == 0;
        if (b->from < a->to && !same)
            return false;
        if (b->from == a->from && !same)
            return false;
    }
    return true;
}

static void apply(const struct text *source, const source_edits *edits, struct text *out)
{
    size_t done = 0;
    for (size_t k = 0; k < edits->len; k++) {
        const struct source_edit *e = &edits->data[k];
        if (e->from < done)
            continue; /* the same again */
        text_add(out, source->data + done, e->from - done);
        text_puts(out, e->text);
        done = e->to;
        if (e->from == e->to && k + 1 < edits->len && compare_edits(e, e + 1) == 0)
            k++; /* an insertion that is wanted twice */
    }
    text_add(out, source->data + done, source->len - done);
}

/* ------------------------------------------------------------------ the diff of one file */

typedef VEC(struct line {
    const char *at;
    size_t length;
    bool ends;
}) line_list;

static void split(const struct text *t, line_list *lines)
{
    for (size_t at = 0; at < t->len;) {
        const char *end = memchr(t->data + at, '\n', t->len - at);
        size_t length = end ? (size_t)(end - t->data) - at : t->len - at;
        vec_push(lines, ((struct line){t->data + at, length, end != NULL}));
        at += length + (end != NULL);
    }
}

static bool same_line(const struct line *a, const struct line *b)
{
    return a->length == b->length && memcmp(a->at, b->at, a->length) == 0;
}

static void add_line(struct text *out, char sign, const struct line *l)
{
    text_add(out, &sign, 1);
    text_add(out, l->at, l->length);
    text_puts(out, l->ends ? "\n" : "\n\\ No newline at end of file\n");
}

/* Edits stay within lines: both have as many. A hunk ends where more than two contexts of equal lines follow. */
static void add_hunk(struct text *out, const line_list *old, const line_list *new, size_t from, size_t to)
{
    text_printf(out, "@@ -%zu,%zu +%zu,%zu @@\n", from + 1, to - from, from + 1, to - from);
    for (size_t k = from, next; k < to; k = next) {
        next = k + 1;
        if (same_line(&old->data[k], &new->data[k])) {
            add_line(out, ' ', &old->data[k]);
            continue;
        }
        while (next < to && !same_line(&old->data[next], &new->data[next]))
            next++;
        for (size_t i = k; i < next; i++)
            add_line(out, '-', &old->data[i]);
        for (size_t i = k; i < next; i++)
            add_line(out, '+', &new->data[i]);
    }
}

static void add_hunks(struct text *out, const line_list *old, const line_list *new)
{
    enum { CONTEXT = 3 };
    size_t count = old->len;
    for (size_t k = 0; k < count; k++) {
        if (same_line(&old->data[k], &new->data[k]))
            continue;
        size_t from = k > CONTEXT ? k - CONTEXT : 0, last = k;
        for (size_t i = k; i < count && i <= last + 2 * CONTEXT; i++)
            if (!same_line(&old->data[i], &new->data[i]))
                last = i;
        size_t to = last + CONTEXT + 1 < count ? last + CONTEXT + 1 : count;
        add_hunk(out, old, new, from, to);
        k = last;
    }
}

static void add_diff(struct text *out, const char *name, const struct text *source,
                     const struct text *changed)
{
    line_list old = {0}, new = {0};
    split(source, &old);
    split(changed, &new);
    text_printf(out, "--- a/%s\n+++ b/%s\n", name, name);
    if (old.len == new.len)
        add_hunks(out, &old, &new);
    vec_free(&old);
    vec_free(&new);
}

/* ------------------------------------------------------------------ where it applies */

/* How much of a and b is the same, up to and with a '/'. */
static size_t common_folder(const char *a, const char *b)
{
    size_t same = 0;
    for (size_t k = 0; a[k] && a[k] == b[k]; k++)
        if (a[k] == '/')
            same = k + 1;
    return same;
}

/* The folder of a git repository, if that is the folder or around it. */
static size_t repository_of(const char *path, size_t folder)
{
    for (size_t at = folder; at > 0; at--) {
        struct text git = {0};
        if (path[at - 1] != '/')
            continue;
        text_printf(&git, "%.*s.git", (int)at, path);
        bool found = access(git.data, F_OK) == 0;
        text_free(&git);
        if (found)
            return at;
    }
    return folder;
}

static void add_absolute(struct text *out, const char *file)
{
    char *folder = *file == '/' ? NULL : getcwd(NULL, 0);
    text_printf(out, "%s%s%s", folder ? folder : "", folder ? "/" : "", file);
    free(folder);
}

/* Nothing, if all files are in the working folder; else the repository that has them, or the folder that they have in common. */
static void find_root(const struct order_sites *s, const uint8_t *orders, struct text *root)
{
    bool outside = false;
    for (size_t k = 0; k < s->all.len; k++)
        outside |= orders[k] != ORDER_PLAIN && *s->all.data[k].file == '/';
    for (size_t k = 0; outside && k < s->all.len; k++) {
        struct text path = {0};
        if (orders[k] == ORDER_PLAIN)
            continue;
        add_absolute(&path, s->all.data[k].file);
        if (!root->len)
            text_printf(root, "%.*s/", (int)(strrchr(path.data, '/') - path.data), path.data);
        root->len = common_folder(root->data, path.data);
        root->data[root->len] = 0;
        text_free(&path);
    }
    if (root->len) {
        root->len = repository_of(root->data, root->len);
        root->data[root->len] = 0;
    }
}

/* ------------------------------------------------------------------ all files */

static void leave_out(struct text *out, const struct order_site *site, unsigned order, const char *why)
{
    order_site_add_name(site, out);
    text_printf(out, " %s -> %s: %s\n", order_word(site->order), order_word(order), why);
}

/* The site of the same call that says the other order of a comparison. */
static unsigned wanted_order(const struct order_sites *s, const uint8_t *orders, size_t site)
{
    return orders[site] == ORDER_PLAIN ? s->all.data[site].order : orders[site];
}

typedef VEC(size_t) places;

/* Where the sites of the file stand, but for those at the place of site k. */
static places find_others(const struct order_sites *s, size_t from, size_t to, size_t k,
                          const struct text *source)
{
    places others = {0};
    size_t at;
    for (size_t i = from; i < to; i++)
        if ((s->all.data[i].line != s->all.data[k].line || s->all.data[i].column != s->all.data[k].column) &&
            source_call_find(source, s->all.data[i].line, s->all.data[i].column, &at))
            vec_push(&others, at);
    return others;
}

static void collect(const struct order_sites *s, const uint8_t *orders, size_t k, const struct text *source,
                    const places *others, source_edits *edits, struct text *left_out)
{
    const struct order_site *site = &s->all.data[k];
    bool cas = site->kind == ATOMIC_CAS;
    size_t first = site->failure ? k - 1 : k; /* success and failure are neighbours */
    struct source_wish wish = {.kind = site->kind,
                               .line = site->line,
                               .column = site->column,
                               .order = wanted_order(s, orders, first),
                               .failure = cas ? wanted_order(s, orders, first + 1) : ORDER_PLAIN,
                               .written = s->all.data[first].order,
                               .written_failure = cas ? s->all.data[first + 1].order : ORDER_PLAIN,
                               .others = others->data,
                               .other_count = others->len};
    if (cas && site->failure && orders[first] != ORDER_PLAIN)
        return; /* done with the other */
    const char *why = source_call_change(source, &wish, edits);
    if (why)
        leave_out(left_out, site, orders[k], why);
}

static void add_named_diff(struct order_patch *p, const char *file, const struct text *source,
                           const struct text *changed)
{
    struct text path = {0};
    if (p->root.len)
        add_absolute(&path, file);
    add_diff(&p->diff, p->root.len ? path.data + p->root.len : file, source, changed);
    text_free(&path);
}

static void patch_file(const struct order_sites *s, const uint8_t *orders, size_t from, size_t to,
                       struct order_patch *p)
{
    const char *file = s->all.data[from].file;
    struct text source = {0}, changed = {0};
    source_edits edits = {0};
    bool readable = text_add_file(&source, file);
    for (size_t k = from; k < to; k++)
        if (orders[k] != ORDER_PLAIN && !readable)
            leave_out(&p->left_out, &s->all.data[k], orders[k], "the file cannot be read");
        else if (orders[k] != ORDER_PLAIN) {
            places others = find_others(s, from, to, k, &source);
            collect(s, orders, k, &source, &others, &edits, &p->left_out);
            vec_free(&others);
        }
    if (edits.len) {
        qsort(edits.data, edits.len, sizeof *edits.data, compare_edits);
        apply(&source, &edits, &changed);
    }
    if (edits.len && are_compatible(&edits))
        add_named_diff(p, file, &source, &changed);
    else if (edits.len)
        text_printf(&p->left_out, "%s: one place would need several orders\n", file);
    for (size_t k = 0; k < edits.len; k++)
        free(edits.data[k].text);
    vec_free(&edits);
    text_free(&source);
    text_free(&changed);
}

void order_patch_make(struct order_patch *p, const struct order_sites *s, const uint8_t *orders)
{
    find_root(s, orders, &p->root);
    for (size_t k = 0, next; k < s->all.len; k = next) {
        bool any = false;
        for (next = k; next < s->all.len && strcmp(s->all.data[next].file, s->all.data[k].file) == 0; next++)
            any |= orders[next] != ORDER_PLAIN;
        if (any)
            patch_file(s, orders, k, next, p);
    }
}

void order_patch_free(struct order_patch *p)
{
    text_free(&p->diff);
    text_free(&p->root);
    text_free(&p->left_out);
}
