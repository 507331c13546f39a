/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

static void reserve(struct text *t, size_t more)
{
    if (t->len + more + 1 > t->cap)
        t->data = base_grow(t->data, &t->cap, t->len + more + 1, 1);
}

void text_add(struct text *t, const char *bytes, size_t length)
{
    reserve(t, length);
    memcpy(t->data + t->len, bytes, length);
    t->len += length;
    t->data[t->len] = 0;
}

void text_puts(struct text *t, const char *s)
{
    text_add(t, s, strlen(s));
}

void text_repeat(struct text *t, const char *s, size_t times)
{
    while (times--)
        text_puts(t, s);
}

void text_vprintf(struct text *t, const char *format, va_list args)
{
    enum { MOST_FIT = 128 };
    va_list again;
    va_copy(again, args);
    reserve(t, MOST_FIT);
    int need = vsnprintf(t->data + t->len, MOST_FIT, format, args);
    if (need >= MOST_FIT) {
        reserve(t, (size_t)need);
        vsnprintf(t->data + t->len, (size_t)need + 1, format, again);
    }
    va_end(again);
    t->len += need > 0 ? (size_t)need : 0;
}

void text_printf(struct text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text_vprintf(t, format, args);
    va_end(args);
}

void text_clear(struct text *t)
{
    t->len = 0;
    if (t->data)
        t->data[0] = 0;
}

void text_free(struct text *t)
{
    free(t->data);
    *t = (struct text){0};
}

char *text_take(struct text *t)
{
    reserve(t, 0);
    t->data[t->len] = 0;
    char *taken = t->data;
    *t = (struct text){0};
    return taken;
}

size_t text_columns(const char *s)
{
    size_t columns = 0;
    for (; *s; s++)
        columns += ((unsigned char)*s & 0xc0) != 0x80;
    return columns;
}
