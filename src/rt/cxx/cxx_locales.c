/* SPDX-License-Identifier: Apache-2.0 */
/* Locales that the program makes: who drops the last reference destroys them and their facets. One count for all of
 * them, since locales share facets; those of the library itself are never destroyed. */
#include "engine/memory/objects.h"
#include "rt/start.h"
#include "rt/cxx/watched_memory.h"

static uint32_t drops;

BEFORE_EACH_EXECUTION(locales_reset)
{
    drops = 0;
}

static void drop(void *implementation, const void *pc)
{
    if (engine_active && heap_contains(implementation))
        watched_drop(&drops, pc);
}

#define DROPS(name, parameters, arguments) \
    void *name parameters;                 \
    EXPORT void *name parameters           \
    {                                      \
        drop(*locale, CALLER);             \
        return NEXT(name) arguments;       \
    }

DROPS(_ZNSt6localeD1Ev, (void **locale), (locale))
DROPS(_ZNSt6localeD2Ev, (void **locale), (locale))
DROPS(_ZNSt6localeaSERKS_, (void **locale, void **other), (locale, other))

/* What a facet says, kept with the locale: the first thread that needs it makes it, and others find it without a lock. It is
 * one block, and the blocks that it points to. */
static void add_cache(const uint64_t *cache)
{
    size_t size = heap_size(cache);
    cxx_objects_add((uint64_t)cache, size);
    for (size_t k = 0; k < size / sizeof *cache; k++)
        if (heap_contains((const void *)cache[k]))
            cxx_objects_add(cache[k], heap_size((const void *)cache[k]));
}

EXPORT void _ZNSt6locale5_Impl16_M_install_cacheEPKNS_5facetEm(void *implementation, const void *cache,
                                                               size_t number)
{
    if (engine_active && heap_contains(cache))
        add_cache(cache);
    NEXT(_ZNSt6locale5_Impl16_M_install_cacheEPKNS_5facetEm)(implementation, cache, number);
}
