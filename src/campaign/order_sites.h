/* SPDX-License-Identifier: Apache-2.0 */
/* The atomic accesses and fences of a program by their places in the source, and memory orders for them other than those that
 * they are written with. Several calls in the machine code with one line, column and kind are one site; the order that a
 * comparison has when it fails is a site of its own. */
#ifndef CAMPAIGN_ORDER_SITES_H
#define CAMPAIGN_ORDER_SITES_H

#include "base/diagnostic.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"
#include "engine/shared/protocol.h"
#include "target/code/atomic_calls.h"

struct order_site {
    const char *file;
    uint32_t line, column; /* column 0: unknown */
    const char *function;  /* null: unknown */
    enum atomic_kind kind;
    bool failure; /* the order of a comparison that fails */
    /* its place, with a site of another kind: the two are named "queue.c:12:5/load" and so on */
    bool shares;
    bool ran; /* in some execution; known after order_sites_note */
    /* As written (enum memory_order_tag); ORDER_PLAIN: it is not a constant, or not known */
    uint8_t order;
    VEC(uint64_t) pcs; /* of its calls, by address */
};

struct order_sites {
    VEC(struct order_site) all; /* by file, line, column, kind */
    /* Calls in functions of library headers, which have no place in the user's source */
    uint32_t in_libraries;
    /* Calls of which nothing is known: the code has no debug information */
    uint32_t without_place;
    atomic_calls calls;
    struct arena strings;
};

/* What is to be instead of what is written, one entry for each site; ORDER_PLAIN: as written. */
struct order_table {
    uint32_t count;
    struct worker_order list[PROTOCOL_ORDERS];
};

void order_sites_find(struct order_sites *s, const char *program);
void order_sites_free(struct order_sites *s);

/* The calls of all sites k with orders[k] other than ORDER_PLAIN; with `all` every call, so that a worker with watch_orders
 * notes which of them happen. False: there are too many. */
bool order_sites_table(const struct order_sites *s, const uint8_t *orders, bool all,
                       struct order_table *table);
/* Takes over what a worker has seen that ran with all calls. */
void order_sites_note(struct order_sites *s, const struct worker_shared *shared);

/* May the site have that order? A load cannot release, a store cannot acquire, a failure writes nothing. */
bool order_fits(const struct order_site *site, unsigned order);

/* "relaxed" and so on; ORDER_PLAIN if it is none. */
unsigned order_of_word(const char *word, size_t length);
const char *order_word(unsigned order);

/* Adds "queue.c:12:5", "queue.c:12:5/failure" or, if there are several at that place, "queue.c:12:5/load". */
void order_site_add_name(const struct order_site *site, struct text *out);
/* The same without the file. */
void order_site_add_place(const struct order_site *site, struct text *out);
const char *order_kind_word(enum atomic_kind kind);

/* The site that FILE:LINE[:COLUMN][/failure] or FILE:LINE[:COLUMN]/KIND names. False: a diagnostic says which there are. */
bool order_sites_find_named(const struct order_sites *s, const char *name, size_t length, size_t *found,
                            struct diagnostic *why);

/* The --order options, SITE=ORDER each; `named`: what is different, as text, for the caller to free. */
bool order_sites_resolve(const struct order_sites *s, const struct operand_list *options,
                         struct order_table *table, struct text *named, struct diagnostic *why);

#endif
