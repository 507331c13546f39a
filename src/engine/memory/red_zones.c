/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/memory/red_zones.h"

#include "base/vec.h"

#include <stdio.h>
#include <sys/mman.h>

struct red_zones red_zones;

/* By their addresses; they do not overlap. */
static VEC(struct surrounded_variable) variables;

/* Of each thread; they begin at a distance from the thread register. */
static VEC(struct surrounded_variable) thread_variables;

enum { BITS_MAX = 1 << 30 }; /* bytes of the program that the bits are for */

/* ------------------------------------------------------------------ messages */

_Noreturn void red_zones_fail(const char *where, const struct bounded_object *object,
                              struct memory_range access, const char *how, const void *pc)
{
    uint64_t end = object->from + object->size;
    bool before = access.from < object->from, beyond = access.from >= end;
    unsigned long long distance = before ? object->from - access.from : access.from - end;
    char place[64];
    if (before)
        snprintf(place, sizeof place, "%llu byte%s before", distance, distance == 1 ? "" : "s");
    else if (!beyond)
        snprintf(place, sizeof place, "from byte %llu of", (unsigned long long)(access.from - object->from));
    else if (distance)
        snprintf(place, sizeof place, "%llu byte%s past the end of", distance, distance == 1 ? "" : "s");
    else
        snprintf(place, sizeof place, "right past the end of");
    engine_fail(WORKER_ERROR_OUT_OF_BOUNDS, access.from, pc,
                "%s-buffer %s: %s of %llu byte%s %s %s, which has %llu", where,
                before ? "underflow" : "overflow", how, (unsigned long long)access.size,
                access.size == 1 ? "" : "s", place, object->name, (unsigned long long)object->size);
}

/* ---------------------------------------------------------- static variables */

/* The first one that ends, with its zone, above the address. */
static size_t find_above(uint64_t address)
{
    size_t low = 0, high = variables.len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct surrounded_variable *v = &variables.data[middle];
        if (v->from + v->size + v->zone <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void red_zones_search(uint64_t address, size_t size, const char *how, const void *pc)
{
    for (size_t k = find_above(address); k < variables.len && variables.data[k].from < address + size; k++) {
        const struct surrounded_variable *v = &variables.data[k];
        struct bounded_object object = {v->from, v->size, v->name};
        if (address + size > v->from + v->size)
            red_zones_fail("global", &object, (struct memory_range){address, size}, how, pc);
    }
}

static void set_bits(uint8_t *bits, uint64_t from, uint64_t to)
{
    for (; from < to; from++)
        bits[from / 8] |= (uint8_t)(1 << from % 8);
}

/* The bits for the variables that lie near the first ones, which are nearly always all. */
static void make_bits(void)
{
    const struct surrounded_variable *first = variables.data, *last = &vec_last(&variables);
    uint64_t end = last->from + last->size + last->zone;
    red_zones.elsewhere = end - first->from > BITS_MAX;
    if (red_zones.elsewhere)
        return;
    uint64_t size = end - first->from + RED_ZONE_MIN;
    uint8_t *bits =
        mmap(NULL, size / 8 + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (bits == MAP_FAILED) {
        red_zones.elsewhere = true;
        return;
    }
    for (size_t k = 0; k < variables.len; k++) {
        uint64_t zone = variables.data[k].from + variables.data[k].size - first->from;
        set_bits(bits, zone, zone + variables.data[k].zone);
    }
    if (red_zones.bits)
        munmap((void *)red_zones.bits, red_zones.size / 8 + 1);
    red_zones.from = first->from;
    red_zones.size = size;
    red_zones.bits = bits;
}

static int compare_variables(const void *a, const void *b)
{
    uint64_t first = ((const struct surrounded_variable *)a)->from;
    uint64_t second = ((const struct surrounded_variable *)b)->from;
    return (first > second) - (first < second);
}

void red_zones_note(const struct surrounded_variable *table, size_t count)
{
    for (size_t k = 0; k < count; k++)
        vec_push(&variables, table[k]);
    qsort(variables.data, variables.len, sizeof *variables.data, compare_variables);
    make_bits();
}

/* ------------------------------------------------------ variables of each thread */

/* Those of a library that was loaded late are elsewhere in each thread. */
void red_zones_note_thread(struct surrounded_variable v)
{
    enum { STORAGE_MAX = 1 << 24 };
    v.from -= (uint64_t)__builtin_thread_pointer();
    if (v.from + STORAGE_MAX < 2 * STORAGE_MAX)
        vec_push(&thread_variables, v);
}

void red_zones_check_thread(uint64_t storage, uint64_t address, size_t size, const void *pc)
{
    for (size_t k = 0; k < thread_variables.len; k++) {
        const struct surrounded_variable *v = &thread_variables.data[k];
        uint64_t from = storage + v->from, end = from + v->size;
        struct bounded_object object = {from, v->size, v->name};
        if (address < end + v->zone && end < address + size)
            red_zones_fail("thread-local", &object, (struct memory_range){address, size}, "access", pc);
    }
}
