/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/graph_view.h"

#include "base/hash.h"

#include <stdio.h>

void view_clear(struct view *v)
{
    v->thread_count = 0;
    for (uint32_t t = 0; t < VIEW_THREADS; t++)
        vec_clear(&v->threads[t]);
    for (uint32_t l = 0; l < PROGRAM_LOCATIONS_MAX; l++)
        vec_clear(&v->order[l]);
}

void view_free(struct view *v)
{
    for (uint32_t t = 0; t < VIEW_THREADS; t++)
        vec_free(&v->threads[t]);
    for (uint32_t l = 0; l < PROGRAM_LOCATIONS_MAX; l++)
        vec_free(&v->order[l]);
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
        h = hash_combine(h, (uint64_t)s->fails << 16 | (uint64_t)s->kind << 8 | s->location);
        h = hash_combine(h, (uint64_t)s->value);
        if (s->kind == 'R')
            h = hash_combine(h, write_key(s->from, names));
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
    for (uint32_t l = 0; l < PROGRAM_LOCATIONS_MAX; l++) {
        uint64_t order = 1000 + l;
        for (size_t k = 0; k < v->order[l].len; k++)
            order = hash_combine(order, write_key(v->order[l].data[k], names));
        h += hash_word(order);
    }
    return h;
}

static int64_t value_of(const struct view *v, struct view_write w)
{
    uint32_t number = 0;
    for (size_t k = 0; k < v->threads[w.thread].len; k++)
        if (v->threads[w.thread].data[k].kind == 'W' && number++ == w.number)
            return v->threads[w.thread].data[k].value;
    return INT64_MIN;
}

void view_last_values(const struct view *v, const struct program *p, int64_t *last)
{
    for (uint32_t l = 0; l < p->location_count; l++)
        last[l] = v->order[l].len ? value_of(v, vec_last(&v->order[l])) : p->initial[l];
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
        printf("%c=%lld", 'x' + (char)s->location, (long long)s->value);
    if (s->kind == 'R') {
        printf("<");
        print_write(s->from);
        printf(s->waits ? ">!" : s->fails ? ">x" : ">");
    }
}

void view_print(const struct view *v)
{
    for (uint32_t t = 1; t < v->thread_count; t++) {
        printf("    %u:", t);
        for (size_t k = 0; k < v->threads[t].len; k++)
            print_step(&v->threads[t].data[k]);
        printf("\n");
    }
    for (uint32_t l = 0; l < PROGRAM_LOCATIONS_MAX; l++) {
        if (v->order[l].len > 0)
            printf("    %c:", 'x' + (char)l);
        for (size_t k = 0; k < v->order[l].len; k++) {
            printf(" ");
            print_write(v->order[l].data[k]);
        }
        if (v->order[l].len > 0)
            printf("\n");
    }
}
