/* SPDX-License-Identifier: Apache-2.0 */
/* The program's heap: an address depends only on (thread, how many bytes that thread allocated before),
 * never on the interleaving, and is used twice in one execution only when reuse.h chooses so. A state byte
 * for every 16 bytes distinguishes freed and never allocated memory from live blocks. */
#include "engine/engine_state.h"

#include "base/check.h"
#include "base/memory.h"
#include "base/vec.h"
#include "engine/code/modules.h"
#include "engine/engine_state.h"
#include "engine/memory/image.h"
#include "engine/real.h"
#include "engine/memory/undefined_bits.h"
#include "engine/memory/reuse.h"

#include <inttypes.h>
#include <sys/mman.h>

enum {
    KEPT_LANE = CLOCKS_THREADS_MAX, /* allocations before the first execution */
    LANES = HEAP_LANES,
};

#define LANE_SIZE ((size_t)1 << HEAP_LANE_LOG)

struct block {
    uint32_t offset, size; /* in its lane */
    const void *pc;
    uint32_t first_size; /* before it was given out again */
    uint32_t alignment, frees;
    uint32_t unused, first_unused; /* bytes at its end that a container keeps for later */
    uint32_t initialised;          /* bytes at its start that were not left to the program */
    uint32_t thread;               /* that allocated it, or freed it; and its clock then */
    int32_t clock;
    const void *freed_pc;
    bool freed;
    uint8_t kind, first_kind; /* enum heap_kind */
};

struct lane {
    size_t used;
    bool reused;              /* some block: its clocks do not ascend */
    uint64_t knowing;         /* threads other than its own with an entry in heap_known */
    VEC(struct block) blocks; /* ascending */
};

uint64_t heap_room;
uint8_t *heap_states;
uint64_t heap_known[LANES][CLOCKS_THREADS_MAX];

static struct lane lanes[LANES];
static uint64_t used_lanes; /* of threads */
static bool kept;           /* the last lane is closed: executions have begun */
static bool kept_were_freed;
static bool some_are_unused; /* in part: containers have said so, in this execution or before all */

static char *lane_start(uint32_t number)
{
    return (char *)HEAP_BASE + number * LANE_SIZE;
}

/* Every thread knows what was allocated before the first execution, and a thread what it allocated itself. */
static __attribute__((noinline)) void begin_known(uint32_t lane)
{
    for (uint32_t t = 0; t < CLOCKS_THREADS_MAX; t++)
        heap_known[lane][t] = lane == KEPT_LANE || lane == t ? UINT64_MAX : 0;
}

static void forget_known(uint32_t lane)
{
    for (uint64_t left = lanes[lane].knowing; left; left &= left - 1)
        heap_known[lane][__builtin_ctzll(left)] = 0;
    lanes[lane].knowing = 0;
    if (lanes[lane].reused)
        begin_known(lane);
    lanes[lane].reused = false;
}

static void map_heap(void)
{
    size_t size = LANES * LANE_SIZE;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *heap = mmap((void *)HEAP_BASE, size, PROT_READ | PROT_WRITE, flags | MAP_FIXED_NOREPLACE, -1, 0);
    heap_states = mmap(NULL, size / HEAP_GRAIN, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (heap == MAP_FAILED || heap_states == MAP_FAILED)
        base_out_of_memory(); /* the address space is limited */
    CHECK(heap == (void *)HEAP_BASE);
    heap_room = size;
    for (uint32_t lane = 0; lane < LANES; lane++)
        begin_known(lane);
}

bool heap_contains(const void *p)
{
    return (uint64_t)p - HEAP_BASE < heap_room;
}

static uint8_t *state_of(const void *p)
{
    return &heap_states[((uint64_t)p - HEAP_BASE) / HEAP_GRAIN];
}

static inline void fill(void *p, int byte, size_t size)
{
    unsigned char *at = p;
    if (size > 64)
        real.memset(p, byte, size);
    else
        for (size_t k = 0; k < size; k++)
            at[k] = (unsigned char)byte;
}

static void mark_live(const void *p, size_t size)
{
    uint8_t *state = state_of(p);
    size_t whole = size / HEAP_GRAIN, rest = size % HEAP_GRAIN;
    fill(state, HEAP_GRAIN, whole);
    state[whole] = rest ? (uint8_t)rest : HEAP_EDGE; /* behind a block there always is a grain without one */
}

static void mark_freed(const void *p, size_t size)
{
    fill(state_of(p), HEAP_FREED, (size + HEAP_GRAIN - 1) / HEAP_GRAIN);
}

/* The rest of the block is like what was never allocated. */
static void mark_used(struct block *b, char *p, size_t used)
{
    size_t grains = (b->size + HEAP_GRAIN - 1) / HEAP_GRAIN, live = (used + HEAP_GRAIN - 1) / HEAP_GRAIN;
    mark_live(p, used);
    if (used < b->size)
        fill(state_of(p) + live, HEAP_NEVER, grains - live);
    b->unused = b->size - (uint32_t)used;
    some_are_unused |= b->unused;
}

static void *allocate_new(size_t size, size_t alignment, const void *pc)
{
    uint32_t number = engine_active || kept ? engine_current() : KEPT_LANE;
    struct lane *lane = &lanes[number];
    size_t from = lane->used ? lane->used : HEAP_GRAIN; /* nothing lies right before the first block either */
    size_t offset = (from + alignment - 1) & ~(alignment - 1);
    size_t room =
        (size + 2 * HEAP_GRAIN - 1) & ~(size_t)(HEAP_GRAIN - 1); /* a grain more catches small overruns */
    if (size > LANE_SIZE || offset + room > LANE_SIZE)
        return NULL;
    char *p = lane_start(number) + offset;
    lane->used = offset + room;
    if (number != KEPT_LANE)
        used_lanes |= UINT64_C(1) << number;
    vec_push(&lane->blocks, ((struct block){.offset = (uint32_t)offset,
                                            .size = (uint32_t)size,
                                            .pc = pc,
                                            .first_size = (uint32_t)size,
                                            .alignment = (uint32_t)alignment,
                                            .thread = number,
                                            .clock = engine_active ? engine_now() : 0}));
    return p;
}

static struct block *find_block(const void *p)
{
    uint64_t at = (uint64_t)p - HEAP_BASE;
    struct lane *lane = &lanes[at / LANE_SIZE];
    size_t offset = at % LANE_SIZE, low = 0, high = lane->blocks.len;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (lane->blocks.data[middle].offset <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &lane->blocks.data[low - 1] : NULL;
}

static void make_live_again(void *p, size_t size, const void *pc)
{
    struct block *b = find_block(p);
    uint32_t lane = (uint32_t)(((uint64_t)p - HEAP_BASE) / LANE_SIZE);
    b->size = (uint32_t)size;
    b->pc = pc;
    b->freed = false;
    b->initialised = b->unused = 0;
    b->kind = HEAP_OF_MALLOC;
    b->thread = engine_current();
    b->clock = engine_now();
    lanes[lane].reused = true;
    for (uint32_t t = 0; t < CLOCKS_THREADS_MAX; t++)
        heap_known[lane][t] = 0;
}

/* A library that was not instrumented writes to its own blocks without a word. */
static bool leaves_undefined(const void *pc)
{
    static const struct module *last;
    const char *at = pc;
    if (engine_active && (!last || (uintptr_t)at < last->from || (uintptr_t)at >= last->to))
        last = modules_of(pc);
    bool leaves = engine_active && last && last->is_instrumented && !engine.shared->has_foreign;
    undefined_some |= leaves;
    return leaves;
}

void *heap_allocate(size_t size, size_t alignment, const void *pc)
{
    if (!heap_room)
        map_heap();
    if (alignment < HEAP_GRAIN)
        alignment = HEAP_GRAIN;
    void *p = engine_active ? reuse_choose(size, alignment, pc) : NULL;
    bool again = p != NULL;
    if (again)
        make_live_again(p, size, pc);
    else
        p = allocate_new(size, alignment, pc);
    if (p) {
        mark_live(p, size);
        if (again)
            reuse_begin(p, size, pc);
        fill(p, HEAP_FILLING, size);
        if (undefined_heap)
            fill(undefined_shadow((uint64_t)p), leaves_undefined(pc) ? 0xff : 0, size);
    }
    return p;
}

size_t heap_size(const void *p)
{
    struct block *b = heap_contains(p) ? find_block(p) : NULL;
    return b && !b->freed ? b->size : 0;
}

/* How the block is called in all executions: explorers of graphs must not distinguish by address alone. */
static struct reuse_block describe(const struct block *b, void *p)
{
    uint64_t number = ((uint64_t)p - HEAP_BASE) / LANE_SIZE;
    struct reuse_block described = {.p = p,
                                    .size = b->size,
                                    .alignment = b->alignment,
                                    .owner = number == KEPT_LANE ? 0 : (uint32_t)number + 1,
                                    .frees = b->frees};
    if (!reuse_wants_index())
        return described;
    for (const struct block *other = lanes[number].blocks.data; other < b; other++)
        described.index += reuse_is_same_class(other->first_size, other->alignment, b->size, b->alignment);
    return described;
}

struct wrong_free {
    void *p;
    const void *pc, *freed_pc;
    uint32_t thread; /* which has freed it before */
    bool is_second;  /* or there was no such block */
};

/* Before main nothing can be reported yet: the first wrong free is, when executions begin. */
static struct wrong_free early;

static void fail_free(const struct wrong_free *f)
{
    if (!f->is_second)
        engine_fail(WORKER_ERROR_BAD_FREE, (uint64_t)f->p, f->pc,
                    "%p does not point to the start of an allocated block", f->p);
    engine_name_second(f->thread, f->freed_pc);
    engine_fail(WORKER_ERROR_DOUBLE_FREE, (uint64_t)f->p, f->pc, "free of memory that T%u has freed",
                f->thread);
}

void heap_report_early(void)
{
    if (early.p)
        fail_free(&early);
}

static void note_wrong_free(const struct wrong_free *f)
{
    if (engine_active)
        fail_free(f);
    else if (!kept && !early.p)
        early = *f;
}

void heap_free(void *p, const void *pc)
{
    struct block *b = heap_contains(p) ? find_block(p) : NULL;
    if (!b || b->offset != ((uint64_t)p - HEAP_BASE) % LANE_SIZE) {
        note_wrong_free(&(struct wrong_free){.p = p, .pc = pc});
        return;
    }
    if (b->freed) {
        note_wrong_free(&(struct wrong_free){p, pc, b->freed_pc, b->thread, true});
        return;
    }
    b->freed = true;
    b->frees++;
    b->freed_pc = pc;
    b->thread = engine_current();
    mark_freed(p, b->size);
    if (kept && (char *)p >= lane_start(KEPT_LANE))
        kept_were_freed = true;
    if (engine_active) {
        struct reuse_block described = describe(b, p); /* others may allocate meanwhile */
        reuse_offer(&described, pc);
    }
}

void heap_note_kind(void *p, enum heap_kind kind)
{
    struct block *b = find_block(p);
    b->kind = (uint8_t)kind;
    if (!b->frees)
        b->first_kind = b->kind;
}

static const struct block *find_live_start(const void *p)
{
    const struct block *b = find_block(p);
    return b && !b->freed && b->offset == ((uint64_t)p - HEAP_BASE) % LANE_SIZE ? b : NULL;
}

static void name_allocation(const struct block *b)
{
    if (b->thread != KEPT_LANE)
        engine_name_second(b->thread, b->pc);
}

void heap_use(const void *p, size_t capacity, size_t used)
{
    if (!capacity && !some_are_unused)
        return;
    struct block *b = heap_contains(p) ? (struct block *)find_live_start(p) : NULL;
    if (!b || (capacity && b->size != capacity) || used > b->size)
        return; /* memory that is divided further, or is no block */
    if (capacity ? b->unused == b->size - used : !b->unused)
        return;
    mark_used(b, (char *)p, capacity ? used : b->size);
    if (!kept)
        b->first_unused = b->unused;
    else if ((char *)p >= lane_start(KEPT_LANE))
        kept_were_freed = true;
}

void heap_name_allocation(uint64_t address)
{
    const struct block *b = heap_contains((const void *)address) ? find_block((const void *)address) : NULL;
    if (b)
        name_allocation(b);
}

void heap_check_kind(const void *p, enum heap_kind kind, const char *how, const void *pc)
{
    static const char *const names[] = {"malloc", "new", "new[]", "new with an alignment",
                                        "new[] with an alignment"};
    const struct block *b = find_live_start(p);
    if (!b || b->kind == kind)
        return;
    name_allocation(b);
    engine_fail(WORKER_ERROR_BAD_FREE, (uint64_t)p, pc, "a block of %s is given to %s", names[b->kind], how);
}

void heap_check_size(const void *p, size_t size, const char *how, const void *pc)
{
    const struct block *b = find_live_start(p);
    if (!b || b->size == (size ? size : 1)) /* new of nothing makes a block of one byte */
        return;
    name_allocation(b);
    engine_fail(WORKER_ERROR_BAD_FREE, (uint64_t)p, pc, "%s of %zu bytes, the block has %" PRIu32, how, size,
                b->size);
}

static bool is_live(uint64_t from, size_t size)
{
    uint64_t last = from + size - 1;
    for (uint64_t grain = from / HEAP_GRAIN; grain <= last / HEAP_GRAIN; grain++) {
        uint64_t needed = grain == last / HEAP_GRAIN ? last % HEAP_GRAIN + 1 : HEAP_GRAIN;
        if (heap_states[grain] < needed || heap_states[grain] > HEAP_GRAIN)
            return false;
    }
    return true;
}

/* Functions of libraries that are not examined may have put more into the container: it is taken for full then. */
static bool is_filled_unseen(uint64_t address, size_t size)
{
    struct block *b = find_block((const void *)address);
    if (!b || b->freed || !b->unused || !engine.shared->unseen_count)
        return false;
    heap_use((const void *)(address - (address - HEAP_BASE) % LANE_SIZE + b->offset), 0, 0);
    return is_live(address - HEAP_BASE, size);
}

bool heap_is_usable(uint64_t address, size_t size)
{
    uint64_t from = address - HEAP_BASE;
    if (from >= heap_room || !size)
        return true;
    return size <= heap_room - from &&
           (is_live(from, size) || (some_are_unused && is_filled_unseen(address, size)));
}

uint32_t heap_frees(const void *p)
{
    const struct block *b = heap_contains(p) ? find_block(p) : NULL;
    return b ? b->frees : 0;
}

const void *heap_filled_again(uint64_t address)
{
    const struct block *b = heap_contains((const void *)address) ? find_block((const void *)address) : NULL;
    return b && b->frees && !b->freed ? b->pc : NULL;
}

void heap_note_initialised(const void *p, size_t size)
{
    undefined_write((uint64_t)p, size);
    if (heap_contains(p))
        find_block(p)->initialised = (uint32_t)size;
}

bool heap_is_left_to_program(uint64_t address)
{
    if (address - HEAP_BASE >= KEPT_LANE * LANE_SIZE)
        return false; /* what constructors left there is not known */
    const struct block *b = find_block((const void *)address);
    return b && (address - HEAP_BASE) % LANE_SIZE - b->offset >= b->initialised;
}

static void note_known(uint64_t lane, uint32_t thread, size_t end)
{
    heap_known[lane][thread] = lane * LANE_SIZE + end;
    lanes[lane].knowing |= UINT64_C(1) << thread;
}

/* Of two blocks of a lane the thread allocated the lower one first: who knows of one knows of all below. Most threads know
 * of the last. */
static bool knows_lane(uint64_t number, uint32_t thread)
{
    const struct lane *lane = &lanes[number];
    if (lane->reused || !lane->blocks.len ||
        !engine_knows(vec_last(&lane->blocks).thread, vec_last(&lane->blocks).clock))
        return false;
    note_known(number, thread, lane->used);
    return true;
}

bool heap_find_unknown(uint64_t address, struct race *r)
{
    uint64_t lane = (address - HEAP_BASE) / LANE_SIZE;
    uint32_t me = engine_current();
    if (knows_lane(lane, me))
        return false;
    const struct block *b = find_block((const void *)address);
    if (!b || b->thread == me || engine_knows(b->thread, b->clock)) {
        if (b && !lanes[lane].reused)
            note_known(lane, me, b->offset + b->size);
        return false;
    }
    *r = (struct race){
        .address = address,
        .first_thread = b->thread,
        .first_pc = (uint64_t)b->pc,
        .first_writes = true,
        .first_allocates = true,
        .second_thread = me,
    };
    return true;
}

void heap_fail(uint64_t address, size_t size, const void *pc)
{
    const struct block *b = find_block((const void *)address);
    if (b && b->freed && (address - HEAP_BASE) % LANE_SIZE - b->offset < b->size) {
        engine_name_second(b->thread, b->freed_pc);
        engine_fail(WORKER_ERROR_USE_AFTER_FREE, address, pc,
                    "access of %zu bytes to memory that T%u has freed", size, b->thread);
    }
    if (b && !b->freed && b->unused && (address - HEAP_BASE) % LANE_SIZE - b->offset < b->size) {
        engine.shared->error.filled = b->unused;
        engine_fail(
            WORKER_ERROR_OUT_OF_BOUNDS, address, pc,
            "container overflow: access of %zu bytes to the unused capacity of a container, which uses "
            "%" PRIu32 " of %" PRIu32 " bytes",
            size, b->size - b->unused, b->size);
    }
    engine_fail(WORKER_ERROR_OUT_OF_BOUNDS, address, pc, "access of %zu bytes outside of any allocated block",
                size);
}

static void reset_lane(uint32_t number)
{
    struct lane *lane = &lanes[number];
    fill(state_of(lane_start(number)), HEAP_NEVER, lane->used / HEAP_GRAIN);
    lane->used = 0;
    vec_clear(&lane->blocks);
    forget_known(number);
}

static void revive_kept_blocks(void)
{
    const struct lane *lane = &lanes[KEPT_LANE];
    for (size_t k = 0; k < lane->blocks.len; k++) {
        struct block *b = &lane->blocks.data[k];
        bool changed = b->freed || b->size != b->first_size || b->unused != b->first_unused;
        b->size = b->first_size;
        if (changed)
            mark_used(b, lane_start(KEPT_LANE) + b->offset, b->size - b->first_unused);
        b->kind = b->first_kind;
        b->frees = 0;
        b->clock = 0;
        b->thread = KEPT_LANE;
        b->freed = false;
    }
    forget_known(KEPT_LANE);
    kept_were_freed = false;
}

void heap_reset(void)
{
    for (uint64_t left = used_lanes; left; left &= left - 1)
        reset_lane((uint32_t)__builtin_ctzll(left));
    used_lanes = 0;
    undefined_reset();
    reuse_reset();
    if (kept_were_freed)
        revive_kept_blocks();
}

void heap_digest(struct digest *d)
{
    for (uint64_t left = used_lanes; left; left &= left - 1) {
        uint32_t number = (uint32_t)__builtin_ctzll(left);
        digest_add(d, lane_start(number), lanes[number].used);
    }
}

void heap_keep(void)
{
    struct lane *lane = &lanes[KEPT_LANE];
    kept = true;
    size_t live = 0; /* what was freed before the first execution is forgotten */
    for (size_t k = 0; k < lane->blocks.len; k++)
        if (!lane->blocks.data[k].freed)
            lane->blocks.data[live++] = lane->blocks.data[k];
    lane->blocks.len = live;
    if (live)
        image_keep(lane_start(KEPT_LANE), lane->used);
}

size_t heap_leaks(uint64_t *address, const void **pc)
{
    size_t bytes = 0;
    for (uint64_t left = used_lanes; left; left &= left - 1) {
        uint32_t number = (uint32_t)__builtin_ctzll(left);
        for (size_t k = 0; k < lanes[number].blocks.len; k++) {
            const struct block *b = &lanes[number].blocks.data[k];
            if (b->freed)
                continue;
            *address = (uint64_t)(lane_start(number) + b->offset);
            *pc = b->pc;
            bytes += b->size;
        }
    }
    return bytes;
}
