/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic accesses of sizes that no instruction has, which compilers leave to a library. Only constructors come here: operations that call one are
 * refused by name (prove_program.c). */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

void libatomic_load(size_t size, const void *at, void *out, int order) __asm__("__atomic_load");
void libatomic_store(size_t size, void *at, const void *value, int order) __asm__("__atomic_store");
void libatomic_exchange(size_t size, void *at, const void *value, void *out,
                        int order) __asm__("__atomic_exchange");
bool libatomic_compare_exchange(size_t size, void *at, void *expected, const void *value, int order,
                                int failure) __asm__("__atomic_compare_exchange");

EXPORT void libatomic_load(size_t size, const void *at, void *out, int order)
{
    (void)order;
    memcpy(out, at, size);
}

EXPORT void libatomic_store(size_t size, void *at, const void *value, int order)
{
    (void)order;
    memcpy(at, value, size);
}

EXPORT void libatomic_exchange(size_t size, void *at, const void *value, void *out, int order)
{
    (void)order;
    memcpy(out, at, size);
    memcpy(at, value, size);
}

EXPORT bool libatomic_compare_exchange(size_t size, void *at, void *expected, const void *value, int order,
                                       int failure)
{
    (void)order, (void)failure;
    bool same = memcmp(at, expected, size) == 0;
    memcpy(same ? at : expected, same ? value : at, size);
    return same;
}
