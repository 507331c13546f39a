/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of random histories, and answers that are guessed. */
#include "random_maker.h"

#include <stdio.h>
#include <string.h>

static plumb_value make_value(struct maker *m, unsigned number)
{
    char text[16];
    if (m->kind == STRINGS && m->cells && number == 1)
        return PLUMB_NONE;
    if (m->kind == STRINGS)
        return plumb_string(m->h->values, text, (size_t)snprintf(text, sizeof text, "v%u", number));
    return plumb_int(m->h->values, m->kind == WIDE ? INT64_MIN + number : number);
}

static unsigned add_number(struct maker *m)
{
    return m->unique ? m->fresh[m->used++ % 16] : 1 + below(m, m->values);
}

/* A value that may have been added. */
static plumb_value guess_value(struct maker *m)
{
    if (m->unique)
        return make_value(m, m->fresh[below(m, m->used ? m->used : 1) % 16]);
    return make_value(m, 1 + below(m, m->values));
}

static plumb_value make_small(struct maker *m, int64_t low, int64_t high)
{
    return plumb_int(m->h->values, between(m, low, high));
}

static plumb_value make_pair(struct maker *m, plumb_value a, plumb_value b)
{
    plumb_value items[2] = {a, b};
    return plumb_array(m->h->values, items, 2);
}

static plumb_value make_string(struct maker *m)
{
    char text[4] = {0};
    unsigned length = below(m, 8) ? 1 : below(m, 3);
    for (unsigned i = 0; i < length; i++)
        text[i] = m->unique ? (char)('a' + m->used++ % 26) : (char)('a' + below(m, m->values));
    return plumb_string(m->h->values, text, length);
}

static plumb_value make_item(struct maker *m)
{
    unsigned number = add_number(m);
    if (m->kind == STRINGS || (m->pairs && below(m, 4)))
        return make_pair(m, make_small(m, 1, 3), make_value(m, number));
    return make_value(m, number);
}

static plumb_value guess_register(struct maker *m)
{
    plumb_value unset = oracle_is(m->spec, "multiregister") ? PLUMB_NONE : plumb_int(m->h->values, 0);
    plumb_value first = m->initial == PLUMB_OK ? unset : m->initial;
    return chance(m, SOMETIMES) ? first : guess_value(m);
}

static plumb_value make_swap(struct maker *m)
{
    plumb_value now = m->states[0].value[0];
    plumb_value old = chance(m, OFTEN) ? now : guess_register(m);
    return make_pair(m, old, make_value(m, add_number(m)));
}

static plumb_value make_part(struct maker *m)
{
    bool writes = chance(m, OFTEN), is_long = chance(m, SOMETIMES);
    const char *kind = writes ? (is_long ? "write" : "w") : is_long ? "~:read" : "r";
    plumb_value items[3] = {plumb_string(m->h->values, kind, strlen(kind)), make_small(m, 1, m->keys),
                            PLUMB_NONE};
    if (writes)
        items[2] = make_value(m, add_number(m));
    return plumb_array(m->h->values, items, 3);
}

static plumb_value make_transaction(struct maker *m)
{
    plumb_value parts[3];
    unsigned count = 1 + below(m, 3);
    for (unsigned i = 0; i < count; i++)
        parts[i] = make_part(m);
    return plumb_array(m->h->values, parts, count);
}

/* Of the step's argument, with reads that are guessed; or nothing is said. */
static plumb_value guess_transaction(struct maker *m, plumb_value txn)
{
    plumb_value parts[3];
    unsigned count = (unsigned)plumb_array_count(m->h->values, txn);
    if (chance(m, SELDOM))
        return PLUMB_OK;
    for (unsigned i = 0; i < count; i++) {
        parts[i] = plumb_array_item(m->h->values, txn, i);
        plumb_value items[3] = {plumb_array_item(m->h->values, parts[i], 0),
                                plumb_array_item(m->h->values, parts[i], 1), guess_register(m)};
        size_t length;
        if (*plumb_string_of(m->h->values, items[0], &length) != 'w')
            parts[i] = plumb_array(m->h->values, items, 3);
    }
    return plumb_array(m->h->values, parts, count);
}

plumb_value make_argument(struct maker *m, char letter)
{
    switch (letter) {
    case 'v': return make_value(m, add_number(m));
    case 'p': return make_item(m);
    case 'k': return m->grows ? make_value(m, add_number(m)) : make_small(m, 1, m->keys);
    case 'V': return make_pair(m, make_small(m, 1, m->keys), make_value(m, add_number(m)));
    case 'S': return make_pair(m, make_small(m, 1, m->keys), make_string(m));
    case 'C': return make_swap(m);
    case 'T': return make_transaction(m);
    case 'n': return m->unlike ? make_small(m, -2, 3) : plumb_int(m->h->values, m->values);
    case 'U': return make_pair(m, make_small(m, 0, m->keys - 1), make_value(m, add_number(m)));
    case 'f': return make_small(m, 0, 2);
    default: return PLUMB_OK;
    }
}

static plumb_value guess_array(struct maker *m)
{
    plumb_value cells[3];
    unsigned length = m->keys + chance(m, SELDOM) - chance(m, SELDOM);
    length = length > 3 ? 3 : length;
    for (unsigned i = 0; i < length; i++)
        cells[i] = chance(m, SOMETIMES) ? plumb_int(m->h->values, 0) : guess_value(m);
    return plumb_array(m->h->values, cells, length);
}

static plumb_value guess_item(struct maker *m)
{
    if (oracle_is(m->spec, "set") && !m->grows)
        return make_small(m, 1, m->keys);
    return oracle_is(m->spec, "map") ? make_pair(m, make_small(m, 1, m->keys), guess_value(m))
                                     : guess_value(m);
}

static plumb_value guess_list(struct maker *m)
{
    plumb_value items[3];
    unsigned length = below(m, 4);
    for (unsigned i = 0; i < length; i++)
        items[i] = guess_item(m);
    return plumb_array(m->h->values, items, length);
}

plumb_value shuffle_list(struct maker *m, plumb_value list)
{
    plumb_value items[STEPS_MAX];
    unsigned length = (unsigned)plumb_array_count(m->h->values, list);
    for (unsigned i = 0; i < length; i++)
        items[i] = plumb_array_item(m->h->values, list, i);
    if (length > 1) {
        unsigned a = below(m, length), b = below(m, length);
        plumb_value item = items[a];
        items[a] = items[b];
        items[b] = item;
    }
    return plumb_array(m->h->values, items, length);
}

plumb_value guess_result(struct maker *m, const struct step *s)
{
    switch (s->shape->result) {
    case 'e': return chance(m, SOMETIMES) ? PLUMB_NONE : guess_value(m);
    case 'r': return guess_register(m);
    case 'b': return plumb_bool(chance(m, OFTEN));
    case 'i': return make_small(m, m->unlike ? -2 : 0, 3);
    case 's': return make_string(m);
    case 'a': return guess_array(m);
    case 'l': return guess_list(m);
    case 'k': return PLUMB_OK;
    case 't': return guess_transaction(m, s->arg);
    default: return m->spec->capacity && chance(m, OFTEN) ? plumb_bool(chance(m, OFTEN)) : PLUMB_OK;
    }
}

void choose_values(struct maker *m)
{
    m->cells = oracle_is(m->spec, "register") || oracle_is(m->spec, "snapshot") ||
               oracle_is(m->spec, "multiregister");
    m->unique = chance(m, OFTEN);
    m->keys = 1 + below(m, 2);
    m->values = 1 + below(m, 3);
    m->pairs = chance(m, OFTEN);
    m->unlike = chance(m, OFTEN);
    m->kind = below(m, 8) ? PLAIN : chance(m, OFTEN) ? STRINGS : WIDE;
    for (uint8_t i = 0; i < 16; i++) {
        unsigned j = below(m, i + 1u);
        m->fresh[i] = m->fresh[j];
        m->fresh[j] = (uint8_t)(i + 1);
    }
}

plumb_value choose_initial(struct maker *m)
{
    if (m->cells)
        return chance(m, OFTEN) ? PLUMB_NONE : make_value(m, 1 + below(m, 3));
    if (oracle_is(m->spec, "counter"))
        return chance(m, SOMETIMES) ? plumb_int(m->h->values, INT64_MAX - 1) : make_small(m, -1, 2);
    if (oracle_is(m->spec, "semaphore") || oracle_is(m->spec, "latch"))
        return make_small(m, 0, 3);
    return oracle_is(m->spec, "barrier") ? make_small(m, 1, 3) : PLUMB_OK;
}
