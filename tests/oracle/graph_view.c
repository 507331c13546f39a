/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/graph_view.h"

#include "base/check.h"
#include "base/hash.h"

#include <stdio.h>

unsigned view_cells(const struct program *p, uint32_t location)
{
    unsigned least = 8;
    for (uint32_t t = 0; t < p->thread_count; t++)
        for (size_t k = 0; k < p->threads[t].code.len; k++) {
            const struct instruction *i = &p->threads[t].code.data[k];
            if (i->location == location && program_size_of(i) < least)
                least = program_size_of(i);
        }
    CHECK(8 / least <= VIEW_CELLS);
    return 8 / least;
}

void view_set_cells(struct view_step *s, const struct program *p, uint32_t location, unsigned offset,
                    unsigned size)
{
    unsigned bytes = 8 / view_cells(p, location);
    s->location = location;
    s->cell = (uint8_t)(offset / bytes);
    s->cells = (uint8_t)(size / bytes);
}

void view_clear(struct view *v)
{
    v->thread_count = 0;
    for (uint32_t t = 0; t < VIEW_THREADS; t++)
        vec_clear(&v->threads[t]);
    for (uint32_t l = 0; l < PROGRAM_LOCATIONS_MAX; l++)
        for (unsigned c = 0; c < VIEW_CELLS; c++)
            vec_clear(&v->order[l][c]);
}

void view_free(struct view *v)
{
    for (uint32_t t = 0; t < VIEW_THREADS; t++)
        vec_free(&v->threads[t]);
    for (uint32_t l = 0; l < PROGRAM_LOCATIONS_MAX; l++)
        for (unsigned c = 0; c < VIEW_CELLS; c++)
            vec_free(&v->order[l][c]);
}

static uint64_t name_of(uint16_t thread, const uint16_t *names)
{
    return names && thread != VIEW_INITIAL ? names[thread] : thread;
}

static uint64_t write_key(struct view_write w, const uint16_t *names)
{
    return name_of(w.thread, names) << 16 | (w.thread == VIEW_INITIAL ? 0 : w.number);
}

static uint64_t hash_thread(const struct view *v, uint32_t thread, bool strip, const uint16_t *names)
{
    uint64_t h = name_of((uint16_t)thread, names);
    for (size_t k = 0; k < v->threads[thread].len; k++) {
        const struct view_step *s = &v->threads[thread].data[k];
        if (strip && s->waits)
            continue;
        h = hash_combine(h, (uint64_t)s->cells << 32 | (uint64_t)s->cell << 24 | (uint64_t)s->fails << 16 |
                                (uint64_t)s->kind << 8 | s->location);
        h = hash_combine(h, (uint64_t)s->value);
        for (unsigned c = 0; s->kind == 'R' && c < s->cells; c++)
            h = hash_combine(h, write_key(s->from[c], names));
    }
    return h;
}

/* Threads are added up, so that their names alone decide. */
uint64_t view_hash(const struct view *v, bool strip, const uint16_t *names)
{
    uint64_t h = 0;
    for (uint32_t t = 1; t < v->thread_count; t++)
        if (v->threads[t].len > 0)
            h += hash_word(hash_thread(v, t, strip, names));
    for (uint32_t l = 0; l < PROGRAM_LOCATIONS_MAX; l++)
        for (unsigned c = 0; c < VIEW_CELLS; c++) {
            uint64_t order = 1000 + VIEW_CELLS * l + c;
            for (size_t k = 0; k < v->order[l][c].len; k++)
                order = hash_combine(order, write_key(v->order[l][c].data[k], names));
            h += hash_word(order);
        }
    return h;
}

/* What the write left in the cell, at its place in the location. */
static uint64_t value_of(const struct view *v, struct view_write w, unsigned cell, unsigned bits)
{
    uint32_t number = 0;
    const struct view_step *s = NULL;
    for (size_t k = 0; k < v->threads[w.thread].len && !s; k++)
        if (v->threads[w.thread].data[k].kind == 'W' && number++ == w.number)
            s = &v->threads[w.thread].data[k];
    CHECK(s && s->cell <= cell && cell < s->cell + s->cells);
    return (uint64_t)s->value << s->cell * bits;
}

void view_last_values(const struct view *v, const struct program *p, int64_t *last)
{
    for (uint32_t l = 0; l < p->location_count; l++) {
        unsigned cells = view_cells(p, l), bits = 64 / cells;
        uint64_t value = 0;
        for (unsigned c = 0; c < cells; c++) {
            uint64_t here = v->order[l][c].len ? value_of(v, vec_last(&v->order[l][c]), c, bits)
                                               : (uint64_t)p->initial[l];
            value |= here & UINT64_MAX >> (64 - bits) << c * bits;
        }
        last[l] = (int64_t)value;
    }
}

uint64_t view_state_hash(const struct program *p, const int64_t (*registers)[PROGRAM_REGISTERS_MAX],
                         const int64_t *last, const uint16_t *names)
{
    uint64_t h = 0;
    for (uint32_t t = 0; t < p->thread_count; t++)
        for (uint32_t r = 0; r < PROGRAM_REGISTERS_MAX; r++)
            if (registers[t][r] != 0)
                h += hash_combine(name_of((uint16_t)(t + 1), names) << 8 | r, (uint64_t)registers[t][r]);
    for (uint32_t l = 0; l < p->location_count; l++)
        h += hash_combine(1 << 30 | l, (uint64_t)last[l]);
    return h;
}

static void print_write(struct view_write w)
{
    if (w.thread == VIEW_INITIAL)
        printf("init");
    else
        printf("%u.%u", w.thread, w.number);
}

static void print_step(const struct view_step *s)
{
    printf(" %c", s->kind);
    if (s->kind == 'R' || s->kind == 'W')
        printf("%c%u/%u=%lld", 'x' + (char)s->location, s->cell, s->cells, (long long)s->value);
    for (unsigned c = 0; s->kind == 'R' && c < s->cells; c++) {
        printf(c ? "," : "<");
        print_write(s->from[c]);
    }
    if (s->kind == 'R')
        printf(s->waits ? ">!" : s->fails ? ">x" : ">");
}

void view_print(const struct view *v)
{
    for (uint32_t t = 1; t < v->thread_count; t++) {
        printf("    %u:", t);
        for (size_t k = 0; k < v->threads[t].len; k++)
            print_step(&v->threads[t].data[k]);
        printf("\n");
    }
    for (uint32_t l = 0; l < PROGRAM_LOCATIONS_MAX; l++)
        for (unsigned c = 0; c < VIEW_CELLS; c++) {
            if (v->order[l][c].len > 0)
                printf("    %c%u:", 'x' + (char)l, c);
            for (size_t k = 0; k < v->order[l][c].len; k++) {
                printf(" ");
                print_write(v->order[l][c].data[k]);
            }
            if (v->order[l][c].len > 0)
                printf("\n");
        }
}
