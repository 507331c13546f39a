/* SPDX-License-Identifier: Apache-2.0 */
/* What an execution did to memory: a cell for every granule of eight bytes it touched. Cells lie side by side in
 * the order of their first use; a hash table with open addressing finds them. Its slots carry the stamp of
 * their execution: a new one finds all of them empty. Private to clocks.c. */
#ifndef ENGINE_CLOCKS_SHADOW_H
#define ENGINE_CLOCKS_SHADOW_H

#include "base/vec.h"
#include "engine/race/clocks_vector.h"

enum shadow_kind {
    SHADOW_ATOMIC_READ = 1,
    SHADOW_ATOMIC_WRITE = 2,
    SHADOW_PLAIN_READ = 4,
    SHADOW_PLAIN_WRITE = 8,
    SHADOW_MESSAGE = 16, /* what an atomic write published */
    SHADOW_OBJECT = 32,  /* what was released at a synchronization object */
};

/* Written and compared as whole words: what is stored in pieces is slow to load as one. */
struct shadow_record {
    /* Clock, thread, kind, bytes of the granule (one bit each), size of the whole access */
    uint64_t tag;
    union {
        uint64_t pc;
        uint64_t vector; /* messages and objects: number of their clock vector; their clock is 0 */
    };
};

enum { SHADOW_THREAD = 32, SHADOW_KIND = 40, SHADOW_BYTES = 48, SHADOW_SIZE = 56 };

static inline uint64_t shadow_tag(int32_t clock, uint32_t thread, enum shadow_kind kind, size_t size)
{
    return (uint32_t)clock | (uint64_t)thread << SHADOW_THREAD | (uint64_t)kind << SHADOW_KIND |
           (uint64_t)(size < UINT8_MAX ? size : UINT8_MAX) << SHADOW_SIZE;
}

static inline uint64_t shadow_with_bytes(uint64_t tag, uint8_t bytes)
{
    return tag | (uint64_t)bytes << SHADOW_BYTES;
}

static inline uint64_t shadow_without_bytes(uint64_t tag, uint8_t bytes)
{
    return tag & ~((uint64_t)bytes << SHADOW_BYTES);
}

static inline int32_t shadow_clock(uint64_t tag)
{
    return (int32_t)(uint32_t)tag;
}

static inline uint8_t shadow_thread(uint64_t tag)
{
    return (uint8_t)(tag >> SHADOW_THREAD);
}

static inline uint8_t shadow_kind(uint64_t tag)
{
    return (uint8_t)(tag >> SHADOW_KIND);
}

static inline uint8_t shadow_bytes(uint64_t tag)
{
    return (uint8_t)(tag >> SHADOW_BYTES);
}

static inline uint8_t shadow_size(uint64_t tag)
{
    return (uint8_t)(tag >> SHADOW_SIZE);
}

/* Clock and thread. */
static inline bool shadow_same_epoch(uint64_t a, uint64_t b)
{
    return (a ^ b) << (64 - SHADOW_KIND) == 0;
}

enum { SHADOW_INLINE = 11, SHADOW_GRANULE_LOG = 3 };

enum compact_kind { COMPACT_PLAIN_WRITE, COMPACT_ATOMIC_WRITE, COMPACT_PLAIN_READ, COMPACT_ATOMIC_READ };
enum { COMPACT_KINDS = 4 };

/* The accesses to a granule, in one of two forms: compact, as long as one or two cells will do, each for bytes
 * that were only accessed together, and by threads of one group of lanes; otherwise a list of records. Where
 * there is more than one group, atomic accesses need a list, for their messages. */
struct shadow_cell {
    _Alignas(64) uint64_t write_place; /* compact: of the plain write, of which there is at most one */
    union {
        uint32_t block; /* list: where the records are when the cell has no room, or 0 */
        uint32_t other; /* compact: number of the granule's second cell, or 0 */
    };
    uint16_t count; /* of records */
    uint8_t bytes;  /* compact: those of every access; 0: a list */
    uint8_t group;  /* compact: which lanes */
    union {
        struct {
            lanes clocks[COMPACT_KINDS]; /* of each thread's last access that still counts, or 0 */
            lanes message;
            uint64_t places[COMPACT_KINDS - 1][LANES]; /* pc and size; of all kinds but the plain write */
        } compact;
        struct shadow_record first[SHADOW_INLINE];
    };
};

struct shadow_slot {
    uint64_t granule;
    uint32_t stamp;
    uint32_t cell;
};

struct shadow {
    struct shadow_slot *slots;
    struct shadow_cell *cells;
    size_t mask;
    unsigned shift;
    uint32_t stamp; /* of the current execution; never 0 */
    bool wide;      /* there is more than one group of lanes */
    size_t live, cells_cap;
    void *allocation;                 /* `cells` is this, aligned */
    VEC(struct shadow_record) blocks; /* the record before a block holds its capacity */
};

void shadow_init(struct shadow *s);
void shadow_free(struct shadow *s);
void shadow_reset(struct shadow *s);

/* Makes `empty`, where the search for the granule ended, its slot; the tables may grow. */
struct shadow_cell *shadow_add_cell(struct shadow *s, struct shadow_slot *empty, uint64_t granule,
                                    uint8_t bytes, uint32_t group);
/* Gives a compact cell a second one for other bytes, a copy of the first or empty. Returns the first, which may
 * have moved. */
struct shadow_cell *shadow_add_other(struct shadow *s, struct shadow_cell *cell, uint8_t bytes, bool copy);
/* Doubles the room for records. */
void shadow_grow_records(struct shadow *s, struct shadow_cell *cell);

/* NULL when nothing happened there; then *empty is the place for its slot. */
static inline struct shadow_cell *shadow_find_or(const struct shadow *s, uint64_t granule,
                                                 struct shadow_slot **empty)
{
    size_t i = granule * 0x9e3779b97f4a7c15u >> s->shift;
    for (; s->slots[i].stamp == s->stamp; i = (i + 1) & s->mask)
        if (__builtin_expect(s->slots[i].granule == granule, true))
            return &s->cells[s->slots[i].cell];
    *empty = &s->slots[i];
    return NULL;
}

static inline struct shadow_cell *shadow_find_cell(const struct shadow *s, uint64_t granule)
{
    struct shadow_slot *empty = NULL;
    return shadow_find_or(s, granule, &empty);
}

/* Valid until the next call with another granule. A new cell is compact, for these bytes and this group of lanes, if
 * there are any. */
static inline struct shadow_cell *shadow_get_cell(struct shadow *s, uint64_t granule, uint8_t bytes,
                                                  uint32_t group)
{
    struct shadow_slot *empty = NULL;
    struct shadow_cell *cell = shadow_find_or(s, granule, &empty);
    return __builtin_expect(cell != NULL, true) ? cell : shadow_add_cell(s, empty, granule, bytes, group);
}

/* The granule's compact cell for these bytes and lanes, or NULL. */
static inline struct shadow_cell *shadow_compact_cell(const struct shadow *s, struct shadow_cell *cell,
                                                      uint8_t bytes, uint32_t group)
{
    if (cell->group != group)
        return NULL;
    if (cell->bytes == bytes)
        return cell;
    if (!cell->bytes || !cell->other)
        return NULL;
    struct shadow_cell *other = &s->cells[cell->other];
    return other->bytes == bytes ? other : NULL;
}

/* Of a list; valid until a record is added. */
static inline struct shadow_record *shadow_records(const struct shadow *s, struct shadow_cell *cell)
{
    return cell->block ? s->blocks.data + cell->block : cell->first;
}

static inline uint64_t shadow_capacity(const struct shadow *s, const struct shadow_cell *cell)
{
    return cell->block ? s->blocks.data[cell->block - 1].tag : SHADOW_INLINE;
}

static inline void shadow_add_record(struct shadow *s, struct shadow_cell *cell, uint64_t tag, uint64_t pc)
{
    if (cell->count >= SHADOW_INLINE && cell->count == shadow_capacity(s, cell))
        shadow_grow_records(s, cell);
    struct shadow_record *record = &shadow_records(s, cell)[cell->count++];
    record->tag = tag;
    record->pc = pc; /* or the vector */
}

#endif
