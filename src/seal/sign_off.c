/* SPDX-License-Identifier: Apache-2.0 */
#include "seal/sign_off.h"

#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>

enum { PAGE = 1 << 16 }; /* a page of any system, with nothing before and behind it */

static uint64_t mix(uint64_t state, uint64_t word)
{
    state = (state ^ word) * 0x9fb21c651e98df25u;
    return state ^ state >> 32;
}

static uint64_t mix_bytes(uint64_t state, const unsigned char *bytes, size_t size)
{
    uint64_t word;
    state = mix(state, size);
    for (; size >= sizeof word; bytes += sizeof word, size -= sizeof word) {
        __builtin_memcpy(&word, bytes, sizeof word);
        state = mix(state, word);
    }
    for (word = 0; size > 0; size--)
        word = word << 8 | bytes[size - 1];
    return mix(state, word);
}

static uint64_t signature(uint64_t key, const struct sign_off_part *parts, size_t count)
{
    uint64_t state = key;
    for (size_t k = 0; k < count; k++)
        state = mix_bytes(state, parts[k].bytes, parts[k].size);
    state = mix(state, key);
    return state ? state : 1;
}

/* ------------------------------------------------------------------ the tool */

uint64_t sign_off_issue(struct sign_off *s)
{
    struct timespec now;
    if (getrandom(&s->key, sizeof s->key, GRND_NONBLOCK) != (ssize_t)sizeof s->key) {
        clock_gettime(CLOCK_MONOTONIC, &now); /* a system without random numbers yet */
        s->key = mix((uint64_t)now.tv_sec, (uint64_t)now.tv_nsec);
    }
    s->key |= 1;
    s->signature = 0;
    return s->key;
}

bool sign_off_is_valid(const struct sign_off *s, uint64_t key, const struct sign_off_part *parts,
                       size_t count)
{
    return s->signature == signature(key, parts, count);
}

/* ------------------------------------------------------------------ the runtime */

/* The key is in the middle of three pages, none of which can be read or written but while it signs. */
static char *pages;

void sign_off_take(struct sign_off *s)
{
    char *made = mmap(NULL, 3 * (size_t)PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED || mprotect(made + PAGE, PAGE, PROT_READ | PROT_WRITE) != 0)
        return;
    *(uint64_t *)(void *)(made + PAGE) = s->key;
    s->key = 0;
    mprotect(made + PAGE, PAGE, PROT_NONE);
    pages = made;
}

bool sign_off_sign(struct sign_off *s, const struct sign_off_part *parts, size_t count)
{
    if (!pages || mprotect(pages + PAGE, PAGE, PROT_READ) != 0)
        return false;
    s->signature = signature(*(uint64_t *)(void *)(pages + PAGE), parts, count);
    return mprotect(pages + PAGE, PAGE, PROT_NONE) == 0;
}
