/* SPDX-License-Identifier: Apache-2.0 */
/* Happens-before and races of a small execution, as the memory model defines them: relations between events,
 * looked at pair by pair. Shares nothing with src/engine/race/clocks.c but the numbers of kinds and orders. */
#ifndef TESTS_CLOCKS_ORACLE_H
#define TESTS_CLOCKS_ORACLE_H

#include "graph/event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BASE UINT64_C(0x7f0000001000)

/* An execution: its events in the order in which they happen */

enum { STEPS_MAX = 64, REGION = 40 }; /* REGION: bytes from BASE on that accesses lie in */

struct step {
    enum event_kind kind;
    uint32_t thread, other; /* CREATE, JOIN: the other thread */
    uint32_t life;          /* of a thread number that is used more than once */
    uint32_t other_life;
    uint64_t address;
    size_t size;
    unsigned order;
};

struct execution {
    struct step steps[STEPS_MAX];
    uint64_t before[STEPS_MAX];     /* happens-before, one bit per earlier event */
    uint64_t reads_from[STEPS_MAX]; /* of an atomic read: atomic writes that it takes a byte from */
    uint32_t count;
};

static uint64_t bit(uint32_t i)
{
    return UINT64_C(1) << i;
}

static bool is_atomic(const struct step *s)
{
    return s->kind == EVENT_READ || s->kind == EVENT_WRITE || s->kind == EVENT_UPDATE ||
           s->kind == EVENT_CAS_FAILED;
}

static bool is_access(const struct step *s)
{
    return is_atomic(s) || s->kind == EVENT_PLAIN_READ || s->kind == EVENT_PLAIN_WRITE;
}

static bool is_write(const struct step *s)
{
    return s->kind == EVENT_WRITE || s->kind == EVENT_UPDATE || s->kind == EVENT_PLAIN_WRITE;
}

static bool is_atomic_read(const struct step *s)
{
    return is_atomic(s) && s->kind != EVENT_WRITE;
}

static bool acquires(const struct step *s)
{
    bool strong = s->order == ORDER_CONSUME || s->order == ORDER_ACQUIRE || s->order == ORDER_ACQ_REL ||
                  s->order == ORDER_SEQ_CST;
    return strong && (is_atomic_read(s) || s->kind == EVENT_FENCE);
}

static bool releases(const struct step *s)
{
    bool strong = s->order == ORDER_RELEASE || s->order == ORDER_ACQ_REL || s->order == ORDER_SEQ_CST;
    return strong && (s->kind == EVENT_WRITE || s->kind == EVENT_UPDATE || s->kind == EVENT_FENCE);
}

static bool touches(const struct step *s, uint64_t address)
{
    return address - s->address < s->size;
}

static bool program_order(const struct execution *e, uint32_t i, uint32_t j)
{
    return i < j && e->steps[i].thread == e->steps[j].thread && e->steps[i].life == e->steps[j].life;
}

static bool forgotten_between(const struct execution *e, uint64_t address, uint32_t i, uint32_t j)
{
    for (uint32_t k = i + 1; k < j; k++)
        if (e->steps[k].kind == EVENT_FREE && touches(&e->steps[k], address))
            return true;
    return false;
}

/* The oracle */

static uint64_t oracle_reads_from(const struct execution *e, uint32_t r)
{
    const struct step *read = &e->steps[r];
    uint64_t from = 0;
    for (uint64_t a = read->address; a < read->address + read->size; a++) {
        uint32_t i = r;
        while (i > 0 && !(is_write(&e->steps[i - 1]) && touches(&e->steps[i - 1], a)))
            i--;
        if (i > 0 && is_atomic(&e->steps[i - 1]) && !forgotten_between(e, a, i - 1, r))
            from |= bit(i - 1);
    }
    return from;
}

/* The writes whose release sequence the read takes a byte from: through updates, backwards. */
static uint64_t oracle_sequences(const struct execution *e, uint32_t r)
{
    uint64_t heads = e->reads_from[r];
    for (uint32_t i = r; i-- > 0;)
        if ((heads & bit(i)) && e->steps[i].kind == EVENT_UPDATE)
            heads |= e->reads_from[i];
    return heads;
}

/* sw = [REL]; ([F]; po)?; rs; rf; (po; [F])?; [ACQ], into event b */
static uint64_t oracle_synchronizes(const struct execution *e, uint32_t b)
{
    uint64_t writes = 0, sources = 0;
    if (!acquires(&e->steps[b]))
        return 0;
    for (uint32_t r = 0; r <= b; r++)
        if (is_atomic_read(&e->steps[r]) &&
            (r == b || (e->steps[b].kind == EVENT_FENCE && program_order(e, r, b))))
            writes |= oracle_sequences(e, r);
    for (uint32_t w = 0; w < b; w++)
        for (uint32_t a = 0; a <= w && (writes & bit(w)); a++)
            if (releases(&e->steps[a]) &&
                (a == w || (e->steps[a].kind == EVENT_FENCE && program_order(e, a, w))))
                sources |= bit(a);
    return sources;
}

static bool oracle_thread_or_object_edge(const struct execution *e, uint32_t i, uint32_t j)
{
    const struct step *a = &e->steps[i], *b = &e->steps[j];
    if (a->kind == EVENT_CREATE && a->other == b->thread && a->other_life == b->life)
        return true;
    if (b->kind == EVENT_JOIN && b->other == a->thread && b->other_life == a->life)
        return true;
    if (b->kind == EVENT_JOIN && a->kind == EVENT_CREATE && a->other == b->other &&
        a->other_life == b->other_life)
        return true; /* through a thread that did nothing */
    return a->kind == EVENT_UNLOCK && b->kind == EVENT_LOCK && a->address == b->address &&
           !forgotten_between(e, a->address, i, j);
}

/* Fills in what the last event reads from and what happens before it. */
static void oracle_extend(struct execution *e)
{
    uint32_t j = e->count - 1;
    e->reads_from[j] = is_atomic_read(&e->steps[j]) ? oracle_reads_from(e, j) : 0;
    uint64_t direct = oracle_synchronizes(e, j);
    for (uint32_t i = 0; i < j; i++)
        if (program_order(e, i, j) || oracle_thread_or_object_edge(e, i, j))
            direct |= bit(i);
    e->before[j] = direct;
    for (uint32_t i = 0; i < j; i++)
        if (direct & bit(i))
            e->before[j] |= e->before[i];
}

static bool oracle_conflict_at(const struct execution *e, uint32_t i, uint32_t j, uint64_t address)
{
    const struct step *a = &e->steps[i], *b = &e->steps[j];
    return is_access(a) && is_access(b) && (is_write(a) || is_write(b)) && !(is_atomic(a) && is_atomic(b)) &&
           touches(a, address) && touches(b, address) && !forgotten_between(e, address, i, j);
}

static bool oracle_races_at(const struct execution *e, uint32_t i, uint32_t j, uint64_t address)
{
    return i < j && !(e->before[j] & bit(i)) && oracle_conflict_at(e, i, j, address);
}

static bool oracle_last_races(const struct execution *e)
{
    uint32_t j = e->count - 1;
    for (uint32_t i = 0; i < j; i++)
        for (uint64_t a = BASE; a < BASE + REGION && !(e->before[j] & bit(i)); a++)
            if (oracle_races_at(e, i, j, a))
                return true;
    return false;
}

#endif
