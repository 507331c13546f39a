/* SPDX-License-Identifier: Apache-2.0 */
#include "report/interleaving.h"

#include "base/memory.h"
#include "base/terminal.h"
#include "report/interleaving_fold.h"
#include "report/interleaving_text.h"
#include "report/prose.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    COLUMNS_MOST = 4, /* threads side by side */
    CELL_LEAST = 22,  /* columns of a thread, else threads share one column */
    PLACE_MOST = 60,
    NOTE_LINES_MOST = 3,
    MARGIN = 2,
    GAP = 2,
};

struct table {
    struct text *out;
    const struct interleaving *x;
    const struct report_style *style;
    struct interleaving_lines lines;
    size_t columns;
    bool bare;     /* there is no room for folders, and files have different names */
    size_t folder; /* otherwise: length of the folder that all places are in */
    size_t step_columns, place_columns;
    unsigned column_of[UINT16_MAX + 1]; /* by thread */
    size_t column_count;                /* 1 with several threads: names stand before the text */
    bool shared;
    size_t start[COLUMNS_MOST + 1]; /* of the columns, and of the place */
};

/* --- where the columns stand -------------------------------------------------------------------- */

static size_t columns_of(const char *s)
{
    struct text safe = {0};
    terminal_add_safe(&safe, s);
    size_t columns = safe.data ? text_columns(safe.data) : 0;
    text_free(&safe);
    return columns;
}

static const char *place_of(const struct table *t, size_t line)
{
    return t->x->events[t->lines.data[line].row].place;
}

/* Length of what all places begin with, up to a slash. */
static size_t find_folder(const struct table *t)
{
    const char *first = NULL;
    size_t length = 0;
    for (size_t i = 0; i < t->lines.len; i++) {
        const char *place = place_of(t, i);
        if (place && !first) {
            first = place;
            length = strlen(place);
        }
        while (place && strncmp(first, place, length) != 0)
            length--;
    }
    while (length && first[length - 1] != '/')
        length--;
    return length;
}

static const char *without_folders(const char *place)
{
    const char *slash = strrchr(place, '/');
    return slash ? slash + 1 : place;
}

/* Of equal length up to the last colon, where the line begins? */
static bool is_same_file(const char *a, const char *b)
{
    size_t length = (size_t)(strrchr(a, ':') ? strrchr(a, ':') - a : (ptrdiff_t)strlen(a));
    return !strncmp(a, b, length) && (!b[length] || b[length] == ':');
}

/* Do names without folders tell files apart? */
static bool are_names_different(const struct table *t)
{
    enum { FILES_MOST = 32 };
    const char *files[FILES_MOST];
    size_t count = 0;
    for (size_t i = 0; i < t->lines.len; i++) {
        const char *place = place_of(t, i);
        size_t k = 0;
        while (place && k < count && !is_same_file(without_folders(files[k]), without_folders(place)))
            k++;
        if (place && (k < count ? !is_same_file(files[k], place) : k == FILES_MOST))
            return false;
        if (place && k == count)
            files[count++] = place;
    }
    return true;
}

static const char *shorten_place(const struct table *t, const char *place)
{
    return t->bare ? without_folders(place) : place + t->folder;
}

static size_t measure_places(const struct table *t)
{
    size_t widest = 0;
    for (size_t i = 0; i < t->lines.len; i++) {
        size_t columns = place_of(t, i) ? columns_of(shorten_place(t, place_of(t, i))) : 0;
        widest = columns > widest ? columns : widest;
    }
    return widest;
}

static void measure_margins(struct table *t)
{
    uint32_t last = 0;
    for (size_t i = 0; i < t->lines.len; i++)
        if (t->x->events[t->lines.data[i].row].id > last)
            last = t->x->events[t->lines.data[i].row].id;
    size_t most = t->columns / 4 < PLACE_MOST ? t->columns / 4 : PLACE_MOST;
    t->place_columns = measure_places(t);
    if (t->place_columns > most) {
        t->bare = are_names_different(t);
        t->folder = find_folder(t);
        t->place_columns = measure_places(t);
    }
    if (t->place_columns > most && !t->style->uncut)
        t->place_columns = most;
    t->step_columns = strlen("step");
    for (uint64_t power = 10000; power <= last; power *= 10)
        t->step_columns++;
}

/* Processes of a model that are none of its threads share the last column. */
static size_t column_key(const struct report_event *r)
{
    return r->thread < UINT16_MAX ? r->thread : UINT16_MAX;
}

/* Threads get columns by their number, whichever is first. */
static size_t number_threads(struct table *t, bool *seen)
{
    size_t count = 0;
    for (size_t i = 0; i < t->lines.len; i++)
        seen[column_key(&t->x->events[t->lines.data[i].row])] = true;
    for (size_t thread = 0; thread <= UINT16_MAX; thread++)
        if (seen[thread])
            t->column_of[thread] = (unsigned)count++;
    return count;
}

/* The widest text of each column: with the notes beside it, and the least that is needed. */
static void measure_cells(struct table *t, size_t *widest, size_t *texts)
{
    struct text cell = {0};
    for (size_t i = 0; i < t->lines.len; i++) {
        const struct interleaving_line *line = &t->lines.data[i];
        const struct report_event *r = &t->x->events[line->row];
        text_clear(&cell);
        if (line->kind == INTERLEAVING_LOOP) {
            interleaving_fold_text(t->x, line, t->style, &cell);
            size_t *least = &texts[t->column_of[column_key(r)]];
            *least = text_columns(cell.data) > *least ? text_columns(cell.data) : *least;
        }
        if (line->kind != INTERLEAVING_ROW)
            continue;
        text_clear(&cell);
        interleaving_step_text(r, t->style, t->shared, false, &cell);
        size_t columns = text_columns(cell.data) + (r->note ? columns_of(r->note) + GAP : 0);
        size_t *text = &texts[t->column_of[column_key(r)]], *all = &widest[t->column_of[column_key(r)]];
        *all = columns > *all ? columns : *all;
        text_clear(&cell);
        interleaving_step_text(r, t->style, t->shared, true, &cell);
        *text = text_columns(cell.data) > *text ? text_columns(cell.data) : *text;
    }
    text_free(&cell);
}

/* Takes from the widest until all fit. */
static void fit_cells(size_t *widths, size_t count, size_t room)
{
    for (;;) {
        size_t sum = 0, widest = 0;
        for (size_t i = 0; i < count; i++) {
            sum += widths[i] + GAP;
            if (widths[i] > widths[widest])
                widest = i;
        }
        if (sum <= room || !widths[widest])
            return;
        widths[widest]--;
    }
}

/* A text may run into the columns to its right: those to its left leave it what it needs. */
static void widen_last_cells(size_t *widths, const size_t *texts, size_t count)
{
    size_t room = 0;
    for (size_t i = count; i-- > 1;) {
        room += widths[i] + (room ? GAP : 0);
        for (; room < texts[i] && widths[i - 1] > CELL_LEAST; room++) {
            widths[i]++;
            widths[i - 1]--;
        }
    }
}

/* So that no text is cut. */
static void widen_table(size_t *widths, const size_t *texts, size_t count)
{
    size_t room = 0, missing = 0;
    for (size_t i = count; i-- > 0;) {
        room += widths[i] + (room ? GAP : 0);
        if (texts[i] > room + missing)
            missing = texts[i] - room;
    }
    widths[count - 1] += missing;
}

static void place_columns(struct table *t)
{
    bool *seen = NEW_ZEROED(bool, UINT16_MAX + 1);
    size_t threads = number_threads(t, seen);
    size_t first = MARGIN + t->step_columns + GAP, where = t->place_columns ? t->place_columns + GAP : 0;
    size_t room = t->columns > first + where ? t->columns - first - where + GAP : GAP;
    t->shared = threads > COLUMNS_MOST || (threads > 1 && threads * (CELL_LEAST + GAP) > room);
    t->column_count = t->shared ? 1 : threads;
    for (size_t i = 0; t->shared && i <= UINT16_MAX; i++)
        t->column_of[i] = 0;
    size_t widths[COLUMNS_MOST], texts[COLUMNS_MOST] = {0};
    for (size_t i = 0; i < COLUMNS_MOST; i++)
        widths[i] = CELL_LEAST;
    measure_cells(t, widths, texts);
    fit_cells(widths, t->column_count, room);
    widen_last_cells(widths, texts, t->column_count);
    if (t->style->uncut)
        widen_table(widths, texts, t->column_count);
    t->start[0] = first;
    for (size_t i = 0; i < t->column_count; i++)
        t->start[i + 1] = t->start[i] + widths[i] + GAP;
    free(seen);
}

/* --- lines -------------------------------------------------------------------------------------- */

static void set_color(const struct table *t, const char *code)
{
    if (t->style->color && code)
        text_printf(t->out, "\033[%sm", code);
}

/* Spaces up to column `to`, from column `at`; returns the column reached. */
static size_t go_to(const struct table *t, size_t at, size_t to)
{
    if (at < to)
        text_repeat(t->out, " ", to - at);
    return at < to ? to : at;
}

/* The end of a path says more than its beginning. */
static void add_place(const struct table *t, const char *place)
{
    struct text safe = {0};
    terminal_add_safe(&safe, shorten_place(t, place));
    const char *more = report_ellipsis(t->style), *s = safe.data ? safe.data : "";
    if (text_columns(s) > t->place_columns) {
        text_puts(t->out, more);
        while (text_columns(s) > t->place_columns - text_columns(more) || ((unsigned char)*s & 0xc0) == 0x80)
            s++;
    }
    text_puts(t->out, s);
    text_free(&safe);
}

/* The columns to the right of a thread's are empty in its lines. */
static size_t room_of(const struct table *t, const struct report_event *r)
{
    return t->start[t->column_count] - GAP - t->start[t->column_of[column_key(r)]];
}

/* Text from a thread's column on; returns the column where it ends. */
static size_t add_cell(const struct table *t, const struct report_event *r, const char *s, const char *color)
{
    size_t start = t->start[t->column_of[column_key(r)]], room = room_of(t, r);
    set_color(t, color);
    prose_clip(t->out, s, room, report_ellipsis(t->style));
    if (color)
        set_color(t, "0");
    size_t columns = text_columns(s);
    return start + (columns < room ? columns : room);
}

/* Below its step, where the line is its own: as far left as it needs. */
static void draw_note_below(const struct table *t, const struct report_event *r)
{
    struct text note = {0};
    size_t start = t->start[t->column_of[column_key(r)]], columns = columns_of(r->note) + 2;
    if (start + columns > t->columns)
        start = t->start[0] + columns < t->columns ? t->columns - columns : t->start[0];
    text_puts(&note, t->style->unicode ? "└ " : "` ");
    terminal_add_safe(&note, r->note);
    struct prose p = {' ', start, t->columns, NOTE_LINES_MOST, report_ellipsis(t->style)};
    go_to(t, 0, start);
    prose_wrap(t->out, note.data, &p);
    text_free(&note);
}

static void draw_row(const struct table *t, const struct report_event *r)
{
    struct text cell = {0};
    bool plain = r->event == EVENT_PLAIN_READ || r->event == EVENT_PLAIN_WRITE;
    const char *mark = !r->guilty ? " " : t->style->unicode ? "▶" : ">";
    text_printf(t->out, "%*s%s%*" PRIu32, MARGIN - 1, "", mark, (int)t->step_columns, r->id);
    go_to(t, MARGIN + t->step_columns, t->start[t->column_of[column_key(r)]]);
    interleaving_step_text(r, t->style, t->shared, false, &cell);
    if (text_columns(cell.data) > room_of(t, r)) {
        text_clear(&cell);
        interleaving_step_text(r, t->style, t->shared, true, &cell);
    }
    size_t at = add_cell(t, r, cell.data, r->guilty ? "1;31" : plain ? "2" : NULL);
    size_t end = t->start[t->column_count] - GAP, note = r->note ? columns_of(r->note) + GAP : 0;
    bool beside = note && at + note <= end;
    if (beside) {
        go_to(t, at, at + GAP);
        terminal_add_safe(t->out, r->note);
        at += note;
    }
    if (r->place && t->place_columns) {
        go_to(t, at, end + GAP);
        add_place(t, r->place);
    }
    text_puts(t->out, "\n");
    if (note && !beside)
        draw_note_below(t, r);
    text_free(&cell);
}

static void draw_fold(const struct table *t, const struct interleaving_line *line)
{
    struct text words = {0};
    bool whole = line->kind == INTERLEAVING_EARLIER || line->kind == INTERLEAVING_LATER;
    const struct report_event *r = &t->x->events[line->row];
    interleaving_fold_text(t->x, line, t->style, &words);
    go_to(t, 0, whole ? MARGIN + 1 : t->start[t->column_of[column_key(r)]]);
    if (whole) {
        set_color(t, "2");
        text_puts(t->out, words.data);
        set_color(t, "0");
    } else {
        add_cell(t, r, words.data, "2");
    }
    text_puts(t->out, "\n");
    text_free(&words);
}

static void draw_switch(const struct table *t)
{
    go_to(t, 0, MARGIN + 1);
    set_color(t, "2");
    text_puts(t->out, t->style->unicode ? "── switch ──" : "-- switch --");
    set_color(t, "0");
    text_puts(t->out, "\n");
}

static void draw_head(const struct table *t)
{
    struct text names[COLUMNS_MOST] = {{0}};
    for (size_t i = 0; !t->shared && i < t->lines.len; i++) {
        const struct report_event *r = &t->x->events[t->lines.data[i].row];
        text_clear(&names[t->column_of[column_key(r)]]);
        interleaving_thread_name(r->thread, &names[t->column_of[column_key(r)]]);
    }
    set_color(t, "1");
    text_printf(t->out, "%*s%*s", MARGIN, "", (int)t->step_columns, "step");
    size_t at = MARGIN + t->step_columns;
    for (size_t i = 0; i < t->column_count; i++) {
        const char *name = t->shared ? "what" : names[i].data;
        go_to(t, at, t->start[i]);
        size_t width = t->start[i + 1] - t->start[i] - GAP, columns = text_columns(name);
        prose_clip(t->out, name, width, report_ellipsis(t->style));
        at = t->start[i] + (columns < width ? columns : width);
        text_free(&names[i]);
    }
    if (t->place_columns) {
        go_to(t, at, t->start[t->column_count]);
        text_puts(t->out, "where");
    }
    set_color(t, "0");
    text_puts(t->out, "\n");
}

void interleaving_draw(struct text *out, const struct interleaving *x, const struct report_style *style)
{
    struct table *t = NEW(struct table);
    *t = (struct table){.out = out, .x = x, .style = style, .lines = interleaving_fold(x)};
    t->columns = style->wide ? style->wide : style->columns;
    if (t->lines.len) {
        measure_margins(t);
        place_columns(t);
        draw_head(t);
    }
    for (size_t i = 0; i < t->lines.len; i++) {
        const struct interleaving_line *line = &t->lines.data[i];
        if (line->kind == INTERLEAVING_ROW)
            draw_row(t, &x->events[line->row]);
        else if (line->kind == INTERLEAVING_SWITCH)
            draw_switch(t);
        else
            draw_fold(t, line);
    }
    free(t->lines.data);
    free(t);
}
