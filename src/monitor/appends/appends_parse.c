/* SPDX-License-Identifier: Apache-2.0 */
/* Takes what gets returned apart into a root and tokens. Answers are sorted so that each stands behind the longest one
 * that begins with it: these are looked at together, as places in that one. */
#include "monitor/appends/appends_run.h"

#include "base/sort.h"

/* A token between two places of a string. */
struct edge {
    uint32_t from, to, token;
};

enum { REACHED = 1, USEFUL = 2 };

/* The readings of what stands before a place. */
struct place {
    uint32_t at;
    uint32_t node[READINGS_MOST];
    uint8_t count;
    bool more;
};

/* All ways to take one string apart. Used for one after the other. */
struct lattice {
    const char *bytes;
    uint32_t length;
    VEC(uint8_t) mark;        /* by place: bits */
    VEC(uint32_t) number;     /* by place: in `places`, or NONE */
    VEC(uint32_t) roots;      /* root strings that it begins with */
    VEC(struct edge) edges;   /* ascending by `from` */
    VEC(struct place) places; /* for one root */
};

static void lattice_start(struct lattice *l, const char *bytes, uint32_t length)
{
    l->bytes = bytes;
    l->length = length;
    vec_reserve(&l->mark, (size_t)length + 1);
    vec_reserve(&l->number, (size_t)length + 1);
    memset(l->mark.data, 0, (size_t)length + 1);
    memset(l->number.data, 0xff, ((size_t)length + 1) * sizeof *l->number.data);
    vec_clear(&l->roots);
    vec_clear(&l->edges);
    vec_clear(&l->places);
}

static void lattice_free(struct lattice *l)
{
    vec_free(&l->mark);
    vec_free(&l->number);
    vec_free(&l->roots);
    vec_free(&l->edges);
    vec_free(&l->places);
}

/* Texts that match nearly everywhere in each other would take quadratic time. */
enum { EDGES_PER_BYTE = 16, EDGES_FREE = 1000 };

static bool add_edges_from(struct appends_run *run, struct lattice *l, uint32_t from)
{
    uint32_t t = appends_longest_prefix(&run->tokens, l->bytes + from, l->length - from);
    for (; t != NONE; t = run->tokens.texts[t].parent) {
        struct edge e = {from, from + run->tokens.texts[t].length, t};
        vec_push(&l->edges, e);
        l->mark.data[e.to] |= REACHED;
    }
    if (l->edges.len > (uint64_t)EDGES_PER_BYTE * l->length + EDGES_FREE)
        run->why = "appended strings can be read in too many ways";
    return !run->why;
}

/* From the places behind the roots that are marked. */
static bool add_edges(struct appends_run *run, struct lattice *l)
{
    for (uint32_t from = 0; from < l->length; from++)
        if ((l->mark.data[from] & REACHED) && !add_edges_from(run, l, from))
            return false;
    return true;
}

/* What leads to no answer does not matter. */
static void keep_useful_edges(struct lattice *l)
{
    size_t kept = l->edges.len;
    for (size_t k = l->edges.len; k-- > 0;)
        if (l->mark.data[l->edges.data[k].to] & USEFUL) {
            l->mark.data[l->edges.data[k].from] |= USEFUL;
            l->edges.data[--kept] = l->edges.data[k];
        }
    if (!kept)
        return;
    memmove(l->edges.data, l->edges.data + kept, (l->edges.len - kept) * sizeof *l->edges.data);
    l->edges.len -= kept;
}

static void list_roots(const struct appends_run *run, struct lattice *l)
{
    uint32_t r = appends_longest_prefix(&run->puts, l->bytes, l->length);
    for (; r != NONE; r = run->puts.texts[r].parent)
        vec_push(&l->roots, r);
}

/* ---- readings ---- */

static uint32_t find_child(struct appends_run *run, uint32_t parent, uint32_t token)
{
    uint32_t *child = hash_map_at(&run->children, (uint64_t)parent << 32 | token);
    if (*child == HASH_NO_NUMBER) {
        struct appends_node node = run->nodes.data[parent];
        *child = (uint32_t)run->nodes.len;
        node.parent = parent;
        node.token = token;
        node.depth++;
        if (node.single == NONE && appends_writer_count(&run->tokens, token) == 1)
            node.single = *child;
        vec_push(&run->nodes, node);
    }
    return *child;
}

static struct place *place_at(struct lattice *l, uint32_t at)
{
    if (l->number.data[at] == NONE) {
        l->number.data[at] = (uint32_t)l->places.len;
        struct place fresh = {.at = at};
        vec_push(&l->places, fresh);
    }
    return &l->places.data[l->number.data[at]];
}

static void add_place_node(struct place *p, uint32_t node)
{
    if (p->count < READINGS_MOST)
        p->node[p->count++] = node;
    else
        p->more = true;
}

static void follow_edge(struct appends_run *run, struct lattice *l, const struct edge *e)
{
    if (l->number.data[e->from] == NONE)
        return;
    struct place from = l->places.data[l->number.data[e->from]], *to = place_at(l, e->to);
    to->more |= from.more;
    for (uint8_t k = 0; k < from.count; k++)
        add_place_node(to, find_child(run, from.node[k], e->token));
}

static void read_from_root(struct appends_run *run, struct lattice *l, uint32_t root)
{
    for (size_t k = 0; k < l->places.len; k++)
        l->number.data[l->places.data[k].at] = NONE;
    vec_clear(&l->places);
    add_place_node(place_at(l, run->puts.texts[root].length), root);
    for (size_t k = 0; k < l->edges.len; k++)
        follow_edge(run, l, &l->edges.data[k]);
}

/* ---- gets ---- */

/* Could the get have read from a put of the root string? */
static bool root_is_possible(struct appends_run *run, const struct appends_look *g, uint32_t root)
{
    uint32_t put;
    bool exact = g->length == run->puts.texts[root].length;
    return appends_possible_roots(run, root, run->ret[g->op], run->call[g->op], exact, &put) > 0;
}

static void add_readings(struct appends_look *g, const struct place *p)
{
    g->more |= p->more;
    for (uint8_t k = 0; k < p->count; k++)
        if (g->count < READINGS_MOST)
            g->node[g->count++] = p->node[k];
        else
            g->more = true;
}

/* Answers that the first of them begins with. */
struct family {
    struct appends_look *looks;
    uint32_t count;
};

static bool family_allows_root(struct appends_run *run, const struct family *f, uint32_t root)
{
    for (uint32_t k = 0; k < f->count; k++)
        if (f->looks[k].length >= run->puts.texts[root].length && root_is_possible(run, &f->looks[k], root))
            return true;
    return false;
}

static void family_read(struct appends_run *run, struct lattice *l, const struct family *f, uint32_t root)
{
    read_from_root(run, l, root);
    for (uint32_t k = 0; k < f->count; k++) {
        uint32_t place = l->number.data[f->looks[k].length];
        if (place != NONE && root_is_possible(run, &f->looks[k], root))
            add_readings(&f->looks[k], &l->places.data[place]);
    }
}

static void family_mark_places(struct appends_run *run, struct lattice *l, const struct family *f)
{
    size_t kept = 0;
    for (size_t k = 0; k < l->roots.len; k++)
        if (family_allows_root(run, f, l->roots.data[k])) {
            l->mark.data[run->puts.texts[l->roots.data[k]].length] |= REACHED;
            l->roots.data[kept++] = l->roots.data[k];
        }
    l->roots.len = kept;
    for (uint32_t k = 0; k < f->count; k++)
        l->mark.data[f->looks[k].length] |= USEFUL;
}

static bool parse_family(struct appends_run *run, struct lattice *l, const struct family *f)
{
    lattice_start(l, f->looks[0].bytes, f->looks[0].length);
    list_roots(run, l);
    family_mark_places(run, l, f);
    if (add_edges(run, l)) {
        keep_useful_edges(l);
        for (size_t k = 0; k < l->roots.len; k++)
            family_read(run, l, f, l->roots.data[k]);
    }
    for (uint32_t k = 0; k < f->count && !run->why; k++)
        if (!f->looks[k].count) {
            appends_core_look(run, (uint32_t)(&f->looks[k] - run->looks.data));
            return false;
        }
    return !run->why;
}

/* ---- families ---- */

/* Descending: what begins with a text stands before it. Equal ones by call. */
static void sort_looks(struct appends_run *run)
{
    size_t count = run->looks.len;
    OWNED struct sort_text *list = NEW_ARRAY(struct sort_text, count);
    struct appends_look *sorted = NEW_ARRAY(struct appends_look, count);
    for (size_t k = 0; k < count; k++) {
        const struct appends_look *g = &run->looks.data[k];
        list[k].bytes = g->bytes;
        list[k].length = g->length;
        list[k].tie = ~run->call[g->op];
        list[k].item = (uint32_t)k;
    }
    sort_texts(list, count);
    for (size_t k = 0; k < count; k++)
        sorted[count - 1 - k] = run->looks.data[list[k].item];
    vec_free(&run->looks);
    run->looks.data = sorted;
    run->looks.len = run->looks.cap = count;
}

static bool is_beginning(const struct appends_look *whole, const struct appends_look *start)
{
    return start->length <= whole->length &&
           (start->bytes == whole->bytes || !memcmp(whole->bytes, start->bytes, start->length));
}

static void make_root_nodes(struct appends_run *run)
{
    for (uint32_t r = 0; r < run->puts.count; r++) {
        struct appends_node node = {.parent = NONE, .token = NONE, .root = r, .single = NONE};
        vec_push(&run->nodes, node);
    }
}

bool appends_parse(struct appends_run *run)
{
    uint32_t count = (uint32_t)run->looks.len, end;
    make_root_nodes(run);
    sort_looks(run);
    struct appends_look *looks = run->looks.data;
    struct lattice l = {0};
    bool fine = true;
    for (uint32_t first = 0; first < count && fine; first = end) {
        for (end = first + 1; end < count && is_beginning(&looks[first], &looks[end]);)
            end++;
        struct family f = {looks + first, end - first};
        fine = parse_family(run, &l, &f);
    }
    lattice_free(&l);
    return fine;
}

/* ---- cores ---- */

static void add_writers(struct appends_run *run, const struct appends_strings *s, uint32_t text)
{
    for (uint32_t k = s->texts[text].first; k < appends_writers_end(s, text); k++)
        appends_core_add(run, s->writers[k]);
}

/* The puts of a root string, and the writes that came between one of them and the get. */
static void add_root(struct appends_run *run, uint32_t root, uint32_t get, bool exact)
{
    add_writers(run, &run->puts, root);
    for (uint32_t k = run->puts.texts[root].first; k < appends_writers_end(&run->puts, root); k++)
        appends_core_add(run, appends_killer(run, run->puts.writers[k], run->call[get], exact));
}

void appends_core_close(struct appends_run *run, uint32_t get)
{
    struct lattice l = {0};
    size_t length;
    const char *bytes = plumb_string_of(run->p->history->values, part_op(run->p, get)->result, &length);
    lattice_start(&l, bytes, (uint32_t)length);
    list_roots(run, &l);
    for (size_t k = 0; k < l.roots.len; k++)
        l.mark.data[run->puts.texts[l.roots.data[k]].length] |= REACHED;
    l.mark.data[length] |= USEFUL;
    if (add_edges(run, &l)) {
        keep_useful_edges(&l);
        for (size_t k = 0; k < l.roots.len; k++) {
            uint32_t end = run->puts.texts[l.roots.data[k]].length;
            if (l.mark.data[end] & USEFUL)
                add_root(run, l.roots.data[k], get, end == length);
        }
        for (size_t k = 0; k < l.edges.len; k++)
            add_writers(run, &run->tokens, l.edges.data[k].token);
    }
    lattice_free(&l);
}
