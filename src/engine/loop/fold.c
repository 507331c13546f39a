/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/loop/fold.h"

#include "base/hash.h"
#include "engine/engine.h"

#include <link.h>
#include <string.h>

static struct fold_shared *shared;
static uint64_t base, end;  /* where the program is loaded */
static bool names_are_free; /* threads may have had the names of others */

/* The program comes first. */
static int find_base(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    (void)data;
    base = info->dlpi_addr;
    for (int k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[k];
        if (part->p_type == PT_LOAD && base + part->p_vaddr + part->p_memsz > end)
            end = base + part->p_vaddr + part->p_memsz;
    }
    return 1;
}

bool fold_keeps_reads, fold_looks, fold_is_on, fold_is_patient;

void fold_prepare(struct fold_shared *s, bool on, bool symmetry)
{
    shared = s;
    names_are_free = symmetry;
    dl_iterate_phdr(find_base, NULL);
    fold_looks = true;
    fold_is_on = fold_keeps_reads = on;
}

void fold_be_patient(void)
{
    fold_is_patient = true;
}

void fold_note_patient(void)
{
    shared->patient = true;
}

void fold_note_found(void)
{
    shared->found = true;
    fold_looks = false;
}

bool fold_has_names(void)
{
    return !names_are_free;
}

uint64_t fold_base(void)
{
    return base;
}

/* Rows of `size` bytes, sorted by the pc with which they begin. */
static const void *find_row(const void *rows, uint32_t count, size_t size, uint64_t pc)
{
    uint32_t low = 0, high = count;
    pc -= base;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (*(const uint64_t *)((const char *)rows + middle * size) < pc)
            low = middle + 1;
        else
            high = middle;
    }
    const void *found = (const char *)rows + low * size;
    return low < count && *(const uint64_t *)found == pc ? found : NULL;
}

/* The same few places again and again. */
static const struct fold_place *find_place(uint64_t pc)
{
    enum { CACHED = 64 };
    static struct {
        uint64_t pc;
        const struct fold_place *place;
    } cache[CACHED], *c;
    if (!fold_looks)
        return NULL;
    c = &cache[(pc ^ pc >> 6) % CACHED];
    if (c->pc != pc) {
        c->pc = pc;
        c->place = find_row(shared->places.list, shared->places.count, sizeof *shared->places.list, pc);
    }
    return c->place;
}

const struct fold_place *fold_find(uint64_t pc)
{
    const struct fold_place *place = find_place(pc);
    return place && place->knows_frame ? place : NULL;
}

bool fold_is_unused(uint64_t pc)
{
    const struct fold_place *place = find_place(pc);
    return place && place->unused;
}

const struct fold_call *fold_find_call(uint64_t pc)
{
    return find_row(shared->places.calls, shared->places.call_count, sizeof *shared->places.calls, pc);
}

bool fold_updates(uint64_t pc, bool writes)
{
    const struct fold_places *p = fold_looks ? &shared->places : NULL;
    const struct fold_update *u = p ? find_row(p->updates, p->update_count, sizeof *p->updates, pc) : NULL;
    return u && u->writes == writes;
}

/* ------------------------------------------------------------------ races that may be hidden */

enum { GRANULE = 8 };

/* Made if it does not exist, and `fresh` says what it holds then; null: the table is full. */
static struct fold_entry *entry_at(struct fold_entry *table, uint64_t key, uint8_t fresh)
{
    for (uint32_t k = 0; k < FOLD_ENTRIES; k++) {
        struct fold_entry *e = &table[(key + k) % FOLD_ENTRIES];
        if (e->key == key)
            return e;
        if (e->key == 0) {
            e->key = key;
            memset(e->numbers, fresh, sizeof e->numbers);
            return e;
        }
    }
    shared->overflows = true;
    engine_limit(LIMIT_FOLDING);
    return NULL;
}

const struct fold_entry *fold_entry_find(const struct fold_entry *table, uint64_t key)
{
    for (uint32_t k = 0; k < FOLD_ENTRIES; k++) {
        const struct fold_entry *e = &table[(key + k) % FOLD_ENTRIES];
        if (e->key == key || e->key == 0)
            return e->key ? e : NULL;
    }
    return NULL;
}

bool fold_entries_meet(const struct fold_entry *read, const struct fold_entry *exposed)
{
    for (uint32_t t = 0; t < FOLD_THREADS; t++)
        if (exposed->numbers[t] > read->numbers[t])
            return true;
    return false;
}

/* Something may have been folded away: nothing that this worker does is of use any more. */
static void check_entries(const struct fold_entry *read, const struct fold_entry *exposed)
{
    if (read && exposed && fold_entries_meet(read, exposed))
        engine_limit(LIMIT_FOLDING);
}

/* With symmetry an execution stands for others, in which threads have other names, and their memory other addresses: all
 * of the heap is one, and so is all that is neither there nor the program's. */
static uint64_t key_without_names(uint64_t granule, bool atomic)
{
    bool is_static = granule >= base / GRANULE && granule < end / GRANULE;
    bool is_heap = heap_contains((const void *)(granule * GRANULE));
    return hash_combine(hash_word(is_static ? granule : is_heap), atomic) | 1;
}

static uint64_t key_of(struct fold_position at, uint64_t granule, bool atomic)
{
    if (names_are_free)
        return key_without_names(granule, atomic);
    return hash_combine(hash_word(granule), (uint64_t)at.event << 8 | 2 * at.thread | atomic) | 1;
}

/* Of rounds that may not have been run nothing is known but where they read. */
static uint64_t key_of_unseen(uint64_t granule)
{
    return names_are_free ? hash_word(key_without_names(granule, true)) | 1 : hash_word(~granule) | 1;
}

void fold_add_unseen(uint32_t reader, uint64_t address, uint64_t size)
{
    for (uint64_t g = address / GRANULE; size && g <= (address + size - 1) / GRANULE; g++) {
        struct fold_entry *e = entry_at(shared->reads, key_of_unseen(g), names_are_free ? 0 : UINT8_MAX);
        if (e)
            e->numbers[reader] = 0;
        check_entries(e, fold_entry_find(shared->exposed, key_of_unseen(g)));
    }
}

void fold_add_read(struct fold_position at, const uint8_t *known, uint64_t address, uint64_t size,
                   bool atomic)
{
    for (uint64_t g = address / GRANULE; size && g <= (address + size - 1) / GRANULE; g++) {
        uint64_t key = key_of(at, g, atomic);
        struct fold_entry *e = entry_at(shared->reads, key, UINT8_MAX);
        for (uint32_t t = 0; e && t < FOLD_THREADS; t++)
            if (known[t] < e->numbers[t])
                e->numbers[t] = known[t];
        check_entries(e, fold_entry_find(shared->exposed, key));
    }
}

static void add_exposed(uint64_t key, struct fold_position writer)
{
    struct fold_entry *e = entry_at(shared->exposed, key, 0);
    uint8_t event = (uint8_t)(fold_cap(writer.event) + 1);
    if (e && event <= e->numbers[writer.thread])
        return;
    if (e)
        e->numbers[writer.thread] = event;
    check_entries(fold_entry_find(shared->reads, key), e);
}

/* Atomic accesses race with plain ones only. */
void fold_add_exposed(struct fold_position at, struct fold_position writer, uint64_t address, uint64_t size,
                      bool atomic)
{
    for (uint64_t g = address / GRANULE; size && g <= (address + size - 1) / GRANULE; g++) {
        add_exposed(key_of(at, g, false), writer);
        if (!atomic)
            add_exposed(key_of(at, g, true), writer);
    }
}

void fold_add_overwritten(uint32_t readers, uint64_t address, uint64_t size)
{
    for (uint64_t g = address / GRANULE; readers && size && g <= (address + size - 1) / GRANULE; g++) {
        struct fold_entry *e = entry_at(shared->exposed, key_of_unseen(g), 0);
        for (uint32_t t = 0; e && t < FOLD_THREADS; t++)
            e->numbers[t] |= readers >> t & 1;
        check_entries(fold_entry_find(shared->reads, key_of_unseen(g)), e);
    }
}
