/* SPDX-License-Identifier: Apache-2.0 */
/* Hash tables of C++: what libstdc++'s headers only declare. The functions themselves stay the library's; what they
 * access is announced. */
#include "rt/cxx/watched_memory.h"

/* A std::thread::id, by what it holds: the runtime's threads have small numbers. */
static void note_thread(const void *bytes, size_t size, const void *pc)
{
    uint64_t word;
    if (!engine_active || size != sizeof word)
        return;
    real.memcpy(&word, bytes, sizeof word);
    if (word && word <= CLOCKS_THREADS_MAX)
        engine_note_answer("std::hash<std::thread::id>", pc);
}

EXPORT size_t _ZSt11_Hash_bytesPKvmm(const void *bytes, size_t size, size_t seed)
{
    watched_access(bytes, size, false, CALLER);
    note_thread(bytes, size, CALLER);
    return NEXT(_ZSt11_Hash_bytesPKvmm)(bytes, size, seed);
}

EXPORT size_t _ZSt15_Fnv_hash_bytesPKvmm(const void *bytes, size_t size, size_t seed)
{
    watched_access(bytes, size, false, CALLER);
    return NEXT(_ZSt15_Fnv_hash_bytesPKvmm)(bytes, size, seed);
}

/* When a table grows; constant for the language, but it keeps its next limit. */
struct rehash_policy {
    float max_load_factor;
    size_t next_resize;
};

struct bool_and_size { /* std::pair<bool, size_t> */
    bool first;
    size_t second;
};

static struct rehash_policy get_policy(const struct rehash_policy *p, const void *pc)
{
    return (struct rehash_policy){WATCHED_GET(&p->max_load_factor, pc), WATCHED_GET(&p->next_resize, pc)};
}

EXPORT size_t _ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm(struct rehash_policy *p, size_t buckets)
{
    struct rehash_policy copy = {.max_load_factor = WATCHED_GET(&p->max_load_factor, CALLER)};
    size_t next = NEXT(_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm)(&copy, buckets);
    WATCHED_SET(&p->next_resize, copy.next_resize, CALLER);
    return next;
}

EXPORT struct bool_and_size _ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm(struct rehash_policy *p,
                                                                                      size_t buckets,
                                                                                      size_t elements,
                                                                                      size_t more)
{
    struct rehash_policy before = get_policy(p, CALLER), copy = before;
    struct bool_and_size answer =
        NEXT(_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm)(&copy, buckets, elements, more);
    if (copy.next_resize != before.next_resize)
        WATCHED_SET(&p->next_resize, copy.next_resize, CALLER);
    return answer;
}
