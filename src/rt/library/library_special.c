/* SPDX-License-Identifier: Apache-2.0 */
/* Functions whose accesses no line of the table can say. */
#include "rt/hook.h"
#include "rt/library/library.h"
#include "rt/start.h"

#include <string.h>
#include <sys/socket.h>
#include <wchar.h>

/* ------------------------------------------------------------------ tokens */

/* The token at `text` ends at a delimiter, which is overwritten, or at the end. Where the next one begins. */
static char *cut_token(const struct library_call *c, char *text, const char *delimiters, bool skips)
{
    size_t skipped = skips ? strspn(text, delimiters) : 0;
    size_t length = skipped + strcspn(text + skipped, delimiters);
    library_read_string(c, (uint64_t)text, length + 1);
    if (!text[length])
        return text + length;
    library_access(c, (uint64_t)text + length, 1, true);
    return text + length + 1;
}

static void read_delimiters(const struct library_call *c, const char *delimiters)
{
    library_read_string(c, (uint64_t)delimiters, strlen(delimiters) + 1);
}

static char *next_token; /* of strtok, as the C library has it */

/* The C library still has the string of another execution. */
BEFORE_EACH_EXECUTION(tokens_reset)
{
    next_token = NULL;
}

/* How much it writes depends on the family. */
LIBRARY_DO(inet_pton)
{
    if ((int)c->frame->result > 0)
        library_access_late(c, library_argument(c, 3), (int)library_argument(c, 1) == AF_INET6 ? 16 : 4, true);
}

/* As many groups as it says, if there was room for them. */
LIBRARY_DO(getgrouplist)
{
    const int *count = (const int *)library_argument(c, 4);
    if ((int)c->frame->result >= 0)
        library_access_late(c, library_argument(c, 3), (size_t)*count * sizeof(gid_t), true);
}

LIBRARY_DO(strtok)
{
    char *text = (char *)library_argument(c, 1);
    const char *delimiters = (const char *)library_argument(c, 2);
    read_delimiters(c, delimiters);
    text = text ? text : next_token;
    if (!text)
        engine_fail(WORKER_ERROR_UNDEFINED, 0, c->pc,
                    "strtok is asked for the next word, and has not got a string yet");
    next_token = cut_token(c, text, delimiters, true);
}

LIBRARY_DO(strtok_r)
{
    char *text = (char *)library_argument(c, 1), **next = (char **)library_argument(c, 3);
    const char *delimiters = (const char *)library_argument(c, 2);
    read_delimiters(c, delimiters);
    if (!text)
        library_access(c, (uint64_t)next, sizeof *next, false);
    text = text ? text : *next;
    if (text)
        cut_token(c, text, delimiters, true);
    library_access(c, (uint64_t)next, sizeof *next, true);
}

LIBRARY_DO(strsep)
{
    char **next = (char **)library_argument(c, 1);
    const char *delimiters = (const char *)library_argument(c, 2);
    library_access(c, (uint64_t)next, sizeof *next, false);
    if (!*next)
        return;
    read_delimiters(c, delimiters);
    cut_token(c, *next, delimiters, false);
    library_access(c, (uint64_t)next, sizeof *next, true);
}

LIBRARY_DO(wcstok)
{
    wchar_t *text = (wchar_t *)library_argument(c, 1), **next = (wchar_t **)library_argument(c, 3);
    const wchar_t *delimiters = (const wchar_t *)library_argument(c, 2);
    library_read_string(c, (uint64_t)delimiters, (wcslen(delimiters) + 1) * sizeof(wchar_t));
    if (!text)
        library_access(c, (uint64_t)next, sizeof *next, false);
    text = text ? text : *next;
    if (text) {
        size_t skipped = wcsspn(text, delimiters), length = skipped + wcscspn(text + skipped, delimiters);
        library_read_string(c, (uint64_t)text, (length + 1) * sizeof(wchar_t));
        if (text[length])
            library_access(c, (uint64_t)(text + length), sizeof(wchar_t), true);
    }
    library_access(c, (uint64_t)next, sizeof *next, true);
}

/* ------------------------------------------------------------------ strings that grow */

static void append(const struct library_call *c, unsigned unit, size_t most)
{
    uint64_t to = library_argument(c, 1), from = library_argument(c, 2);
    size_t length = unit == 1 ? strlen((const char *)to) : wcslen((const wchar_t *)to);
    size_t added = unit == 1 ? strnlen((const char *)from, most) : wcsnlen((const wchar_t *)from, most);
    library_check_apart(c, to + length * unit, (added + 1) * unit, from, (added + 1) * unit);
    library_read_string(c, to, (length + 1) * unit);
    library_read_string(c, from, (added < most ? added + 1 : most) * unit);
    library_access(c, to + length * unit, (added + 1) * unit, true);
}

LIBRARY_IS(strcat, append(c, 1, SIZE_MAX / sizeof(wchar_t)))
LIBRARY_IS(strncat, append(c, 1, library_argument(c, 3)))
LIBRARY_IS(wcscat, append(c, sizeof(wchar_t), SIZE_MAX / sizeof(wchar_t)))
LIBRARY_IS(wcsncat, append(c, sizeof(wchar_t), library_argument(c, 3)))

/* Copies with the end of the string: as much is written as is read. */
static void copy(const struct library_call *c, unsigned unit)
{
    uint64_t to = library_argument(c, 1), from = library_argument(c, 2);
    size_t length = unit == 1 ? strlen((const char *)from) : wcslen((const wchar_t *)from);
    library_check_apart(c, to, (length + 1) * unit, from, (length + 1) * unit);
    library_read_string(c, from, (length + 1) * unit);
    library_access(c, to, (length + 1) * unit, true);
}

LIBRARY_IS(strcpy, copy(c, 1))
LIBRARY_IS(wcscpy, copy(c, sizeof(wchar_t)))

LIBRARY_DO(memccpy)
{
    const char *from = (const char *)library_argument(c, 2);
    size_t size = library_argument(c, 4);
    const char *found = size ? memchr(from, (int)library_argument(c, 3), size) : NULL;
    size = found ? (size_t)(found - from) + 1 : size;
    library_check_apart(c, library_argument(c, 1), size, (uint64_t)from, size);
    library_read_string(c, (uint64_t)from, size);
    library_access(c, library_argument(c, 1), size, true);
}

/* ------------------------------------------------------------------ pointers to pointers */

static void *pointee(const struct library_call *c, unsigned argument)
{
    void **place = (void **)library_argument(c, argument);
    library_access(c, (uint64_t)place, sizeof *place, false);
    return place ? *place : NULL;
}

/* mbsrtowcs(to, from, count, state) and its kin: *from is read, and where it went is written there. */
static void convert_strings(const struct library_call *c, unsigned from_unit, unsigned to_unit, size_t most,
                            size_t room)
{
    uint64_t to = library_argument(c, 1), place = library_argument(c, 2);
    const void *from = pointee(c, 2);
    if (!from)
        return;
    size_t length = from_unit == 1 ? strnlen(from, most) : wcsnlen(from, most);
    length = length < most ? length + 1 : most;
    library_read_string(c, (uint64_t)from, length * from_unit);
    if (to) {
        library_access(c, place, sizeof(void *), true);
        library_access(c, to, (room < length ? room : length) * to_unit, true);
    }
}

static void convert_bounded(const struct library_call *c, unsigned from_unit, unsigned to_unit)
{
    convert_strings(c, from_unit, to_unit, library_argument(c, 3), library_argument(c, 4));
}

LIBRARY_IS(mbsrtowcs,
           convert_strings(c, 1, sizeof(wchar_t), SIZE_MAX / sizeof(wchar_t), library_argument(c, 3)))
LIBRARY_IS(wcsrtombs,
           convert_strings(c, sizeof(wchar_t), 1, SIZE_MAX / sizeof(wchar_t), library_argument(c, 3)))
LIBRARY_IS(mbsnrtowcs, convert_bounded(c, 1, sizeof(wchar_t)))
LIBRARY_IS(wcsnrtombs, convert_bounded(c, sizeof(wchar_t), 1))

/* The state of a conversion; without one the function has its own. */
static void use_state(const struct library_call *c, unsigned argument)
{
    uint64_t state = library_argument(c, argument);
    if (state)
        library_access(c, state, sizeof(mbstate_t), true);
    else
        library_use_named(c, c->import->name, true);
}

LIBRARY_IS(state3, use_state(c, 3))
LIBRARY_IS(state4, use_state(c, 4))
LIBRARY_IS(state5, use_state(c, 5))

/* iconv(descriptor, from, from_size, to, to_size) */
LIBRARY_DO(iconv)
{
    char *from = pointee(c, 2), *to = pointee(c, 4);
    const size_t *from_size = (const size_t *)library_argument(c, 3);
    const size_t *to_size = (const size_t *)library_argument(c, 5);
    for (unsigned k = 2; k <= 5; k++)
        library_access(c, library_argument(c, k), sizeof(void *), true);
    if (from && from_size)
        library_access(c, (uint64_t)from, *from_size, false);
    if (to && to_size)
        library_access(c, (uint64_t)to, *to_size, true);
}

/* A list of strings with a null pointer at the end: argument 1 or 2. */
LIBRARY_DO(strings)
{
    char **list = (char **)library_argument(c, 2);
    for (; list && *list; list++) {
        library_access(c, (uint64_t)list, sizeof *list, false);
        library_read_string(c, (uint64_t)*list, strlen(*list) + 1);
    }
}

/* getopt(count, words): the words are read, and sorted. */
LIBRARY_DO(options)
{
    uint64_t count = (uint32_t)library_argument(c, 1), words = library_argument(c, 2);
    library_access(c, words, count * sizeof(char *), true);
    library_do_strings(c, after);
}

/* What is known by number has a text of its own; for all else there is one buffer. */
LIBRARY_DO(strerror)
{
    if (!strerrordesc_np((int)library_argument(c, 1)))
        library_use_named(c, "strerror()", true);
}

LIBRARY_DO(strsignal)
{
    if (!sigdescr_np((int)library_argument(c, 1)))
        library_use_named(c, "strsignal()", true);
}

/* GNU's: into the buffer only if there is no such text. */
LIBRARY_DO(strerror_r)
{
    uint64_t buffer = library_argument(c, 2);
    if (after && c->frame->result == buffer)
        library_access_late(c, buffer, strlen((const char *)buffer) + 1, true);
}

library_special *library_find_special(const char *name)
{
    static const struct {
        const char *name;
        library_special *special;
    } specials[] = {
#define X(name) {#name, library_do_##name},
        LIBRARY_SPECIALS(X)
#undef X
    };
    for (size_t k = 0; k < sizeof specials / sizeof *specials; k++)
        if (strcmp(specials[k].name, name) == 0)
            return specials[k].special;
    return NULL;
}
