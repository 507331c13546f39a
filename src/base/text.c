/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text.h"

#include "base/memory.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
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

void text_add_folder(struct text *t, const char *folder)
{
    size_t length = folder ? strlen(folder) : 0;
    text_add(t, folder ? folder : "", length);
    if (length && folder[length - 1] != '/')
        text_puts(t, "/");
}

/* Is it of a C file, or one that the new name has at its end, too? */
static bool drops(const char *ending, const char *wanted)
{
    size_t length = strlen(ending), all = strlen(wanted);
    return !strcmp(ending, ".c") || !strcmp(ending, ".yml") ||
           (all >= length && !strcmp(wanted + all - length, ending));
}

void text_add_name(struct text *t, const char *folder, const char *path, const char *ending)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    bool is_short = dot && dot > name && drops(dot, ending);
    text_add_folder(t, folder);
    text_add(t, name, is_short ? (size_t)(dot - name) : strlen(name));
    text_puts(t, ending);
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

/* At most `most` bytes. */
static bool add_file(struct text *t, const char *path, size_t most)
{
    char chunk[4096];
    FILE *in = fopen(path, "re");
    if (!in)
        return false;
    size_t added = 0;
    text_add(t, "", 0);
    for (size_t n; added <= most && (n = fread(chunk, 1, sizeof chunk, in)) > 0; added += n)
        text_add(t, chunk, n);
    bool fine = !ferror(in) && added <= most;
    fclose(in);
    if (added > most)
        errno = EFBIG;
    return fine;
}

_Bool text_add_file(struct text *t, const char *path)
{
    return add_file(t, path, SIZE_MAX);
}

_Bool text_add_written_file(struct text *t, const char *path)
{
    return add_file(t, path, TEXT_WRITTEN_MOST);
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

char *text_keep(struct text *t, struct arena *arena)
{
    char *kept = arena_copy(arena, t->data, t->len);
    text_free(t);
    return kept;
}

/* Ascending, and coarse where that costs at most an empty column: the locale, which knows better, is not
 * ours. */
struct code_range {
    uint32_t first, last;
};

static const struct code_range wide[] = {
    {0x1100, 0x115f},   {0x231a, 0x231b},   {0x2329, 0x232a},   {0x23e9, 0x23ec},   {0x23f0, 0x23f0},
    {0x23f3, 0x23f3},   {0x25fd, 0x25fe},   {0x2614, 0x2615},   {0x2648, 0x2653},   {0x267f, 0x267f},
    {0x2693, 0x2693},   {0x26a1, 0x26a1},   {0x26aa, 0x26ab},   {0x26bd, 0x26be},   {0x26c4, 0x26c5},
    {0x26ce, 0x26ce},   {0x26d4, 0x26d4},   {0x26ea, 0x26ea},   {0x26f2, 0x26f3},   {0x26f5, 0x26f5},
    {0x26fa, 0x26fa},   {0x26fd, 0x26fd},   {0x2705, 0x2705},   {0x270a, 0x270b},   {0x2728, 0x2728},
    {0x274c, 0x274c},   {0x274e, 0x274e},   {0x2753, 0x2755},   {0x2757, 0x2757},   {0x2795, 0x2797},
    {0x27b0, 0x27b0},   {0x27bf, 0x27bf},   {0x2b1b, 0x2b1c},   {0x2b50, 0x2b50},   {0x2b55, 0x2b55},
    {0x2e80, 0x3029},   {0x302e, 0x303e},   {0x3041, 0x3096},   {0x309b, 0x3247},   {0x3250, 0x4dbf},
    {0x4e00, 0xa4cf},   {0xa960, 0xa97f},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe10, 0xfe19},
    {0xfe30, 0xfe6f},   {0xff01, 0xff60},   {0xffe0, 0xffe6},   {0x16fe0, 0x16fe3}, {0x16ff0, 0x1b2ff},
    {0x1f004, 0x1f004}, {0x1f0cf, 0x1f0cf}, {0x1f18e, 0x1f18e}, {0x1f191, 0x1f19a}, {0x1f200, 0x1f64f},
    {0x1f680, 0x1f6ff}, {0x1f7e0, 0x1f7f0}, {0x1f90c, 0x1f9ff}, {0x1fa70, 0x1faff}, {0x20000, 0x3fffd},
};

/* The marks of widespread scripts. Others count as a column each: lines get shorter, never too long. */
static const struct code_range combining[] = {
    {0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd},   {0x05bf, 0x05bf}, {0x05c1, 0x05c2},
    {0x05c4, 0x05c5}, {0x0610, 0x061a}, {0x064b, 0x065f},   {0x0670, 0x0670}, {0x06d6, 0x06dc},
    {0x0900, 0x0902}, {0x093a, 0x093a}, {0x093c, 0x093c},   {0x0941, 0x0948}, {0x094d, 0x094d},
    {0x0e31, 0x0e31}, {0x0e34, 0x0e3a}, {0x0e47, 0x0e4e},   {0x1ab0, 0x1ace}, {0x1dc0, 0x1dff},
    {0x200b, 0x200f}, {0x20d0, 0x20f0}, {0x302a, 0x302d},   {0x3099, 0x309a}, {0xfe00, 0xfe0f},
    {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}, {0xe0100, 0xe01ef},
};

static bool is_among(uint32_t code, const struct code_range *ranges, size_t count)
{
    for (size_t low = 0, high = count; low < high;) {
        size_t middle = (low + high) / 2;
        if (code > ranges[middle].last)
            low = middle + 1;
        else if (code < ranges[middle].first)
            high = middle;
        else
            return true;
    }
    return false;
}

static size_t columns_of_code(uint32_t code)
{
    if (code < combining[0].first)
        return 1;
    if (is_among(code, combining, sizeof combining / sizeof *combining))
        return 0;
    return is_among(code, wide, sizeof wide / sizeof *wide) ? 2 : 1;
}

size_t text_character(const char *s, size_t left, size_t *columns)
{
    uint32_t code;
    size_t length = utf8_read(s, left, &code);
    *columns = length ? columns_of_code(code) : 1;
    return length ? length : 1;
}

size_t text_columns_of(const char *s, size_t length)
{
    size_t total = 0, columns;
    for (size_t i = 0; i < length; total += columns)
        i += text_character(s + i, length - i, &columns);
    return total;
}

size_t text_columns(const char *s)
{
    return text_columns_of(s, strlen(s));
}
