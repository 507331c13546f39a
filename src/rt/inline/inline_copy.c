/* SPDX-License-Identifier: Apache-2.0 */
/* The copy of a piece of inline assembly. Instructions stay as they are, but for distances; jumps inside of the piece stay
 * inside of the copy, others lead back into the program. */
#include "rt/inline/inline_code.h"

#if defined(__x86_64__)

#include "engine/real.h"

#include <string.h>

/* A distance in the copy that is known when all of it is there. */
struct fixup {
    char *at; /* four bytes, relative to their end */
    uint64_t target;
};

struct copy {
    struct inline_block *block;
    struct inline_room *room;
    VEC(char *) places; /* of each instruction, with what stands before it */
    VEC(struct fixup) fixups;
    bool fits;
};

static void put(struct copy *c, const void *bytes, size_t count)
{
    if (c->room->at + count > c->room->end) {
        c->fits = false;
        return;
    }
    real.memcpy(c->room->at, bytes, count);
    c->room->at += count;
}

#define PUT(c, ...) put(c, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

static void put_distance(struct copy *c, uint64_t target)
{
    int64_t distance = (int64_t)(target - ((uint64_t)c->room->at + 4));
    int32_t narrow = (int32_t)distance;
    c->fits &= narrow == distance;
    put(c, &narrow, sizeof narrow);
}

static void put_branch_distance(struct copy *c, uint64_t target)
{
    vec_push(&c->fixups, ((struct fixup){c->room->at, target}));
    PUT(c, 0, 0, 0, 0);
}

/* The call of inline_enter, below what the program may have in its red zone. */
static void put_call(struct copy *c, const struct inline_site *s)
{
    PUT(c, 0x48, 0x8d, 0x64, 0x24, 0x80); /* lea -128(%rsp), %rsp */
    PUT(c, 0xff, 0x35);                   /* push */
    put_distance(c, (uint64_t)&s->pc);
    PUT(c, 0xff, 0x35);
    put_distance(c, (uint64_t)&s->self);
    PUT(c, 0xff, 0x15); /* call */
    put_distance(c, (uint64_t)&s->enter);
    PUT(c, 0x48, 0x8d, 0xa4, 0x24, 0x90, 0, 0, 0); /* lea 144(%rsp), %rsp */
}

/* Of the registers that may hold something of the program's. */
static void note_live(struct inline_site *s, uint64_t address, uint64_t kept)
{
    uint64_t unsure;
    s->live = inline_find_live(address, &unsure) & kept;
    s->unsure = unsure & s->live;
    s->saves_vectors = s->live & MACHINE_VECTORS;
}

static struct inline_site *add_site(struct copy *c, const struct machine_instruction *d)
{
    struct inline_room *r = c->room;
    if (r->sites == r->sites_end) {
        c->fits = false;
        return NULL;
    }
    struct inline_site *s = r->sites++;
    *s = (struct inline_site){.code = *d,
                              .means = inline_means(d),
                              .pc = d->next,
                              .self = (uint64_t)s,
                              .enter = (uint64_t)inline_enter};
    s->compiled = c->block->compiled;
    if (s->compiled) { /* it is no place where loops wait */
        s->saves_vectors = true;
        return s;
    }
    note_live(s, d->address, inline_find_kept(d->address));
    return s;
}

static void put_before(struct copy *c, const struct machine_instruction *d)
{
    struct inline_site *s = add_site(c, d);
    if (s)
        put_call(c, s);
}

static void put_after(struct copy *c, const struct machine_instruction *d)
{
    struct inline_site *s = add_site(c, d);
    if (!s)
        return;
    s->after = true;
    note_live(s, d->next, UINT64_MAX);
    put_call(c, s);
}

/* jcc, jmp, loop: to a place given in four bytes. */
static void put_jump(struct copy *c, const struct machine_instruction *d)
{
    const uint8_t *code = (const uint8_t *)d->address;
    if (d->flow == FLOW_JUMP) {
        PUT(c, 0xe9);
    } else if (d->short_only) { /* to a jump behind a jump that is taken otherwise */
        put(c, code, d->next - d->address - 1);
        PUT(c, 2, 0xeb, 5, 0xe9);
    } else {
        while (*code == 0x2e || *code == 0x3e || *code == 0xf2) /* hints */
            code++;
        PUT(c, 0x0f, (uint8_t)(0x80 | (code[*code == 0x0f] & 0xf)));
    }
    put_branch_distance(c, d->target);
}

static void put_instruction(struct copy *c, const struct machine_instruction *d)
{
    char *at = c->room->at;
    if (d->target && (d->flow == FLOW_JUMP || d->flow == FLOW_BRANCH)) {
        put_jump(c, d);
        return;
    }
    put(c, (const void *)d->address, d->next - d->address);
    if (!d->memory.relative || !c->fits)
        return;
    int64_t distance = d->memory.distance - (int64_t)(at + (d->next - d->address));
    int32_t narrow = (int32_t)distance;
    c->fits &= narrow == distance;
    real.memcpy(at + d->memory.distance_at, &narrow, sizeof narrow);
}

static bool is_inside(const struct inline_block *b, uint64_t address)
{
    return address - (uint64_t)(b->mark + INLINE_MARK) < b->length;
}

/* The place in the copy of an address in the piece; null: it is no instruction's. */
static char *place_of(const struct copy *c, uint64_t address)
{
    for (size_t k = 0; k < c->places.len; k++)
        if (c->block->code.data[k].address == address)
            return c->places.data[k];
    return NULL;
}

static void fix(struct copy *c)
{
    for (size_t k = 0; k < c->fixups.len && c->fits; k++) {
        struct fixup f = c->fixups.data[k];
        char *to =
            c->block->understood && is_inside(c->block, f.target) ? place_of(c, f.target) : (char *)f.target;
        int64_t distance = to - (f.at + 4);
        int32_t narrow = (int32_t)distance;
        c->fits &= to && narrow == distance;
        real.memcpy(f.at, &narrow, sizeof narrow);
    }
}

static void put_all(struct copy *c)
{
    struct inline_block *b = c->block;
    for (size_t k = 0; k < b->code.len && c->fits; k++) {
        const struct machine_instruction *d = &b->code.data[k];
        vec_push(&c->places, c->room->at);
        inline_note_moved((struct inline_moved){(const char *)d->address, c->room->at});
        if (inline_means(d).action != INLINE_QUIET)
            put_before(c, d);
        put_instruction(c, d);
        if (c->room->fences && d->locked && inline_means(d).action == INLINE_ACCESS)
            put_after(c, d);
    }
    PUT(c, 0xe9); /* jmp */
    put_branch_distance(c, (uint64_t)(b->mark + INLINE_MARK + b->length));
}

/* A piece that cannot be copied: a thread that comes there stops with that message. */
static void put_refusal(struct copy *c)
{
    struct machine_instruction d = {.address = (uint64_t)c->block->mark + INLINE_MARK,
                                    .next = (uint64_t)c->block->mark + INLINE_MARK + 1,
                                    .name = "something that is not understood",
                                    .kind = KIND_SYSTEM};
    put_before(c, &d);
    PUT(c, 0xe9);
    put_branch_distance(c, d.address);
}

bool inline_copy(struct inline_block *b, struct inline_room *room)
{
    struct inline_room before = *room;
    struct copy c = {.block = b, .room = room, .fits = b->understood};
    if (c.fits)
        put_all(&c);
    fix(&c);
    if (!c.fits) {
        b->understood = false;
        *room = before;
        c.fits = true;
        c.places.len = c.fixups.len = 0;
        put_refusal(&c);
        fix(&c);
    }
    vec_free(&c.places);
    vec_free(&c.fixups);
    return c.fits;
}

#endif
