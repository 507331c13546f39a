/* SPDX-License-Identifier: Apache-2.0 */
#include "report/interleaving_fold.h"

#include "base/memory.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

enum {
    LINES_USUAL = 72, /* as many as are wanted; what must be shown may be more */
    LINES_MOST = 400,
    LINES_FOR_TWO = 8,
    STEPS_AROUND = 20, /* on both sides */
    PERIOD_MOST = 8,
    DULL = 1000, /* further away than anything else */
};

/* A row that is shown unless there are too many, or the repetitions of the ones above it. */
struct item {
    size_t row;
    size_t steps;    /* rows it stands for */
    size_t times;    /* 0: a row; else rounds of the loop, the one above included */
    size_t period;   /* rows of one round */
    bool mixed;      /* of several threads */
    size_t distance; /* 0: it must be shown; else to the next thing of interest, in items */
};

struct items {
    struct item *data;
    size_t len, cap;
};

static bool is_special(const struct report_event *r)
{
    return r->guilty || r->note;
}

/* Beginnings and ends of threads say little. */
static bool is_dull(const struct report_event *r)
{
    return (r->event == EVENT_CREATE || r->event == EVENT_JOIN || r->event == EVENT_BEGIN ||
            r->event == EVENT_END) &&
           !is_special(r);
}

static bool touches(const struct report_event *a, const struct report_event *b)
{
    return a->address && b->address && a->address < b->address + (b->size ? b->size : 1) &&
           b->address < a->address + (a->size ? a->size : 1);
}

/* By row: does the text cite it? */
static bool *find_cited(const struct interleaving *x)
{
    bool *cited = NEW_ZEROED(bool, x->count + 1);
    for (size_t k = 0; k < x->cited_count; k++)
        for (size_t i = 0; i < x->count && x->events[i].id <= x->cited[k]; i++)
            cited[i] |= x->events[i].id == x->cited[k];
    return cited;
}

/* What the error cannot be understood without: calls and returns, what the text cites, where decisive reads read from, all
 * steps at the location of a guilty one. */
static bool *find_needed(const struct interleaving *x)
{
    bool *needed = find_cited(x);
    for (size_t i = 0; i < x->count; i++) {
        const struct report_event *r = &x->events[i];
        needed[i] |= is_special(r) || r->event == EVENT_OP_CALL || r->event == EVENT_OP_RETURN;
        for (size_t k = 0; k < x->count && r->guilty; k++)
            needed[k] |= touches(&x->events[k], r);
    }
    for (size_t i = x->count; i-- > 0;)
        for (size_t k = i; k-- > 0 && needed[i] && is_special(&x->events[i]) && x->events[i].source;)
            if (x->events[k].id == x->events[i].source) {
                needed[k] = true;
                break;
            }
    return needed;
}

/* --- loops -------------------------------------------------------------------------------------- */

static bool equal_texts(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

static bool equal_rows(const struct report_event *a, const struct report_event *b)
{
    return a->thread == b->thread && a->event == b->event && a->other == b->other && !is_special(a) &&
           !is_special(b) && equal_texts(a->order, b->order) && equal_texts(a->found, b->found) &&
           equal_texts(a->written, b->written) && equal_texts(a->location, b->location) &&
           equal_texts(a->operation, b->operation) && equal_texts(a->answer, b->answer) &&
           equal_texts(a->text, b->text) && equal_texts(a->place, b->place);
}

/* How often the `period` rows at `at` come again right after. */
static size_t count_repeats(const struct interleaving *x, const bool *cited, size_t at, size_t period)
{
    size_t equal = 0;
    while (at + equal + period < x->count && !cited[at + equal + period] &&
           equal_rows(&x->events[at + equal], &x->events[at + equal + period]))
        equal++;
    return equal / period;
}

/* The shortest round of a loop that begins at `at` and is worth a line of its own; 0: none. */
static size_t find_period(const struct interleaving *x, const bool *cited, size_t at, size_t *repeats)
{
    for (size_t period = 1; period <= PERIOD_MOST; period++) {
        *repeats = count_repeats(x, cited, at, period);
        if (*repeats && *repeats * period >= 2)
            return period;
    }
    return 0;
}

static struct items collect_items(const struct interleaving *x)
{
    struct items items = {0};
    OWNED bool *cited = find_cited(x);
    for (size_t i = 0; i < x->count;) {
        size_t repeats, period = find_period(x, cited, i, &repeats);
        for (size_t k = 0; k < (period ? period : 1); k++, i++)
            vec_push(&items, ((struct item){.row = i, .steps = 1}));
        if (!period)
            continue;
        struct item loop = {i - 1, repeats * period, repeats + 1, period, false, 0};
        for (size_t k = 1; k <= period; k++)
            loop.mixed = loop.mixed || x->events[i - k].thread != x->events[loop.row].thread;
        vec_push(&items, loop);
        i += repeats * period;
    }
    return items;
}

/* --- what is shown ------------------------------------------------------------------------------ */

struct view {
    const struct interleaving *x;
    const struct item *items;
    size_t from, to; /* the items outside are only counted */
    size_t radius;   /* items further from anything of interest are left out */
    size_t other;    /* an item that is shown even before `from`, or SIZE_MAX */
};

static unsigned thread_of(const struct interleaving *x, const struct item *item)
{
    return x->events[item->row].thread;
}

static bool begins_or_ends_turn(const struct interleaving *x, const struct items *items, size_t i)
{
    const struct item *item = &items->data[i];
    return i == 0 || i + 1 == items->len || item->mixed || thread_of(x, item) != thread_of(x, item - 1) ||
           thread_of(x, item) != thread_of(x, item + 1);
}

/* Of interest are both ends of a turn, and what others may see. */
static size_t first_distance(const struct interleaving *x, const struct items *items, size_t i,
                             const bool *needed)
{
    const struct report_event *r = &x->events[items->data[i].row];
    if (needed[items->data[i].row])
        return 0;
    if (is_dull(r))
        return DULL;
    bool seen = r->event == EVENT_WRITE || r->event == EVENT_UPDATE;
    return seen || begins_or_ends_turn(x, items, i) ? 1 : items->len + 1;
}

static void lower(size_t *distance, size_t to)
{
    if (*distance > to && *distance != DULL)
        *distance = to;
}

static void measure_distances(const struct interleaving *x, struct items *items)
{
    size_t n = items->len;
    OWNED bool *needed = find_needed(x);
    for (size_t i = 0; i < n; i++)
        items->data[i].distance = first_distance(x, items, i, needed);
    for (size_t i = 1; i < n; i++)
        lower(&items->data[i].distance, items->data[i - 1].distance + 1);
    for (size_t i = n; i-- > 1;)
        lower(&items->data[i - 1].distance, items->data[i].distance + 1);
    /* A loop is shown with its round. */
    for (size_t i = 0; i < n; i++)
        for (size_t k = 1; items->data[i].times && k <= items->data[i].period; k++)
            lower(&items->data[i - k].distance, items->data[i].distance);
}

static void add_line(struct interleaving_lines *lines, enum interleaving_line_kind kind,
                     const struct item *item, size_t steps)
{
    vec_push(lines, ((struct interleaving_line){kind, item->row, steps, item->times}));
}

/* `shown` items stand right above. */
static void add_item(struct interleaving_lines *lines, const struct item *item, size_t shown)
{
    if (item->times && shown < item->period)
        add_line(lines, INTERLEAVING_SKIPPED, item, item->steps);
    else if (item->times)
        add_line(lines, INTERLEAVING_LOOP, item, item->period);
    else
        add_line(lines, INTERLEAVING_ROW, item, 1);
}

static size_t count_steps(const struct item *items, size_t from, size_t to)
{
    size_t steps = 0;
    for (size_t i = from; i < to; i++)
        steps += items[i].steps;
    return steps;
}

static size_t end_of_gap(const struct view *v, size_t from)
{
    size_t to = from;
    while (to < v->to && v->items[to].distance > v->radius &&
           thread_of(v->x, &v->items[to]) == thread_of(v->x, &v->items[from]))
        to++;
    return to;
}

static void count_earlier(const struct view *v, size_t from, size_t to, struct interleaving_lines *lines)
{
    if (from < to)
        add_line(lines, INTERLEAVING_EARLIER, &v->items[from], count_steps(v->items, from, to));
}

/* What lies before the window is counted. */
static void list_earlier(const struct view *v, struct interleaving_lines *lines)
{
    if (v->other >= v->from) {
        count_earlier(v, 0, v->from, lines);
        return;
    }
    count_earlier(v, 0, v->other, lines);
    add_item(lines, &v->items[v->other], 0);
    count_earlier(v, v->other + 1, v->from, lines);
}

/* A gap is of one thread. One item is no gap: the line that says so would take its place. */
static void list_lines(const struct view *v, size_t item_count, struct interleaving_lines *lines)
{
    vec_clear(lines);
    list_earlier(v, lines);
    for (size_t i = v->from; i < v->to;) {
        const struct item *item = &v->items[i];
        if (i > v->from && thread_of(v->x, item) != thread_of(v->x, item - 1))
            add_line(lines, INTERLEAVING_SWITCH, item, 0);
        size_t end = end_of_gap(v, i);
        if (end <= i + 1) {
            add_item(lines, item, i - v->from);
            i++;
        } else {
            add_line(lines, INTERLEAVING_SKIPPED, item, count_steps(v->items, i, end));
            i = end;
        }
    }
    if (v->to < item_count)
        add_line(lines, INTERLEAVING_LATER, &v->items[v->to], count_steps(v->items, v->to, item_count));
}

/* The last guilty item before `end`, or SIZE_MAX. */
static size_t find_guilty(const struct interleaving *x, const struct items *items, size_t end)
{
    for (size_t i = end; i-- > 0;)
        if (x->events[items->data[i].row].guilty)
            return i;
    return SIZE_MAX;
}

/* The largest of low..high for which the lines fit, given that `low` is small enough; `field` is what is
 * tried. */
static void widen(struct view *v, const struct items *items, size_t *field, size_t low, size_t high,
                  size_t most, struct interleaving_lines *lines)
{
    while (low < high) {
        *field = low + (high - low + 1) / 2;
        list_lines(v, items->len, lines);
        if (lines->len <= most)
            low = *field;
        else
            high = *field - 1;
    }
    *field = low;
    list_lines(v, items->len, lines);
}

/* Too many switches: of the items around the guilty one, as many before it as fit, a few behind it. */
static void narrow(struct view *v, const struct items *items, size_t most, struct interleaving_lines *lines)
{
    size_t guilty = find_guilty(v->x, items, items->len);
    if (guilty == SIZE_MAX)
        guilty = items->len - 1;
    else if (most >= LINES_FOR_TWO) /* a race has two sides: none may be missing */
        v->other = find_guilty(v->x, items, guilty);
    size_t behind = items->len - guilty - 1;
    v->from = guilty;
    widen(v, items, &v->to, guilty + 1, guilty + 1 + (behind < most / 8 ? behind : most / 8), most / 2,
          lines);
    size_t low = 0, high = guilty;
    while (low < high) {
        v->from = low + (high - low) / 2;
        list_lines(v, items->len, lines);
        if (lines->len <= most)
            high = v->from;
        else
            low = v->from + 1;
    }
    v->from = high;
    list_lines(v, items->len, lines);
}

static void look_around(struct view *v, const struct items *items)
{
    size_t at = 0;
    while (at + 1 < items->len && v->x->events[items->data[at].row].id < v->x->around)
        at++;
    v->from = at < STEPS_AROUND ? 0 : at - STEPS_AROUND;
    v->to = items->len - at <= STEPS_AROUND ? items->len : at + STEPS_AROUND + 1;
}

struct interleaving_lines interleaving_fold(const struct interleaving *x)
{
    struct interleaving_lines lines = {0};
    struct items items = collect_items(x);
    size_t most = x->lines_most ? x->lines_most : LINES_USUAL;
    bool all = x->is_full || x->around;
    measure_distances(x, &items);
    struct view v = {x, items.data, 0, items.len, all ? SIZE_MAX : 0, SIZE_MAX};
    if (x->around && items.len)
        look_around(&v, &items);
    if (items.len) {
        list_lines(&v, items.len, &lines);
        if (!all && lines.len <= most)
            widen(&v, &items, &v.radius, 0, DULL, most, &lines);
        else if (!all && lines.len > LINES_MOST)
            narrow(&v, &items, most, &lines);
    }
    vec_free(&items);
    return lines;
}
