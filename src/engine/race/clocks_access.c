/* SPDX-License-Identifier: Apache-2.0 */
/* FastTrack (Flanagan, Freund 2009) made byte-exact and extended to atomics: an access is remembered as an
 * epoch, its thread and the thread's clock, until a later one makes it superfluous; it happens before every
 * event whose vector has reached that clock. docs/internals/engine/races.md argues why nothing is lost. */
#include "engine/race/clocks.h"
#include "engine/race/clocks_quick.h"

enum {
    READS = CLOCKS_READS,
    WRITES = CLOCKS_WRITES,
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

/* Does the access go on? */
static bool race_is_kept(struct clocks *c, const struct race *r)
{
    if (c->goes_on)
        vec_push(&c->races, *r);
    return c->goes_on;
}

void clocks_go_on(struct clocks *c)
{
    c->goes_on = true;
}

bool clocks_next_race(struct clocks *c, struct race *r)
{
    if (!c->races.len)
        return false;
    *r = vec_pop(&c->races);
    return true;
}

/* An access that went on may have raced all the same. */
static bool went_well(struct clocks *c, bool fine, struct race *r)
{
    return fine && !clocks_next_race(c, r);
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
static bool list_check(struct clocks *c, uint64_t granule, struct shadow_cell *cell, const union vector *hb,
                       uint64_t access, uint64_t pc, struct race *r)
{
    struct access_rule rule = access_rules[shadow_kind(access)];
    struct shadow_record *records = shadow_records(&c->shadow, cell), *replaced = NULL;
    for (uint32_t i = 0; i < cell->count; i++) {
        uint64_t earlier = records[i].tag;
        if (!(shadow_bytes(earlier) & shadow_bytes(access)))
            continue;
        if (shadow_clock(earlier) > hb->lane[shadow_thread(earlier)]) {
            if ((shadow_kind(earlier) & rule.conflicts) && !race_found(granule, &records[i], access, pc, r) &&
                !race_is_kept(c, r))
                return false;
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

static bool list_access(struct clocks *c, uint64_t granule, struct shadow_cell *cell, const union vector *hb,
                        uint64_t access, uint64_t pc, struct race *r)
{
    /* With other records around, a repeated write may have a message to end. */
    if (cell->count == 1 && !cell->block && record_repeats(cell->first[0].tag, access, shadow_kind(access)))
        return true;
    return list_check(c, granule, cell, hb, access, pc, r);
}

static void spread_records(struct clocks *c, const struct shadow_cell *compact, struct shadow_cell *into)
{
    for (int kind = 0; kind < COMPACT_KINDS; kind++)
        for (uint32_t lane = 0; lane < LANES; lane++)
            if (compact->compact.clocks[kind][lane]) {
                struct shadow_record record = compact_record(compact, (enum compact_kind)kind, lane);
                shadow_add_record(&c->shadow, into, record.tag, record.pc);
            }
    if (lanes_any(compact->compact.message > 0)) {
        uint64_t number = vector_take(c), tag = shadow_tag(0, 0, SHADOW_MESSAGE, 0);
        c->vectors.data[number].group[0] = compact->compact.message; /* there is one group */
        shadow_add_record(&c->shadow, into, shadow_with_bytes(tag, compact->bytes), number);
    }
}

void clocks_spread_cell(struct clocks *c, struct shadow_cell *cell)
{
    struct shadow_cell first = *cell;
    cell->bytes = 0;
    cell->block = 0;
    spread_records(c, &first, cell);
    if (first.other) {
        spread_records(c, &c->shadow.cells[first.other], cell);
        c->shadow.cells[first.other].bytes = 0;
    }
}

/* Tries to give a granule compact cells that lie inside of the bytes or outside of them, and cover them. Returns
 * its cell, which is a list otherwise. */
static struct shadow_cell *cell_fit(struct clocks *c, struct shadow_cell *cell, uint8_t bytes)
{
    uint8_t inside = cell->bytes & bytes, outside = cell->bytes & ~bytes, missing = bytes & ~cell->bytes;
    if (!cell->bytes)
        return cell;
    if (cell->other) {
        const struct shadow_cell *other = &c->shadow.cells[cell->other];
        bool cut = (inside && outside) || ((other->bytes & bytes) && (other->bytes & ~bytes));
        if (cut || (missing & ~other->bytes))
            clocks_spread_cell(c, cell);
        return cell;
    }
    if (inside && outside && missing) {
        clocks_spread_cell(c, cell); /* three parts */
    } else if (inside && outside) {
        cell = shadow_add_other(&c->shadow, cell, outside, true);
        cell->bytes = inside;
    } else if (missing) {
        cell = shadow_add_other(&c->shadow, cell, missing, false);
    }
    return cell;
}

/* A plain access to a cell that fits it. */
static bool fit_access(struct shadow_cell *cell, lanes hb, uint64_t access, uint64_t pc)
{
    if (!(cell->bytes & shadow_bytes(access)))
        return true;
    uint64_t place = compact_place(pc, shadow_size(access));
    return shadow_kind(access) == SHADOW_PLAIN_WRITE
               ? compact_plain_write(cell, hb, shadow_thread(access) % LANES, place)
               : compact_plain_read(cell, hb, shadow_thread(access) % LANES, place);
}

/* A plain access; `access` has its bytes. */
static bool cell_access(struct clocks *c, uint64_t granule, struct shadow_cell *cell, const union vector *hb,
                        uint64_t access, uint64_t pc, struct race *r)
{
    uint32_t group = shadow_thread(access) / LANES;
    if (cell->group == group)
        cell = cell_fit(c, cell, shadow_bytes(access));
    if (cell->bytes && cell->group == group && fit_access(cell, hb->group[group], access, pc) &&
        (!cell->other || fit_access(&c->shadow.cells[cell->other], hb->group[group], access, pc)))
        return true;
    if (cell->bytes)
        clocks_spread_cell(c, cell); /* another group, or to find what it races with */
    return list_access(c, granule, cell, hb, access, pc, r);
}

static bool span_access(struct clocks *c, struct span span, const union vector *hb, uint64_t access,
                        uint64_t pc, struct race *r)
{
    uint32_t thread = shadow_thread(access);
    for (uint64_t granule = span_first_granule(span); granule <= span_last_granule(span); granule++) {
        uint8_t bytes = span_bytes(span, granule);
        if (!cell_access(c, granule, shadow_get_cell(&c->shadow, granule, bytes, thread / LANES), hb,
                         shadow_with_bytes(access, bytes), pc, r))
            return false;
    }
    return true;
}

bool clocks_plain(struct clocks *c, uint32_t thread, uint64_t address, size_t size, bool writes, uint64_t pc,
                  struct race *r)
{
    const union vector *hb = &thread_get(c, thread)->hb;
    enum shadow_kind kind = writes ? SHADOW_PLAIN_WRITE : SHADOW_PLAIN_READ;
    uint64_t access = shadow_tag(hb->lane[thread], thread, kind, size);
    if (bytes_in_one_granule(address, size)) {
        uint64_t granule = address >> SHADOW_GRANULE_LOG;
        uint8_t bytes = bytes_mask(address, size);
        return went_well(c,
                         cell_access(c, granule, shadow_get_cell(&c->shadow, granule, bytes, thread / LANES),
                                     hb, shadow_with_bytes(access, bytes), pc, r),
                         r);
    }
    return !size || went_well(c, span_access(c, span_of(address, size), hb, access, pc, r), r);
}

/* Messages: a vector stands for what an acquiring reader of these bytes learns. */

/* An atomic access to one granule, or what it has of one; the cell is a list. */
struct part {
    uint64_t granule;
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

static bool parts_access(struct clocks *c, const struct part *parts, uint32_t count, uint32_t thread,
                         struct atomic a, struct race *r)
{
    struct thread_clocks *t = thread_get(c, thread);
    bool writes = a.kind == EVENT_WRITE || a.kind == EVENT_UPDATE;
    for (uint32_t i = 0; a.kind != EVENT_WRITE && i < count; i++)
        part_take_messages(c, parts[i], order_acquires(a.order) ? &t->hb : &t->pending);
    enum shadow_kind kind = writes ? SHADOW_ATOMIC_WRITE : SHADOW_ATOMIC_READ;
    uint64_t access = shadow_tag(t->hb.lane[thread], thread, kind, a.size);
    for (uint32_t i = 0; i < count; i++)
        if (!list_access(c, parts[i].granule, parts[i].cell, &t->hb,
                         shadow_with_bytes(access, parts[i].bytes), a.pc, r))
            return false;
    if (writes)
        parts_publish(c, parts, count, t, a);
    if (writes && order_releases(a.order))
        thread_advance(t, thread);
    return true;
}

static __attribute__((noinline)) bool span_access_atomically(struct clocks *c, struct span span,
                                                             uint32_t thread, struct atomic a, struct race *r)
{
    enum { SIZE_MAX_ATOMIC = 16, PARTS_MAX = 3 };
    struct part parts[PARTS_MAX];
    CHECK(a.size > 0 && a.size <= SIZE_MAX_ATOMIC);
    uint64_t first = span_first_granule(span);
    uint32_t count = (uint32_t)(span_last_granule(span) - first) + 1;
    for (uint32_t i = 0; i < count; i++) /* the table may grow now, but not while the cells are in use */
        shadow_get_cell(&c->shadow, first + i, 0, 0);
    for (uint32_t i = 0; i < count; i++) {
        parts[i] = (struct part){first + i, shadow_get_cell(&c->shadow, first + i, 0, 0),
                                 span_bytes(span, first + i)};
        if (parts[i].cell->bytes)
            clocks_spread_cell(c, parts[i].cell);
    }
    return parts_access(c, parts, count, thread, a, r);
}

/* Cells that would fit the access if they were others become others. */
static void fit_atomic(struct clocks *c, uint64_t address, size_t size)
{
    if (bytes_in_one_granule(address, size) && !c->shadow.wide)
        cell_fit(c, shadow_get_cell(&c->shadow, address >> SHADOW_GRANULE_LOG, 0, 0),
                 bytes_mask(address, size));
}

bool clocks_atomic(struct clocks *c, uint32_t thread, enum event_kind kind, uint64_t address, size_t size,
                   unsigned order, uint64_t pc, struct race *r)
{
    struct atomic a = {kind, order, size, pc};
    thread_get(c, thread);
    if (clocks_atomic_quick(c, thread, kind, address, size, order, pc))
        return true;
    fit_atomic(c, address, size);
    return clocks_atomic_quick(c, thread, kind, address, size, order, pc) ||
           went_well(c, span_access_atomically(c, span_of(address, size), thread, a, r), r);
}

/* --- atomic accesses that leave nothing ------------------------------------------------------------ */

static bool compact_has_race(const struct shadow_cell *cell, const union vector *hb, uint8_t bytes,
                             bool writes)
{
    const lanes *clocks = cell->compact.clocks;
    lanes known = hb->group[cell->group], newer = clocks[COMPACT_PLAIN_WRITE] > known;
    if (writes)
        newer |= clocks[COMPACT_PLAIN_READ] > known;
    return (cell->bytes & bytes) && lanes_any(newer);
}

static bool list_check_only(const struct clocks *c, uint64_t granule, struct shadow_cell *cell,
                            const union vector *hb, uint64_t access, uint64_t pc, struct race *r)
{
    const struct shadow_record *records = shadow_records(&c->shadow, cell);
    uint8_t conflicts = access_rules[shadow_kind(access)].conflicts;
    for (uint32_t i = 0; i < cell->count; i++) {
        uint64_t earlier = records[i].tag;
        if ((shadow_bytes(earlier) & shadow_bytes(access)) && (shadow_kind(earlier) & conflicts) &&
            shadow_clock(earlier) > hb->lane[shadow_thread(earlier)])
            return race_found(granule, &records[i], access, pc, r);
    }
    return true;
}

static bool cell_check_only(struct clocks *c, uint64_t granule, struct shadow_cell *cell,
                            const union vector *hb, uint64_t access, uint64_t pc, struct race *r)
{
    bool writes = shadow_kind(access) == SHADOW_ATOMIC_WRITE;
    uint8_t bytes = shadow_bytes(access);
    if (cell->bytes) {
        if (!compact_has_race(cell, hb, bytes, writes) &&
            !(cell->other && compact_has_race(&c->shadow.cells[cell->other], hb, bytes, writes)))
            return true;
        clocks_spread_cell(c, cell);
    }
    return list_check_only(c, granule, cell, hb, access, pc, r);
}

bool clocks_check_atomic(struct clocks *c, uint32_t thread, uint64_t address, size_t size, bool writes,
                         uint64_t pc, struct race *r)
{
    const union vector *hb = &thread_get(c, thread)->hb;
    struct span span = span_of(address, size);
    uint64_t access =
        shadow_tag(hb->lane[thread], thread, writes ? SHADOW_ATOMIC_WRITE : SHADOW_ATOMIC_READ, size);
    for (uint64_t granule = span_first_granule(span); granule <= span_last_granule(span); granule++) {
        struct shadow_cell *cell = shadow_find_cell(&c->shadow, granule);
        if (cell && !cell_check_only(c, granule, cell, hb,
                                     shadow_with_bytes(access, span_bytes(span, granule)), pc, r))
            return false;
    }
    return true;
}

static inline bool rest_is_new(const struct clocks *c, struct span span)
{
    for (uint64_t granule = span_first_granule(span) + 1; granule <= span_last_granule(span); granule++)
        if (shadow_find_cell(&c->shadow, granule))
            return false;
    return true;
}

/* Was there nothing but such uses? Then noting the next one finds a race, too. */
static inline bool object_note_quick(struct clocks *c, uint32_t thread, uint64_t address, size_t size,
                                     uint64_t pc)
{
    uint8_t byte = bytes_mask(address, 1);
    struct shadow_cell *cell =
        shadow_get_cell(&c->shadow, address >> SHADOW_GRANULE_LOG, byte, thread / LANES);
    return cell->bytes == byte && !cell->other && rest_is_new(c, span_of(address, size)) &&
           clocks_plain_cell(c, cell, thread, address, 1, false, pc);
}

bool clocks_use_object(struct clocks *c, uint32_t thread, uint64_t address, size_t size, bool noted,
                       uint64_t pc, struct race *r)
{
    struct race seen; /* with an atomic access there: not of interest */
    if (noted && object_note_quick(c, thread, address, size, pc))
        return true;
    bool fine = clocks_check_atomic(c, thread, address, size, false, pc, r);
    if (noted)
        clocks_plain(c, thread, address, 1, false, pc, &seen);
    return fine;
}

bool clocks_record_atomic(struct clocks *c, uint32_t thread, uint64_t address, size_t size, bool writes,
                          bool next, uint64_t pc, struct race *r)
{
    const union vector *hb = &thread_get(c, thread)->hb;
    struct span span = span_of(address, size);
    uint64_t access =
        shadow_tag(hb->lane[thread] - !next, thread, writes ? SHADOW_ATOMIC_WRITE : SHADOW_ATOMIC_READ, size);
    bool fine = true;
    for (uint64_t granule = span_first_granule(span); granule <= span_last_granule(span); granule++) {
        struct shadow_cell *cell = shadow_get_cell(&c->shadow, granule, 0, 0);
        if (cell->bytes)
            clocks_spread_cell(c, cell);
        fine =
            list_access(c, granule, cell, hb, shadow_with_bytes(access, span_bytes(span, granule)), pc, r) &&
            fine;
    }
    return went_well(c, fine, r);
}
