/* SPDX-License-Identifier: Apache-2.0 */
/* The text with its edits. After each, a line marker leads back to the user's line and column. */
#include "annotate/annotate_unit.h"

#include <string.h>

struct emitter *edit_at(struct edits *edits, size_t begin, size_t end)
{
    vec_push(&edits->list, ((struct edit){.begin = begin, .end = end, .order = edits->list.len}));
    return &vec_last(&edits->list).with;
}

static int compare_edits(const void *a, const void *b)
{
    const struct edit *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

static void copy_newlines(struct text *out, const char *bytes, size_t length)
{
    for (const char *at = bytes; (at = memchr(at, '\n', (size_t)(bytes + length - at))); at++)
        text_puts(out, "\n");
}

/* The user's text, without the lines that list macros. */
static void copy_text(struct unit *u, size_t begin, size_t end, size_t *line)
{
    struct text *out = &u->result->text;
    while (begin < end) {
        while (*line < u->macros.tokens.len && unit_token(u, u->macros.tokens.data[*line])->at < begin)
            ++*line;
        const struct token *skipped =
            *line < u->macros.tokens.len ? unit_token(u, u->macros.tokens.data[*line]) : NULL;
        size_t until = skipped && skipped->at < end ? skipped->at : end;
        text_add(out, u->scan.bytes + begin, until - begin);
        if (until < end)
            copy_newlines(out, u->scan.bytes + skipped->at, skipped->length);
        begin = until < end ? skipped->at + skipped->length : end;
    }
}

void edits_apply(struct unit *u, struct edits *edits)
{
    size_t at = 0, line = 0;
    qsort(edits->list.data, edits->list.len, sizeof *edits->list.data, compare_edits);
    for (size_t i = 0; i < edits->list.len; i++) {
        struct edit *e = &edits->list.data[i];
        copy_text(u, at, e->begin, &line);
        at = e->end;
        struct place back = scan_place(&u->scan, e->end);
        emit_resume(&e->with, &back);
        text_puts(&u->result->text, "\n");
        text_add(&u->result->text, e->with.out.data, e->with.out.len);
        text_free(&e->with.out);
    }
    copy_text(u, at, u->scan.length, &line);
    vec_free(&edits->list);
}

/* --- points -------------------------------------------------------------------------------------- */

static const char *kind_of(enum word word)
{
    switch (word) {
    case WORD_POTENTIAL: return "PLUMB_POINT_POTENTIAL";
    case WORD_CHECK: return "PLUMB_POINT_CHECK";
    case WORD_LABEL_CHECK: return "PLUMB_POINT_LABEL_CHECK";
    default: return "PLUMB_POINT_CLEAR";
    }
}

static void emit_name(struct emitter *e, const char *name)
{
    if (name)
        text_printf(&e->out, "\"%s\", ", name);
    else
        text_puts(&e->out, "0, ");
}

/* All points of a comment share its edit. */
static struct emitter *edit_of_comment(struct edits *edits, size_t begin, size_t end)
{
    if (edits->list.len > 0) {
        struct edit *last = &vec_last(&edits->list);
        if (last->begin == begin && last->end == end)
            return &last->with;
    }
    return edit_at(edits, begin, end);
}

void generate_point(struct unit *u, const struct point *p, struct edits *edits)
{
    const struct comment *c = &u->comments.data[p->comment];
    struct emitter *e = edit_of_comment(edits, c->at, c->at + c->length);
    emit_glue(e, &p->at, "{ static const struct plumb_ordering_point plumb_here = {%s, ", kind_of(p->word));
    emit_name(e, p->label.name);
    emit_name(e, p->potential.name);
    text_printf(&e->out,
                "{\"%s\", %u, %u}}; plumb_quiet_at(&plumb_here.place, \"@%s\"); plumb_point(&plumb_here, (",
                p->at.file, p->at.line, p->at.column, annotate_words[p->word]);
    emit_code(e, &p->condition, NULL);
    emit_glue(e, &p->at, ") ? 1 : 0); }");
}
