/* SPDX-License-Identifier: Apache-2.0 */
/* Growable text. Zero-initialised is empty; `data` is always terminated once
 * something was added. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

struct text {
    char *data;
    size_t len, cap;
};

void text_add(struct text *t, const char *bytes, size_t length);
void text_puts(struct text *t, const char *s);
void text_repeat(struct text *t, const char *s, size_t times);
/* "out/"; nothing when there is no folder. */
void text_add_folder(struct text *t, const char *folder);
/* The name of a file that is made of another: "out/queue.plr" of "src/queue.c" in the folder "out". Of other endings than .c and .yml all is kept, unless
 * the new name ends with the same: queue.c and queue.cpp may stand side by side. */
void text_add_name(struct text *t, const char *folder, const char *path, const char *ending);
void text_printf(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vprintf(struct text *t, const char *format, va_list args);
/* Adds what the file has. False, with errno: it cannot be read. */
_Bool text_add_file(struct text *t, const char *path);
/* The same of a file that people write: EFBIG if it has more than TEXT_WRITTEN_MOST bytes. */
enum { TEXT_WRITTEN_MOST = 64 << 20 };
_Bool text_add_written_file(struct text *t, const char *path);
void text_clear(struct text *t);
void text_free(struct text *t);

/* The content as a string the caller frees; the text is empty afterwards. */
char *text_take(struct text *t);
/* The same for a string that lives in the arena. */
struct arena;
char *text_keep(struct text *t, struct arena *arena);

static inline _Bool text_starts_with(const char *s, const char *start)
{
    return strncmp(s, start, strlen(start)) == 0;
}

/* `words` end with a null pointer. */
static inline _Bool text_is_one_of(const char *s, const char *const *words)
{
    while (*words && strcmp(s, *words) != 0)
        words++;
    return *words != NULL;
}

/* Columns that UTF-8 text needs on a terminal: two for wide East Asian characters and emoji, none for
 * combining marks, one for everything else and for a byte that is not UTF-8. */
size_t text_columns(const char *s);
size_t text_columns_of(const char *s, size_t length);

/* Bytes of the character at `s`, which has `left` > 0 bytes, and its columns. */
size_t text_character(const char *s, size_t left, size_t *columns);

#endif
