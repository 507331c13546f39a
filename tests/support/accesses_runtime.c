/* SPDX-License-Identifier: Apache-2.0 */
/* A runtime that prints what is announced: `r4 name+2`, by the objects that the program names (accesses_named). */
#include <stdint.h>
#include <stdio.h>

struct named {
    const char *name;
    const void *start;
    unsigned long size;
};

void accesses_of(const char *function, const struct named *named);
void accesses_mark(int value);
static const struct named *objects;

void accesses_of(const char *function, const struct named *named)
{
    objects = named;
    if (function)
        printf("\n%s:", function);
}

void accesses_mark(int value)
{
    printf(" mark %d", value);
}

/* Byte by byte: how a compiler divides an access is its own affair. */
static void announce(char kind, const void *address, unsigned long size)
{
    for (const struct named *o = objects; o && o->name; o++)
        for (unsigned long k = 0; k < size; k++) {
            uintptr_t offset = (uintptr_t)address + k - (uintptr_t)o->start;
            if (offset < o->size)
                printf(" %c:%s+%lu", kind, o->name, (unsigned long)offset);
        }
}

#define PLAIN(n)                             \
    void __tsan_read##n(void *p);            \
    void __tsan_write##n(void *p);           \
    void __tsan_unaligned_read##n(void *p);  \
    void __tsan_unaligned_write##n(void *p); \
    void __tsan_read##n(void *p)             \
    {                                        \
        announce('r', p, n);                 \
    }                                        \
    void __tsan_write##n(void *p)            \
    {                                        \
        announce('w', p, n);                 \
    }                                        \
    void __tsan_unaligned_read##n(void *p)   \
    {                                        \
        announce('r', p, n);                 \
    }                                        \
    void __tsan_unaligned_write##n(void *p)  \
    {                                        \
        announce('w', p, n);                 \
    }
PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

#define SHADOW(n)                                                 \
    unsigned long __tsan_read##n##_shadow(void *p);               \
    void __tsan_write##n##_shadow(void *p, unsigned long shadow); \
    unsigned long __tsan_read##n##_shadow(void *p)                \
    {                                                             \
        announce('r', p, n);                                      \
        return 0;                                                 \
    }                                                             \
    void __tsan_write##n##_shadow(void *p, unsigned long shadow)  \
    {                                                             \
        (void)shadow;                                             \
        announce('w', p, n);                                      \
    }
SHADOW(1)
SHADOW(2)
SHADOW(4)
SHADOW(8)

void *__plumb_undefined_arguments[17], *__plumb_undefined_result[17];
unsigned long __plumb_undefined_read(void);
unsigned long __plumb_undefined_read(void)
{
    return 0;
}

#define NOTHING(name) \
    void name(void);  \
    void name(void)   \
    {                 \
    }
NOTHING(__tsan_init)
NOTHING(__tsan_func_entry)
NOTHING(__tsan_func_exit)
NOTHING(__plumb_scope_begin)
NOTHING(__plumb_scope_unused)
NOTHING(__plumb_note_thread_object)
NOTHING(__plumb_scope_end)
NOTHING(__plumb_scope_object)
NOTHING(__plumb_note_objects)
NOTHING(__plumb_bounds_fail)
NOTHING(__plumb_undefined_declare)
NOTHING(__plumb_undefined_define)
NOTHING(__plumb_undefined_get)
NOTHING(__plumb_undefined_put)
NOTHING(__plumb_undefined_write)
NOTHING(__plumb_undefined_fail)
NOTHING(__ubsan_handle_out_of_bounds)
NOTHING(__ubsan_handle_type_mismatch_v1)

void __tsan_read_range(void *p, unsigned long n);
void __tsan_write_range(void *p, unsigned long n);
void __tsan_read_range(void *p, unsigned long n)
{
    announce('r', p, n);
}
void __tsan_write_range(void *p, unsigned long n)
{
    announce('w', p, n);
}

unsigned __tsan_atomic32_load(const unsigned *p, int order);
unsigned __tsan_atomic32_load(const unsigned *p, int order)
{
    (void)order;
    announce('a', p, 4);
    return *p;
}

void *memcpy(void *to, const void *from, unsigned long n);
void *memcpy(void *to, const void *from, unsigned long n)
{
    announce('r', from, n);
    announce('w', to, n);
    for (unsigned long k = 0; k < n; k++)
        ((volatile char *)to)[k] = ((const volatile char *)from)[k];
    return to;
}
void *__tsan_memcpy(void *to, const void *from, unsigned long n);
void *__tsan_memcpy(void *to, const void *from, unsigned long n)
{
    return memcpy(to, from, n);
}
