/* SPDX-License-Identifier: Apache-2.0 */
/* What the code of annotations has at hand: plumb-cc includes it in files that have some. Users have `plumb_sequence` from
 * it; the rest is for the code that `plumb annotate` writes. It needs no other header than the compiler's own. */
#ifndef PLUMB_ANNOTATED_H
#define PLUMB_ANNOTATED_H

#include "annotations.h"

typedef __UINT64_TYPE__ plumb_u64;
typedef __UINTPTR_TYPE__ plumb_address;

#ifdef __cplusplus
#define PLUMB_INLINE inline
#else
#define PLUMB_INLINE static __inline__ __attribute__((__unused__))
#endif

/* --- a sequence for sequential states ------------------------------------------------------------ */

/* A queue, a stack or a list of numbers; pointers are numbers, too. Zero is the empty one. It lies within the state,
 * and what was removed is zero again, so that equal sequences have equal bytes. */
enum { PLUMB_SEQUENCE_SIZE = 128 };
typedef struct plumb_sequence {
    unsigned length;
    long values[PLUMB_SEQUENCE_SIZE];
} plumb_sequence;

PLUMB_INLINE void plumb_insert(plumb_sequence *s, unsigned at, long value)
{
    if (s->length >= PLUMB_SEQUENCE_SIZE || at > s->length)
        __builtin_trap();
    for (unsigned i = s->length++; i > at; i--)
        s->values[i] = s->values[i - 1];
    s->values[at] = value;
}
PLUMB_INLINE long plumb_erase(plumb_sequence *s, unsigned at)
{
    if (at >= s->length)
        return 0;
    long value = s->values[at];
    for (s->length--; at < s->length; at++)
        s->values[at] = s->values[at + 1];
    s->values[s->length] = 0;
    return value;
}
PLUMB_INLINE void plumb_push_back(plumb_sequence *s, long value)
{
    plumb_insert(s, s->length, value);
}
PLUMB_INLINE void plumb_push_front(plumb_sequence *s, long value)
{
    plumb_insert(s, 0, value);
}
/* What is removed, and 0 from an empty one. */
PLUMB_INLINE long plumb_pop_back(plumb_sequence *s)
{
    return s->length ? plumb_erase(s, s->length - 1) : 0;
}
PLUMB_INLINE long plumb_pop_front(plumb_sequence *s)
{
    return plumb_erase(s, 0);
}
PLUMB_INLINE long plumb_at(const plumb_sequence *s, unsigned at)
{
    return at < s->length ? s->values[at] : 0;
}
PLUMB_INLINE long plumb_front(const plumb_sequence *s)
{
    return plumb_at(s, 0);
}
PLUMB_INLINE long plumb_back(const plumb_sequence *s)
{
    return s->length ? s->values[s->length - 1] : 0;
}
PLUMB_INLINE unsigned plumb_size(const plumb_sequence *s)
{
    return s->length;
}
PLUMB_INLINE int plumb_empty(const plumb_sequence *s)
{
    return s->length == 0;
}
/* Where it is first, or -1. */
PLUMB_INLINE int plumb_index(const plumb_sequence *s, long value)
{
    for (unsigned i = 0; i < s->length; i++)
        if (s->values[i] == value)
            return (int)i;
    return -1;
}
PLUMB_INLINE int plumb_contains(const plumb_sequence *s, long value)
{
    return plumb_index(s, value) >= 0;
}

/* --- values as text ------------------------------------------------------------------------------ */

#define PLUMB_SHOW(name, type, format, as)                                \
    PLUMB_INLINE void plumb_show_##name(struct plumb_text *to, const void *value) \
    {                                                                     \
        plumb_text_add(to, format, (as) * (const type *)value);          \
    }
PLUMB_SHOW(signed_char, signed char, "%d", int)
PLUMB_SHOW(unsigned_char, unsigned char, "%d", int)
PLUMB_SHOW(short, short, "%d", int)
PLUMB_SHOW(unsigned_short, unsigned short, "%d", int)
PLUMB_SHOW(int, int, "%d", int)
PLUMB_SHOW(unsigned, unsigned, "%u", unsigned)
PLUMB_SHOW(long, long, "%ld", long)
PLUMB_SHOW(unsigned_long, unsigned long, "%lu", unsigned long)
PLUMB_SHOW(float, float, "%g", double)
PLUMB_SHOW(double, double, "%g", double)
#undef PLUMB_SHOW

PLUMB_INLINE void plumb_show_bool(struct plumb_text *to, const void *value)
{
    plumb_text_add(to, "%s", *(const unsigned char *)value ? "true" : "false");
}
PLUMB_INLINE void plumb_show_char(struct plumb_text *to, const void *value)
{
    char c = *(const char *)value;
    if (c >= ' ' && c < 127)
        plumb_text_add(to, "'%c'", c);
    else
        plumb_text_add(to, "%d", c);
}
PLUMB_INLINE void plumb_show_pointer(struct plumb_text *to, const void *value)
{
    const void *pointer = *(const void *const *)value;
    if (pointer)
        plumb_text_add(to, "%p", pointer);
    else
        plumb_text_add(to, "null");
}
PLUMB_INLINE void plumb_show_other(struct plumb_text *to, const void *value)
{
    (void)value;
    plumb_text_add(to, "...");
}
PLUMB_INLINE void plumb_show_array(struct plumb_text *to, const void *values, size_t count, size_t size,
                                   void (*show)(struct plumb_text *, const void *))
{
    if (show == plumb_show_char && count && ((const char *)values)[count - 1] == 0) {
        plumb_text_add(to, "\"%s\"", (const char *)values);
        return;
    }
    plumb_text_add(to, "[");
    for (size_t i = 0; i < count; i++) {
        plumb_text_add(to, "%s", i ? ", " : "");
        show(to, (const char *)values + i * size);
    }
    plumb_text_add(to, "]");
}
PLUMB_INLINE void plumb_show_sequence(struct plumb_text *to, const void *value)
{
    const plumb_sequence *s = (const plumb_sequence *)value;
    plumb_show_array(to, s->values, s->length, sizeof(long), plumb_show_long);
}

#endif
