/* SPDX-License-Identifier: Apache-2.0 */
/* FastTrack (Flanagan, Freund 2009) made byte-exact and extended to atomics: an access is remembered as an
 * epoch, its thread and the thread's clock, until a later one makes it superfluous; it happens before every
 * event whose vector has reached that clock. docs/internals/races.md argues why nothing is lost. */
#include "engine/clocks.h"

#include "base/check.h"
#include "engine/clocks_shadow.h"
#include "engine/clocks_vector.h"

struct thread_clocks {
    union vector hb;      /* what happens before the thread's next event */
    union vector pending; /* messages of relaxed reads, for the next acquire fence */
    union vector fenced;  /* hb at the last release fence; what relaxed writes publish */
};

struct clocks {
    struct thread_clocks threads[CLOCKS_THREADS_MAX];
    uint64_t started; /* threads of this execution, one bit each */
    uint32_t width;   /* lanes in use: a multiple of LANES above every thread's number */
    struct shadow shadow;
    VEC(union vector) vectors; /* of messages and objects */
    VEC(uint64_t) spare;       /* numbers of vectors that nobody uses any more */
};

/* Bytes of memory, both ends included. */
struct span {
    uint64_t first, last;
};

enum {
    READS = SHADOW_PLAIN_READ | SHADOW_ATOMIC_READ,
    WRITES = SHADOW_PLAIN_WRITE | SHADOW_ATOMIC_WRITE,
    PLAIN = SHADOW_PLAIN_READ | SHADOW_PLAIN_WRITE,
    ATOMIC = SHADOW_ATOMIC_READ | SHADOW_ATOMIC_WRITE,
};

/* By kind of the new access: what it must be ordered with, what it makes superfluous when ordered after it,
 * and what, done by the same thread at the same clock, makes the new access itself superfluous. */
static const struct access_rule {
    uint8_t conflicts, covers, repeats;
} access_rules[] = {
    [SHADOW_ATOMIC_READ] = {SHADOW_PLAIN_WRITE, SHADOW_ATOMIC_READ, READS | WRITES},
    [SHADOW_ATOMIC_WRITE] = {PLAIN, ATOMIC, 0},
    [SHADOW_PLAIN_READ] = {WRITES, READS, PLAIN},
    [SHADOW_PLAIN_WRITE] = {READS | WRITES, READS | WRITES | SHADOW_MESSAGE, 0},
};

/* A byte has at most one plain write, message and object, and one record of each other kind per thread. */
_Static_assert(8 * (3 + 3 * CLOCKS_THREADS_MAX) <= UINT16_MAX, "a cell can count its records");

static uint64_t vector_take(struct clocks *c)
{
    if (c->spare.len)
        return vec_pop(&c->spare);
    vec_reserve(&c->vectors, c->vectors.len + 1);
    return c->vectors.len++;
}

/* Threads */

static inline struct thread_clocks *thread_get(struct clocks *c, uint32_t thread)
{
    CHECK(thread < CLOCKS_THREADS_MAX && c->started >> thread & 1);
    return &c->threads[thread];
}

/* What comes later is not part of what was just published. */
static inline void thread_advance(struct thread_clocks *t, uint32_t thread)
{
    /* Not lane[thread]++: the group is loaded as a whole soon, which has to wait for narrower stores. */
    lanes number = {0, 1, 2, 3};
    CHECK(t->hb.lane[thread] < INT32_MAX);
    t->hb.group[thread / LANES] -= number == (int32_t)(thread % LANES);
}

static void thread_start(struct clocks *c, uint32_t thread, int32_t clock)
{
    struct thread_clocks *t = &c->threads[thread];
    t->hb.lane[thread] = clock;
    vector_clear(&t->pending, 0, c->width);
    vector_clear(&t->fenced, 0, c->width);
    c->started |= UINT64_C(1) << thread;
}

/* Vectors in use get zeros for the threads that they could not name so far; those of threads have them. */
static void clocks_widen(struct clocks *c, uint32_t thread)
{
    uint32_t old = c->width;
    while (c->width <= thread)
        c->width *= 2;
    for (size_t i = 0; i < c->vectors.len; i++)
        vector_clear(&c->vectors.data[i], old, c->width);
}

struct clocks *clocks_create(void)
{
    struct clocks *c = NEW(struct clocks);
    c->width = LANES;
    shadow_init(&c->shadow);
    clocks_reset(c);
    return c;
}

void clocks_destroy(struct clocks *c)
{
    if (!c)
        return;
    shadow_free(&c->shadow);
    vec_free(&c->vectors);
    vec_free(&c->spare);
    free(c);
}

void clocks_reset(struct clocks *c)
{
    shadow_reset(&c->shadow);
    vec_clear(&c->vectors);
    vec_clear(&c->spare);
    c->started = 0;
    vector_clear(&c->threads[0].hb, 0, c->width);
    thread_start(c, 0, 1);
}

void clocks_fork(struct clocks *c, uint32_t parent, uint32_t child)
{
    struct thread_clocks *from = thread_get(c, parent);
    CHECK(child < CLOCKS_THREADS_MAX && child != parent);
    if (child >= c->width)
        clocks_widen(c, child);
    struct thread_clocks *to = &c->threads[child];
    int32_t ended = 0;
    if (c->started >> child & 1) { /* a number is free again when its thread was joined */
        ended = to->hb.lane[child];
        CHECK(from->hb.lane[child] >= ended);
    }
    vector_copy(&to->hb, &from->hb, c->width);
    thread_start(c, child, ended + 1);
    thread_advance(from, parent);
}

void clocks_join(struct clocks *c, uint32_t waiter, uint32_t ended)
{
    vector_join(&thread_get(c, waiter)->hb, &thread_get(c, ended)->hb, c->width);
}

/* Memory */

static inline struct span span_of(uint64_t address, size_t size)
{
    uint64_t last = address + (size - 1);
    return (struct span){address, last < address ? UINT64_MAX : last};
}

static inline uint64_t span_first_granule(struct span s)
{
    return s.first >> SHADOW_GRANULE_LOG;
}

static inline uint64_t span_last_granule(struct span s)
{
    return s.last >> SHADOW_GRANULE_LOG;
}

static inline uint8_t span_bytes(struct span s, uint64_t granule)
{
    unsigned low = granule == span_first_granule(s) ? s.first & 7 : 0;
    unsigned high = granule == span_last_granule(s) ? s.last & 7 : 7;
    return (uint8_t)(0xffu << low & 0xffu >> (7 - high));
}

static inline bool bytes_in_one_granule(uint64_t address, size_t size)
{
    return size - 1 < 8 - (address & 7);
}

static inline uint8_t bytes_mask(uint64_t address, size_t size)
{
    return (uint8_t)(0xffu >> (8 - size) << (address & 7));
}

/* Takes bytes away from the record at `i`. Returns whether it is gone, with another one in its place. */
static inline bool record_cut(struct clocks *c, struct shadow_cell *cell, struct shadow_record *records,
                              uint32_t i, uint8_t bytes)
{
    uint64_t tag = shadow_without_bytes(records[i].tag, bytes);
    if (shadow_bytes(tag)) {
        records[i].tag = tag;
        return false;
    }
    if (shadow_kind(tag) & (SHADOW_MESSAGE | SHADOW_OBJECT))
        vec_push(&c->spare, records[i].vector);
    if (i != --cell->count)
        records[i] = records[cell->count];
    return true;
}

static __attribute__((noinline)) bool race_found(uint64_t granule, const struct shadow_record *earlier,
                                                 uint64_t access, uint64_t pc, struct race *r)
{
    uint8_t first = shadow_kind(earlier->tag), second = shadow_kind(access);
    unsigned common = shadow_bytes(earlier->tag) & shadow_bytes(access);
    *r = (struct race){
        .address = (granule << SHADOW_GRANULE_LOG) + (unsigned)__builtin_ctz(common),
        .first_thread = shadow_thread(earlier->tag),
        .second_thread = shadow_thread(access),
        .first_pc = earlier->pc,
        .second_pc = pc,
        .first_writes = (first & WRITES) != 0,
        .second_writes = (second & WRITES) != 0,
        .first_atomic = (first & ATOMIC) != 0,
        .second_atomic = (second & ATOMIC) != 0,
        .first_size = shadow_size(earlier->tag),
        .second_size = shadow_size(access),
    };
    return false;
}

/* Bytes that one instruction touches one after the other share a record. */
static inline bool record_extend(struct shadow_record *last, uint64_t access, uint64_t pc)
{
    if (last->pc != pc || shadow_without_bytes(last->tag ^ access, 0xff))
        return false;
    last->tag |= access;
    return true;
}

/* Whether nothing is left of the earlier record once the access took its bytes away. */
static inline bool record_is_inside(uint64_t earlier, uint64_t access)
{
    return !(shadow_bytes(earlier) & ~shadow_bytes(access)) && shadow_kind(earlier) != SHADOW_MESSAGE;
}

static inline bool record_repeats(uint64_t earlier, uint64_t access, uint8_t kinds)
{
    return shadow_same_epoch(earlier, access) && (shadow_kind(earlier) & kinds) &&
           !(shadow_bytes(access) & ~shadow_bytes(earlier));
}

/* Checks the access against the records of its bytes, then makes it one of them: in the place of one that it
 * covers if possible, since branches are predicted better when the order of records is stable. */
static bool cell_check(struct clocks *c, struct shadow_cell *cell, const union vector *hb, uint64_t access,
                       uint64_t pc, struct race *r)
{
    struct access_rule rule = access_rules[shadow_kind(access)];
    struct shadow_record *records = shadow_records(&c->shadow, cell), *replaced = NULL;
    for (uint32_t i = 0; i < cell->count; i++) {
        uint64_t earlier = records[i].tag;
        if (!(shadow_bytes(earlier) & shadow_bytes(access)))
            continue;
        if (shadow_clock(earlier) > hb->lane[shadow_thread(earlier)]) {
            if (shadow_kind(earlier) & rule.conflicts)
                return race_found(cell->granule, &records[i], access, pc, r);
        } else if (record_repeats(earlier, access, rule.repeats)) {
            return true;
        } else if (shadow_kind(earlier) & rule.covers) {
            if (!replaced && record_is_inside(earlier, access))
                replaced = &records[i];
            else
                i -= record_cut(c, cell, records, i, shadow_bytes(access));
        }
    }
    if (replaced)
        *replaced = (struct shadow_record){access, {pc}};
    else if (!cell->count || !record_extend(&records[cell->count - 1], access, pc))
        shadow_add_record(&c->shadow, cell, access, pc);
    return true;
}

/* `access` comes without its bytes. */
static inline bool cell_access(struct clocks *c, struct shadow_cell *cell, uint8_t bytes,
                               const union vector *hb, uint64_t access, uint64_t pc, struct race *r)
{
    access = shadow_with_bytes(access, bytes);
    /* With other records around, a repeated write may have a message to end. */
    if (cell->count == 1 && !cell->block && record_repeats(cell->first[0].tag, access, shadow_kind(access)))
        return true;
    return cell_check(c, cell, hb, access, pc, r);
}

static bool span_access(struct clocks *c, struct span span, const union vector *hb, uint64_t access,
                        uint64_t pc, struct race *r)
{
    for (uint64_t granule = span_first_granule(span); granule <= span_last_granule(span); granule++)
        if (!cell_access(c, shadow_get_cell(&c->shadow, granule), span_bytes(span, granule), hb, access, pc,
                         r))
            return false;
    return true;
}

bool clocks_plain(struct clocks *c, uint32_t thread, uint64_t address, size_t size, bool writes, uint64_t pc,
                  struct race *r)
{
    const union vector *hb = &thread_get(c, thread)->hb;
    enum shadow_kind kind = writes ? SHADOW_PLAIN_WRITE : SHADOW_PLAIN_READ;
    uint64_t access = shadow_tag(hb->lane[thread], thread, kind, size);
    if (bytes_in_one_granule(address, size))
        return cell_access(c, shadow_get_cell(&c->shadow, address >> SHADOW_GRANULE_LOG),
                           bytes_mask(address, size), hb, access, pc, r);
    return !size || span_access(c, span_of(address, size), hb, access, pc, r);
}

/* Messages: a vector stands for what an acquiring reader of these bytes learns. */

static inline bool order_acquires(unsigned order)
{
    return order == ORDER_CONSUME || order == ORDER_ACQUIRE || order == ORDER_ACQ_REL ||
           order == ORDER_SEQ_CST;
}

static inline bool order_releases(unsigned order)
{
    return order == ORDER_RELEASE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST;
}

struct part {
    struct shadow_cell *cell;
    uint8_t bytes;
};

static inline void part_take_messages(struct clocks *c, struct part p, union vector *into)
{
    const struct shadow_record *records = shadow_records(&c->shadow, p.cell);
    for (uint32_t i = 0; i < p.cell->count; i++)
        if (shadow_kind(records[i].tag) == SHADOW_MESSAGE && (shadow_bytes(records[i].tag) & p.bytes))
            vector_join(into, &c->vectors.data[records[i].vector], c->width);
}

/* Ends the earlier messages of the bytes. Returns one about the same bytes, to be used again, or NULL. */
static inline const struct shadow_record *part_end_messages(struct clocks *c, struct part p)
{
    struct shadow_record *records = shadow_records(&c->shadow, p.cell);
    for (uint32_t i = 0; i < p.cell->count; i++) {
        if (shadow_kind(records[i].tag) != SHADOW_MESSAGE || !(shadow_bytes(records[i].tag) & p.bytes))
            continue;
        if (shadow_bytes(records[i].tag) == p.bytes)
            return &records[i];
        i -= record_cut(c, p.cell, records, i, p.bytes);
    }
    return NULL;
}

static inline void part_leave_message(struct clocks *c, struct part p, const union vector *message)
{
    const struct shadow_record *same = part_end_messages(c, p);
    uint64_t number = same ? same->vector : vector_take(c);
    vector_copy(&c->vectors.data[number], message, c->width);
    if (!same)
        shadow_add_record(&c->shadow, p.cell, shadow_with_bytes(shadow_tag(0, 0, SHADOW_MESSAGE, 0), p.bytes),
                          number);
}

struct atomic {
    enum event_kind kind;
    unsigned order;
    size_t size;
    uint64_t pc;
};

static inline void parts_publish(struct clocks *c, const struct part *parts, uint32_t count,
                                 const struct thread_clocks *t, struct atomic a)
{
    const union vector *message = order_releases(a.order) ? &t->hb : &t->fenced;
    union vector continued;
    /* One that acquires and releases has what it continues in hb. */
    if (a.kind == EVENT_UPDATE && !(order_releases(a.order) && order_acquires(a.order))) {
        vector_copy(&continued, message, c->width);
        for (uint32_t i = 0; i < count; i++)
            part_take_messages(c, parts[i], &continued);
        message = &continued;
    }
    for (uint32_t i = 0; i < count; i++)
        part_leave_message(c, parts[i], message);
}

/* Inlined where `count` is a constant: nearly every access has one part. */
static inline __attribute__((always_inline)) bool parts_access(struct clocks *c, const struct part *parts,
                                                               uint32_t count, uint32_t thread,
                                                               struct atomic a, struct race *r)
{
    struct thread_clocks *t = thread_get(c, thread);
    bool writes = a.kind == EVENT_WRITE || a.kind == EVENT_UPDATE;
    for (uint32_t i = 0; a.kind != EVENT_WRITE && i < count; i++)
        part_take_messages(c, parts[i], order_acquires(a.order) ? &t->hb : &t->pending);
    enum shadow_kind kind = writes ? SHADOW_ATOMIC_WRITE : SHADOW_ATOMIC_READ;
    uint64_t access = shadow_tag(t->hb.lane[thread], thread, kind, a.size);
    for (uint32_t i = 0; i < count; i++)
        if (!cell_access(c, parts[i].cell, parts[i].bytes, &t->hb, access, a.pc, r))
            return false;
    if (writes)
        parts_publish(c, parts, count, t, a);
    if (writes && order_releases(a.order))
        thread_advance(t, thread);
    return true;
}

/* Sixteen bytes, or a pointer cast out of line. */
static __attribute__((noinline)) bool span_access_atomically(struct clocks *c, struct span span,
                                                             uint32_t thread, struct atomic a, struct race *r)
{
    enum { SIZE_MAX_ATOMIC = 16, PARTS_MAX = 3 };
    struct part parts[PARTS_MAX];
    CHECK(a.size > 0 && a.size <= SIZE_MAX_ATOMIC);
    uint64_t granule = span_first_granule(span);
    uint32_t count = (uint32_t)(span_last_granule(span) - granule) + 1;
    for (uint32_t i = 0; i < count; i++) /* the table may grow now, but not while the cells are in use */
        shadow_get_cell(&c->shadow, granule + i);
    for (uint32_t i = 0; i < count; i++)
        parts[i] = (struct part){shadow_get_cell(&c->shadow, granule + i), span_bytes(span, granule + i)};
    return parts_access(c, parts, count, thread, a, r);
}

bool clocks_atomic(struct clocks *c, uint32_t thread, enum event_kind kind, uint64_t address, size_t size,
                   unsigned order, uint64_t pc, struct race *r)
{
    struct atomic a = {kind, order, size, pc};
    if (!bytes_in_one_granule(address, size))
        return span_access_atomically(c, span_of(address, size), thread, a, r);
    struct part part = {shadow_get_cell(&c->shadow, address >> SHADOW_GRANULE_LOG),
                        bytes_mask(address, size)};
    return parts_access(c, &part, 1, thread, a, r);
}

void clocks_fence(struct clocks *c, uint32_t thread, unsigned order)
{
    struct thread_clocks *t = thread_get(c, thread);
    if (order_acquires(order))
        vector_join(&t->hb, &t->pending, c->width);
    if (order_releases(order)) {
        vector_copy(&t->fenced, &t->hb, c->width);
        thread_advance(t, thread);
    }
}

/* Synchronization objects: a record at the first byte, which accesses to the memory leave alone. */

static struct shadow_record *object_find(struct clocks *c, struct shadow_cell *cell, uint8_t bytes)
{
    struct shadow_record *records = shadow_records(&c->shadow, cell);
    for (uint32_t i = 0; i < cell->count; i++)
        if (shadow_kind(records[i].tag) == SHADOW_OBJECT && shadow_bytes(records[i].tag) == bytes)
            return &records[i];
    return NULL;
}

void clocks_acquire(struct clocks *c, uint32_t thread, uint64_t object)
{
    struct thread_clocks *t = thread_get(c, thread);
    struct shadow_cell *cell = shadow_find_cell(&c->shadow, object >> SHADOW_GRANULE_LOG);
    const struct shadow_record *found = cell ? object_find(c, cell, (uint8_t)(1u << (object & 7))) : NULL;
    if (found)
        vector_join(&t->hb, &c->vectors.data[found->vector], c->width);
}

void clocks_release(struct clocks *c, uint32_t thread, uint64_t object)
{
    struct thread_clocks *t = thread_get(c, thread);
    struct shadow_cell *cell = shadow_get_cell(&c->shadow, object >> SHADOW_GRANULE_LOG);
    uint8_t bytes = (uint8_t)(1u << (object & 7));
    const struct shadow_record *found = object_find(c, cell, bytes);
    if (found) {
        vector_join(&c->vectors.data[found->vector], &t->hb, c->width);
    } else {
        uint64_t number = vector_take(c), tag = shadow_tag(0, 0, SHADOW_OBJECT, 0);
        vector_copy(&c->vectors.data[number], &t->hb, c->width);
        shadow_add_record(&c->shadow, cell, shadow_with_bytes(tag, bytes), number);
    }
    thread_advance(t, thread);
}

bool clocks_was_written(struct clocks *c, uint64_t address, size_t size)
{
    struct span span = span_of(address, size);
    for (uint64_t granule = span_first_granule(span); granule <= span_last_granule(span); granule++) {
        struct shadow_cell *cell = shadow_find_cell(&c->shadow, granule);
        const struct shadow_record *records = cell ? shadow_records(&c->shadow, cell) : NULL;
        for (uint32_t i = 0; cell && i < cell->count; i++)
            if ((shadow_kind(records[i].tag) & WRITES) &&
                (shadow_bytes(records[i].tag) & span_bytes(span, granule)))
                return true;
    }
    return false;
}

static void cell_forget(struct clocks *c, struct shadow_cell *cell, struct span span)
{
    uint8_t bytes = span_bytes(span, cell->granule);
    struct shadow_record *records = shadow_records(&c->shadow, cell);
    for (uint32_t i = 0; i < cell->count;)
        if (!record_cut(c, cell, records, i, bytes))
            i++;
}

void clocks_forget(struct clocks *c, uint64_t address, size_t size)
{
    if (!size)
        return;
    struct span span = span_of(address, size);
    uint64_t first = span_first_granule(span), last = span_last_granule(span);
    if (last - first > c->shadow.mask) { /* cheaper to look at every cell */
        for (size_t i = 0; i <= c->shadow.mask; i++) {
            struct shadow_cell *cell = &c->shadow.cells[i];
            if (cell->stamp == c->shadow.stamp && cell->granule >= first && cell->granule <= last)
                cell_forget(c, cell, span);
        }
        return;
    }
    for (uint64_t granule = first; granule <= last; granule++) {
        struct shadow_cell *cell = shadow_find_cell(&c->shadow, granule);
        if (cell)
            cell_forget(c, cell, span);
    }
}
