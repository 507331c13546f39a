/* SPDX-License-Identifier: Apache-2.0 */
/* The marks that plumb-as left in the program's code. */
#include "rt/inline/inline_code.h"

#include "graph/model.h"
#if defined(__x86_64__)

#include "base/check.h"
#include "base/memory.h"
#include "engine/engine_state.h"
#include "engine/memory/snapshot.h"

#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static VEC(struct inline_moved) moved; /* by where they went, in each module */
static VEC(struct inline_block) trapped;

void inline_note_moved(struct inline_moved m)
{
    vec_push(&moved, m);
}

const void *inline_original(const void *pc)
{
    enum { LONGEST = 64 }; /* with the call before it */
    for (size_t k = moved.len; k-- > 0;) {
        const char *to = moved.data[k].to;
        if (to < (const char *)pc && (const char *)pc - to <= LONGEST)
            return moved.data[k].from + 1;
    }
    return pc;
}

bool inline_is_trapped(const void *pc)
{
    for (size_t k = 0; k < trapped.len; k++) {
        const char *from = trapped.data[k].mark + INLINE_MARK;
        if ((const char *)pc > from && (const char *)pc <= from + trapped.data[k].length + 1)
            return true;
    }
    return false;
}

static const unsigned char mark[] = {0x0f, 0x1f, 0x84, 0, 'P', 'l', 'A', 's', 0x0f, 0x1f, 0x84, 0};
_Static_assert(sizeof mark + sizeof(uint32_t) == INLINE_MARK, "the length follows");
#define ALONE (UINT32_C(1) << 31) /* in the length */
#define COMPILED (UINT32_C(1) << 30)

enum { JUMP = 5, TRAP = 0xcc, NEAR = 1 << 30, STRIDE = 1 << 20 };

typedef VEC(struct inline_block) block_list;

static void decode_block(struct inline_block *b)
{
    const char *at = b->mark + INLINE_MARK, *end = at + b->length;
    b->understood = true;
    while (at < end && b->understood) {
        struct machine_instruction d;
        b->understood = machine_decode((uint64_t)at, (size_t)(end - at), &d);
        if (b->understood && b->alone && d.flow == FLOW_JUMP && !d.target)
            b->understood = false; /* it may lead into the middle of something */
        if (b->understood)
            vec_push(&b->code, d);
        at = (const char *)d.next;
    }
}

static void find_blocks(char *from, size_t size, block_list *into)
{
    char *end = from + size;
    for (char *at = from; (at = memmem(at, (size_t)(end - at), mark, sizeof mark)); at += sizeof mark) {
        struct inline_block b = {.mark = at};
        memcpy(&b.length, at + sizeof mark, sizeof b.length);
        b.alone = b.length & ALONE;
        b.compiled = b.length & COMPILED;
        b.length &= ~(ALONE | COMPILED);
        if (b.length > (size_t)(end - at) - INLINE_MARK)
            continue;
        decode_block(&b);
        vec_push(into, b);
    }
}

/* Near the code, for distances of four bytes. */
static void *map_near(char *code, size_t size)
{
    for (char *hint = code; hint < code + NEAR; hint += STRIDE) {
        void *room = mmap(hint, size, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        if (room != MAP_FAILED)
            return room;
    }
    return NULL;
}

static struct inline_room make_room(const block_list *blocks, const char *near)
{
    size_t instructions = 0, bytes = 0;
    for (size_t k = 0; k < blocks->len; k++) {
        instructions += 2 * blocks->data[k].code.len + 2;
        bytes += blocks->data[k].length;
    }
    size_t sites = instructions * sizeof(struct inline_site), code = bytes + instructions * 64;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    sites = (sites + page - 1) & ~(page - 1);
    code = (code + page - 1) & ~(page - 1);
    char *room = map_near((char *)(((uintptr_t)near + page - 1) & ~(uintptr_t)(page - 1)), sites + code);
    struct inline_room r = {0};
    if (room)
        r = (struct inline_room){.sites = (struct inline_site *)room,
                                 .sites_end = (struct inline_site *)(room + sites) - 1,
                                 .at = room + sites,
                                 .end = room + sites + code};
    return r;
}

static void protect(char *from, size_t size, int how)
{
    if (mprotect(from, size, how) != 0)
        base_out_of_memory();
}

/* A thread that gets into the old piece by another way than its mark is stopped. */
static void redirect(const struct inline_block *b, const char *copy)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    char *from = (char *)((uintptr_t)b->mark & ~(page - 1));
    size_t size = (size_t)(b->mark + INLINE_MARK + b->length - from);
    protect(from, size, PROT_READ | PROT_WRITE | PROT_EXEC);
    int32_t distance = (int32_t)(copy - (b->mark + JUMP));
    b->mark[0] = (char)0xe9;
    memcpy(b->mark + 1, &distance, sizeof distance);
    if (b->understood && !b->alone) {
        memset(b->mark + INLINE_MARK, TRAP, b->length);
        vec_push(&trapped, *b);
    }
    protect(from, size, PROT_READ | PROT_EXEC);
}

static void find_private(block_list *blocks, struct inline_site *from, const struct inline_site *to)
{
    for (; from < to; from++)
        from->private = !from->compiled && from->means.action == INLINE_ACCESS &&
                        inline_is_private(&from->code, blocks->data, blocks->len);
}

static void copy_blocks(block_list *blocks, char *code_end, bool fences)
{
    struct inline_room room = make_room(blocks, code_end);
    if (!room.at)
        base_out_of_memory();
    room.fences = fences;
    struct inline_site *sites = room.sites;
    VEC(char *) copies = {0};
    for (size_t k = 0; k < blocks->len; k++) {
        vec_push(&copies, room.at);
        CHECK(inline_copy(&blocks->data[k], &room));
    }
    find_private(blocks, sites, room.sites);
    for (size_t k = 0; k < blocks->len; k++) /* last: what looks at code has to find it as it was */
        redirect(&blocks->data[k], copies.data[k]);
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    char *begin = (char *)((uintptr_t)copies.data[0] & ~(page - 1));
    protect(begin, (size_t)(room.end - begin), PROT_READ | PROT_EXEC);
    vec_free(&copies);
}

/* Without a decoder the assembly would run unseen: no execution counts. */
static void refuse_marks(struct worker_shared *shared)
{
    snprintf(shared->unsupported, sizeof shared->unsupported, "inline assembly without its decoder, %s",
             machine_decoder);
    shared->limits |= LIMIT_UNSUPPORTED;
}

static int visit_module(struct dl_phdr_info *info, size_t size, void *data)
{
    struct worker_shared *shared = data;
    block_list blocks = {0};
    char *end = NULL;
    (void)size;
    if (snapshot_is_system_library(info->dlpi_name))
        return 0;
    for (int k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[k];
        char *from = (char *)(info->dlpi_addr + h->p_vaddr);
        if (h->p_type != PT_LOAD)
            continue;
        if (from + h->p_memsz > end)
            end = from + h->p_memsz;
        if (!(h->p_flags & PF_X) || !from || !memmem(from, h->p_filesz, mark, sizeof mark))
            continue;
        if (machine_prepare())
            find_blocks(from, h->p_filesz, &blocks);
        else
            refuse_marks(shared);
    }
    if (blocks.len)
        copy_blocks(&blocks, end, model_is(shared->config.memory, MODEL_LANGUAGE));
    for (size_t k = 0; k < blocks.len; k++)
        vec_free(&blocks.data[k].code);
    vec_free(&blocks);
    return 0;
}

void inline_prepare(struct worker_shared *shared)
{
    dl_iterate_phdr(visit_module, shared);
}

#else

void inline_prepare(struct worker_shared *shared)
{
    (void)shared;
}

const void *inline_original(const void *pc)
{
    return pc;
}

bool inline_is_trapped(const void *pc)
{
    (void)pc;
    return false;
}

#endif
