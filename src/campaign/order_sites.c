/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/order_sites.h"

#include "target/symbols/symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const order_words[] = {"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};

const char *order_word(unsigned order)
{
    return order <= ORDER_SEQ_CST ? order_words[order] : "variable";
}

unsigned order_of_word(const char *word, size_t length)
{
    for (unsigned k = 0; k <= ORDER_SEQ_CST; k++)
        if (strlen(order_words[k]) == length && strncmp(word, order_words[k], length) == 0)
            return k;
    return ORDER_PLAIN;
}

bool order_fits(const struct order_site *site, unsigned order)
{
    if (order > ORDER_SEQ_CST)
        return false;
    switch (site->failure ? ATOMIC_LOAD : site->kind) {
    case ATOMIC_LOAD: return order != ORDER_RELEASE && order != ORDER_ACQ_REL;
    case ATOMIC_STORE: return order == ORDER_RELAXED || order == ORDER_RELEASE || order == ORDER_SEQ_CST;
    default: return true;
    }
}

static const char *const kind_words[] = {[ATOMIC_LOAD] = "load",
                                         [ATOMIC_STORE] = "store",
                                         [ATOMIC_UPDATE] = "update",
                                         [ATOMIC_CAS] = "CAS",
                                         [ATOMIC_FENCE] = "fence"};
enum { KINDS = sizeof kind_words / sizeof *kind_words };

const char *order_kind_word(enum atomic_kind kind)
{
    return kind_words[kind];
}

void order_site_add_place(const struct order_site *site, struct text *out)
{
    text_printf(out, "%u", site->line);
    if (site->column)
        text_printf(out, ":%u", site->column);
    if (site->failure || site->shares)
        text_printf(out, "/%s", site->failure ? "failure" : kind_words[site->kind]);
}

void order_site_add_name(const struct order_site *site, struct text *out)
{
    text_printf(out, "%s:", site->file);
    order_site_add_place(site, out);
}

/* ------------------------------------------------------------------ finding */

/* Files whose functions pass on the order that their caller names. */
static bool is_atomic_header(const char *file)
{
    const char *name = strrchr(file, '/');
    name = name ? name + 1 : file;
    return strncmp(name, "atomic", 6) == 0 && strcmp(name, "atomicity.h") != 0;
}

/* The user's own line, or one that the library's atomics were called from; false: the access is the library's. */
static bool is_users(const struct symbol_place *place)
{
    for (uint32_t k = 0; k < place->frame_count && place->frames[k].file; k++) {
        if (!symbols_is_system_file(place->frames[k].file))
            return true;
        if (!is_atomic_header(place->frames[k].file))
            return false;
    }
    return false;
}

static int compare_sites(const void *x, const void *y)
{
    const struct order_site *a = x, *b = y;
    int files = strcmp(a->file, b->file);
    if (files)
        return files;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    if (a->column != b->column)
        return a->column < b->column ? -1 : 1;
    return a->kind != b->kind ? (int)a->kind - (int)b->kind : a->failure - b->failure;
}

/* Adds the call to its site, which is made if there is none. */
static void add_call(struct order_sites *s, struct order_site what, uint64_t pc)
{
    size_t k = 0;
    while (k < s->all.len && compare_sites(&s->all.data[k], &what) != 0)
        k++;
    if (k == s->all.len)
        vec_push(&s->all, what);
    struct order_site *site = &s->all.data[k];
    if (site->order != what.order)
        site->order = ORDER_PLAIN;
    vec_push(&site->pcs, pc);
}

static void add_place(struct order_sites *s, const struct atomic_call *call, const struct symbol_place *place)
{
    const char *function = place->at.function;
    struct order_site site = {
        .file = arena_copy(&s->strings, place->at.file, strlen(place->at.file)),
        .line = place->at.line,
        .column = place->at.column,
        .function = function ? arena_copy(&s->strings, function, strlen(function)) : NULL,
        .kind = call->kind,
        .order = call->order,
    };
    add_call(s, site, call->pc);
    site.failure = true;
    site.order = call->failure;
    if (call->kind == ATOMIC_CAS)
        add_call(s, site, call->pc);
}

/* Of neighbours: success and failure of a comparison are of one kind. */
static void note_shared(struct order_site *a, struct order_site *b)
{
    if (strcmp(a->file, b->file) == 0 && a->line == b->line && a->column == b->column && a->kind != b->kind)
        a->shares = b->shares = true;
}

void order_sites_find(struct order_sites *s, const char *program)
{
    struct worker_module module = {0};
    struct diagnostic ignored = {0};
    struct symbol_place place;
    *s = (struct order_sites){0};
    snprintf(module.path, sizeof module.path, "%s", program);
    atomic_calls_find(program, &s->calls);
    struct symbols *symbols = symbols_open(&module, 1, &ignored);
    for (size_t k = 0; k < s->calls.len; k++)
        if (!symbols_line(symbols, s->calls.data[k].pc, &place) || !place.at.file)
            s->without_place++;
        else if (is_users(&place))
            add_place(s, &s->calls.data[k], &place);
        else
            s->in_libraries++;
    symbols_close(symbols);
    if (s->all.len)
        qsort(s->all.data, s->all.len, sizeof *s->all.data, compare_sites);
    for (size_t k = 1; k < s->all.len; k++)
        note_shared(&s->all.data[k - 1], &s->all.data[k]);
}

void order_sites_free(struct order_sites *s)
{
    for (size_t k = 0; k < s->all.len; k++)
        vec_free(&s->all.data[k].pcs);
    vec_free(&s->all);
    vec_free(&s->calls);
    arena_free(&s->strings);
}

/* ------------------------------------------------------------------ tables */

static int compare_orders(const void *x, const void *y)
{
    const struct worker_order *a = x, *b = y;
    return (a->pc > b->pc) - (a->pc < b->pc);
}

/* The entry of a call; null: there is no room. */
static struct worker_order *entry_of(struct order_table *table, uint64_t pc)
{
    for (uint32_t k = 0; k < table->count; k++)
        if (table->list[k].pc == pc)
            return &table->list[k];
    if (table->count == PROTOCOL_ORDERS)
        return NULL;
    table->list[table->count] = (struct worker_order){pc, ORDER_PLAIN, ORDER_PLAIN};
    return &table->list[table->count++];
}

static bool add_to_table(struct order_table *table, const struct order_site *site, unsigned order)
{
    for (size_t k = 0; k < site->pcs.len; k++) {
        struct worker_order *e = entry_of(table, site->pcs.data[k]);
        if (!e)
            return false;
        *(site->failure ? &e->failure : &e->order) = (uint8_t)order;
    }
    return true;
}

bool order_sites_table(const struct order_sites *s, const uint8_t *orders, bool all,
                       struct order_table *table)
{
    bool fine = true;
    table->count = 0;
    for (size_t k = 0; k < s->all.len; k++)
        if (all || orders[k] != ORDER_PLAIN)
            fine = fine && add_to_table(table, &s->all.data[k], orders[k]);
    qsort(table->list, table->count, sizeof *table->list, compare_orders);
    return fine;
}

/* ------------------------------------------------------------------ what happened */

static unsigned seen_at(const struct worker_shared *shared, uint64_t pc, bool failure)
{
    for (uint32_t k = 0; k < shared->config.order_count; k++)
        if (shared->config.orders[k].pc == pc)
            return shared->orders_seen[k][failure];
    return 0;
}

void order_sites_note(struct order_sites *s, const struct worker_shared *shared)
{
    for (size_t k = 0; k < s->all.len; k++) {
        struct order_site *site = &s->all.data[k];
        unsigned seen = 0;
        for (size_t i = 0; i < site->pcs.len; i++)
            seen |= seen_at(shared, site->pcs.data[i], site->failure);
        if (!seen)
            continue;
        uint8_t order = (uint8_t)__builtin_ctz(seen);
        bool one = (seen & (seen - 1)) == 0 && order <= ORDER_SEQ_CST;
        bool same = one && (!site->ran || site->order == order);
        site->order = same ? order : ORDER_PLAIN;
        site->ran = true;
    }
}

/* ------------------------------------------------------------------ sites by name */

/* Is `file` the end of the path? */
static bool is_file(const char *path, const char *file, size_t length)
{
    size_t whole = strlen(path);
    return whole >= length && strncmp(path + whole - length, file, length) == 0 &&
           (whole == length || path[whole - length - 1] == '/');
}

struct site_name {
    const char *file;
    size_t file_length;
    unsigned long line, column; /* column 0: any */
    bool failure;
    unsigned kind; /* KINDS: any */
};

/* Cuts ":12" off the end. */
static bool cut_number(const char *text, size_t *length, unsigned long *number)
{
    size_t at = *length;
    while (at > 0 && text[at - 1] >= '0' && text[at - 1] <= '9')
        at--;
    if (at == *length || at == 0 || text[at - 1] != ':')
        return false;
    *number = strtoul(text + at, NULL, 10);
    *length = at - 1;
    return true;
}

/* Cuts "/load" off the end. */
static bool cut_word(const char *text, size_t *length, const char *word)
{
    size_t tail = strlen(word) + 1;
    if (*length <= tail || text[*length - tail] != '/' ||
        strncmp(text + *length - tail + 1, word, tail - 1) != 0)
        return false;
    *length -= tail;
    return true;
}

static bool parse_name(const char *text, size_t length, struct site_name *name)
{
    *name = (struct site_name){.file = text, .kind = KINDS};
    name->failure = cut_word(text, &length, "failure");
    for (unsigned k = 0; k < KINDS && !name->failure && name->kind == KINDS; k++)
        if (cut_word(text, &length, kind_words[k]))
            name->kind = k;
    if (!cut_number(text, &length, &name->line))
        return false;
    unsigned long line;
    if (cut_number(text, &length, &line)) {
        name->column = name->line;
        name->line = line;
    }
    name->file_length = length;
    return length > 0;
}

static bool is_named(const struct order_site *site, const struct site_name *name)
{
    return site->line == name->line && is_file(site->file, name->file, name->file_length) &&
           (!name->column || site->column == name->column) && site->failure == name->failure &&
           (name->kind == KINDS || name->kind == (unsigned)site->kind);
}

/* Those of the same file, or of the same line if there are any. */
static void add_candidates(const struct order_sites *s, const struct site_name *name, struct text *out)
{
    bool by_line = false;
    unsigned added = 0;
    for (size_t k = 0; k < s->all.len; k++)
        by_line |=
            s->all.data[k].line == name->line && is_file(s->all.data[k].file, name->file, name->file_length);
    for (size_t k = 0; k < s->all.len && added < 12; k++) {
        const struct order_site *site = &s->all.data[k];
        if (!is_file(site->file, name->file, name->file_length) || (by_line && site->line != name->line))
            continue;
        text_puts(out, added++ ? ", " : "");
        order_site_add_name(site, out);
    }
}

bool order_sites_find_named(const struct order_sites *s, const char *name, size_t length, size_t *found,
                            struct diagnostic *why)
{
    struct site_name wanted;
    size_t count = 0;
    if (!parse_name(name, length, &wanted))
        return diagnostic_set(why, PL_USAGE, 0, 0,
                              "%.*s: a site is FILE:LINE, FILE:LINE:COLUMN, or one of these with /failure, "
                              "/load, /store, /update, /CAS or /fence behind it",
                              (int)length, name);
    for (size_t k = 0; k < s->all.len; k++)
        if (is_named(&s->all.data[k], &wanted)) {
            *found = k;
            count++;
        }
    if (count == 1)
        return true;
    struct text others = {0};
    add_candidates(s, &wanted, &others);
    diagnostic_set(why, PL_USAGE, 0, 0, "%.*s: %s%s%s", (int)length, name,
                   count ? "several atomic accesses are meant" : "there is no atomic access or fence",
                   others.len ? ": " : "", others.len ? others.data : "");
    text_free(&others);
    return false;
}

bool order_sites_resolve(const struct order_sites *s, const struct operand_list *options,
                         struct order_table *table, struct text *named, struct diagnostic *why)
{
    table->count = 0;
    for (size_t k = 0; k < options->len; k++) {
        const char *option = options->data[k], *equals = strrchr(option, '=');
        unsigned order = equals ? order_of_word(equals + 1, strlen(equals + 1)) : ORDER_PLAIN;
        size_t at;
        if (order == ORDER_PLAIN)
            return diagnostic_set(why, PL_USAGE, 0, 0,
                                  "--order %s: not SITE=ORDER, with one of relaxed, consume, "
                                  "acquire, release, acq_rel and seq_cst",
                                  option);
        if (!order_sites_find_named(s, option, (size_t)(equals - option), &at, why))
            return false;
        const struct order_site *site = &s->all.data[at];
        if (!order_fits(site, order))
            return diagnostic_set(why, PL_USAGE, 0, 0, "--order %s: %s cannot be %s", option,
                                  site->failure               ? "a failure"
                                  : site->kind == ATOMIC_LOAD ? "a load"
                                                              : "a store",
                                  order_word(order));
        if (!add_to_table(table, site, order))
            return diagnostic_set(why, PL_USAGE, 0, 0, "--order: these are more than %d calls",
                                  PROTOCOL_ORDERS);
        text_puts(named, named->len ? ", " : "");
        order_site_add_name(site, named);
        text_printf(named, " %s", order_word(order));
        if (site->order <= ORDER_SEQ_CST)
            text_printf(named, " instead of %s", order_word(site->order));
    }
    qsort(table->list, table->count, sizeof *table->list, compare_orders);
    return true;
}
