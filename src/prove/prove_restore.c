/* SPDX-License-Identifier: Apache-2.0 */
/* From forms to native states, and where forms are kept. */
#include "prove/prove_form.h"

/* --- the other way round ------------------------------------------------------------------------------------------------------ */

struct reader {
    const uint8_t *at;
};

static void take(struct reader *r, void *to, size_t count)
{
    memcpy(to, r->at, count);
    r->at += count;
}

static void read_globals(struct reader *r)
{
    struct prove_program *p = &prove.program;
    uint32_t count, line;
    prove_lines_look();
    for (size_t i = 0; i < prove_hot_lines.len; i++) {
        size_t offset = (size_t)prove_hot_lines.data[i] * PROVE_LINE;
        memcpy(p->globals + offset, p->globals_start + offset, PROVE_LINE);
    }
    take(r, &count, sizeof count);
    for (uint32_t i = 0; i < count; i++) {
        take(r, &line, sizeof line);
        take(r, p->globals + (size_t)line * PROVE_LINE, PROVE_LINE);
    }
}

static void read_content(struct reader *r, const struct prove_block *b)
{
    uint8_t *shadow = prove_shadow(b->address), unwritten = prove.state.dialect->unwritten;
    for (uint32_t at = 0; at < b->size; at += PROVE_WORD) {
        uint8_t written, word[PROVE_WORD];
        take(r, &written, 1);
        take(r, word, PROVE_WORD);
        for (uint32_t i = 0; i < PROVE_WORD && at + i < b->size; i++) {
            shadow[at + i] = written >> i & 1;
            ((uint8_t *)b->address)[at + i] = shadow[at + i] ? word[i] : unwritten;
        }
    }
}

static void read_blocks(struct reader *r, uint32_t count)
{
    struct prove_state *s = &prove.state;
    uint64_t cursor = prove_first_cursor(s->dialect);
    s->block_count = count;
    for (uint32_t n = 0; n < count; n++) {
        struct prove_block *b = &s->blocks[n];
        uint8_t bits;
        *b = (struct prove_block){0};
        take(r, &b->size, sizeof b->size);
        take(r, &bits, 1);
        b->freed = bits & 1;
        b->is_aligned = bits >> 1;
        b->address = prove_take_room(s->dialect, &cursor, b);
        if (!b->freed)
            read_content(r, b);
    }
    for (uint32_t n = 0; n < count; n++)
        take(r, &s->blocks[n].owner, 1);
    s->next = s->dialect->is_reversed ? prove_middle(s->dialect) : cursor;
}

static void read_thread(struct reader *r, unsigned thread, const uint8_t *end)
{
    struct prove_thread *t = &prove.state.threads[thread];
    uint8_t head[4];
    uint64_t words[PROVE_OPEN_WORDS];
    *t = (struct prove_thread){0};
    take(r, head, sizeof head);
    take(r, prove.state.tls[thread], (prove.program.tls_size + PROVE_WORD - 1) & ~(size_t)(PROVE_WORD - 1));
    t->is_open = head[0];
    t->op = head[1];
    if (!t->is_open)
        return;
    take(r, words, sizeof words);
    t->registers.hook = words[0];
    t->registers.pc = words[1];
    t->registers.sp = words[2];
    memcpy(t->registers.saved, words + 3, sizeof t->registers.saved);
    memcpy(t->registers.arguments, words + 3 + PROVE_SAVED_COUNT, sizeof t->registers.arguments);
    t->buffer.count = head[2];
    for (uint32_t i = 0; i < t->buffer.count; i++) {
        uint64_t store[3];
        take(r, store, sizeof store);
        t->buffer.stores[i] =
            (struct prove_store){.address = store[0], .value = store[1], .size = (uint32_t)store[2]};
    }
    take(r, (void *)t->registers.sp, (size_t)(end - r->at));
}

void prove_form_read(const struct prove_form *f, const struct prove_dialect *dialect)
{
    struct reader r = {f->shared.data};
    uint32_t blocks;
    prove.state.dialect = dialect;
    memcpy(&blocks, f->shared.data + f->shared.len - sizeof blocks, sizeof blocks);
    read_globals(&r);
    read_blocks(&r, blocks);
    for (uint32_t t = 0; t < prove.threads; t++) {
        struct reader thread = {f->threads[t].data};
        read_thread(&thread, t, f->threads[t].data + f->threads[t].len);
    }
}

void prove_form_free(struct prove_form *f)
{
    vec_free(&f->shared);
    for (unsigned t = 0; t < PROVE_THREADS_MAX; t++)
        vec_free(&f->threads[t]);
}

/* --- kept ------------------------------------------------------------------------------------------------------------------------ */

uint32_t prove_images_add(struct prove_images *x, const struct prove_form *f)
{
    uint32_t tuple[PROVE_THREADS_MAX + 1];
    for (uint32_t t = 0; t < prove.threads; t++)
        tuple[t] = intern_add(&x->parts, f->threads[t].data, f->threads[t].len, NULL);
    tuple[prove.threads] = intern_add(&x->parts, f->shared.data, f->shared.len, NULL);
    return intern_add(&x->tuples, tuple, (prove.threads + 1) * sizeof *tuple, NULL);
}

void prove_images_get(const struct prove_images *x, uint32_t number, struct prove_form *f)
{
    uint32_t tuple[PROVE_THREADS_MAX + 1];
    size_t length;
    memcpy(tuple, intern_get(&x->tuples, number, &length), (prove.threads + 1) * sizeof *tuple);
    for (uint32_t t = 0; t < prove.threads; t++) {
        const uint8_t *bytes = intern_get(&x->parts, tuple[t], &length);
        f->threads[t].len = 0;
        PROVE_PUT(f->threads[t], bytes, length);
    }
    const uint8_t *bytes = intern_get(&x->parts, tuple[prove.threads], &length);
    f->shared.len = 0;
    PROVE_PUT(f->shared, bytes, length);
}

size_t prove_images_footprint(const struct prove_images *x)
{
    return intern_footprint(&x->parts) + intern_footprint(&x->tuples);
}

void prove_images_clear(struct prove_images *x)
{
    intern_clear(&x->parts);
    intern_clear(&x->tuples);
}
