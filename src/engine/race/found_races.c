/* SPDX-License-Identifier: Apache-2.0 */
/* What is done about a race: the end of the execution, or, when races are kept or no errors, nothing that the program
 * would notice. */
#include "base/hash.h"
#include "engine/graph_mode/graph_mode.h"
#include "engine/engine_quick.h"
#include "engine/engine_state.h"
#include "engine/error/findings.h"
#include "engine/memory/objects.h"
#include "engine/graph_mode/plain_steps.h"
#include "engine/memory/snapshot.h"

#include <stdio.h>

static void describe_access(char *to, size_t size, bool atomic, bool writes, unsigned bytes)
{
    snprintf(to, size, "%s %s of %u byte%s", atomic ? "an atomic" : "a plain", writes ? "write" : "read",
             bytes, bytes == 1 ? "" : "s");
}

/* A step at a synchronization object is noted as a read of its first byte (engine_use_object). */
static bool first_uses(const struct race *r)
{
    const struct worker_shared *s = engine.shared;
    if (r->first_writes || r->first_atomic || r->first_size != 1)
        return false;
    for (uint32_t k = 0; k < s->event_count; k++) {
        const struct event *e = &s->events[k];
        if (e->thread == r->first_thread && e->address == r->address && event_is_at_object(e->kind))
            return true;
    }
    return false;
}

static void describe_first(char *to, size_t size, const struct race *r)
{
    if (r->first_allocates)
        snprintf(to, size, "the malloc of that block");
    else if (first_uses(r))
        snprintf(to, size, "the use of that object");
    else
        describe_access(to, size, r->first_atomic, r->first_writes, r->first_size);
}

static bool is_free(const struct race *r)
{
    return r->second_writes && !r->second_atomic && (const void *)r->second_pc == engine.freeing_at;
}

/* A free is reported as such: its line writes nothing. What comes after it is a use after free, so it is never the first. */
static void describe_second(char *to, size_t size, const struct race *r)
{
    if (is_free(r))
        snprintf(to, size, "the free of that block");
    else if (r->second_uses)
        snprintf(to, size, "the use of that object");
    else
        describe_access(to, size, r->second_atomic, r->second_writes, r->second_size);
}

static struct hash_map volatiles; /* places of accesses */

void failure_note_volatile(uint64_t pc)
{
    static uint64_t recent[64];
    uint64_t *last = &recent[pc % (sizeof recent / sizeof *recent)];
    if (*last == pc)
        return;
    *last = pc;
    *hash_map_at(&volatiles, pc) = 1;
}

static bool is_volatile(uint64_t pc)
{
    return hash_map_get(&volatiles, pc) != HASH_NO_NUMBER;
}

static const char *describe_volatile(const struct race *r)
{
    if (volatile_is_atomic || (!is_volatile(r->first_pc) && !is_volatile(r->second_pc)))
        return "";
    return " (volatile orders nothing; --volatile=relaxed takes it as atomic)";
}

static void describe_race(const struct race *r)
{
    char first[64], second[64];
    describe_first(first, sizeof first, r);
    describe_second(second, sizeof second, r);
    objects_describe(r->address, engine.shared->error.object, sizeof engine.shared->error.object);
    engine_name_second(r->first_thread, (const void *)r->first_pc);
    engine.shared->error.frees = is_free(r);
    failure_describe(WORKER_ERROR_RACE, r->address, (const void *)r->second_pc,
                     "%s by T%u and %s by T%u are not ordered by happens-before%s", first, r->first_thread,
                     second, r->second_thread, describe_volatile(r));
}

/* ------------------------------------------------------------------ races that are kept */

static struct hash_map numbers; /* of findings, by the race */

static uint64_t hash_race(const struct race *r)
{
    uint64_t low = r->first_pc < r->second_pc ? r->first_pc : r->second_pc;
    uint64_t hash = hash_combine(low, r->first_pc ^ r->second_pc);
    bool apart = engine.shared->config.races == RACES_BY_LOCATION;
    return apart ? hash_combine(hash, r->address) : hash;
}

static void keep_race(const struct race *r)
{
    struct worker_shared *s = engine.shared;
    uint64_t key = hash_race(r);
    if (findings_ignored || worker_is_serial(&s->config))
        return;
    if (findings_count_again(s, hash_map_get(&numbers, key)))
        return;
    bool active = engine_active;
    describe_race(r);
    graph_mode_record();
    *hash_map_at(&numbers, key) = findings_add(s);
    s->error = (struct worker_error){0};
    engine_active = active;
}

/* Is it the race that the replay is about? Whose access comes first does not matter. */
static bool is_wanted(const struct race *r)
{
    const struct worker_race *w = &engine.shared->config.race;
    uint64_t base = engine.shared->modules[0].base, first = r->first_pc - base, second = r->second_pc - base;
    bool same = (first == w->places[0] && second == w->places[1]) ||
                (first == w->places[1] && second == w->places[0]);
    return same && (engine.shared->config.races == RACES_BY_PLACES || r->address == w->address);
}

/* ------------------------------------------------------------------ all races */

static bool is_error(const struct race *r)
{
    const struct worker_config *c = &engine.shared->config;
    if (c->races)
        return c->mode == WORKER_REPLAY && is_wanted(r);
    return !races_allowed;
}

/* A plain write that is a step has no event before its value is known, a read none before its block is found to be known. */
static void show_second(const struct race *r)
{
    enum event_kind kind = r->second_writes ? EVENT_PLAIN_WRITE : EVENT_PLAIN_READ;
    if (plain_steps_on && engine.keeps_plain && (r->second_writes || r->first_allocates) && !r->second_atomic)
        engine_keep_event(engine_who_and_how(kind, r->second_size, ORDER_PLAIN), r->address, 0, 0,
                          (const void *)r->second_pc);
}

/* Code of the C++ library's headers is the program's, but not the library's own variables: some are caches that
 * several threads fill with the same bytes (std::ctype<char>::narrow). */
static bool is_for_all_threads(uint64_t address)
{
    if (cxx_objects_have(address))
        return cxx_objects_are_for_all(address);
    return snapshot_is_system_data(address);
}

void failure_report_race(const struct race *r)
{
    const struct worker_config *c = &engine.shared->config;
    char object[sizeof engine.shared->error.object] = "";
    objects_describe(r->address, object, sizeof object);
    bool is_of_system = is_for_all_threads(r->address) && !*object;
    if (!is_of_system && is_error(r)) {
        show_second(r);
        describe_race(r);
        failure_end(WORKER_ERROR_RACE, r->address);
    }
    if (!is_of_system && c->races && c->mode != WORKER_REPLAY)
        keep_race(r);
    if (races_allowed)
        plain_steps_found_race(r);
}

void failure_report_races(struct race *r)
{
    do
        failure_report_race(r);
    while (clocks_next_race(engine.clocks, r));
}
