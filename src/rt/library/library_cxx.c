/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of libstdc++ whose accesses no line of the table can say. Structures as that library has them. */
#include "rt/library/library.h"

#include <string.h>

struct cxx_string {
    uint64_t data;
    size_t size;
};

struct cxx_path {
    struct cxx_string text;
    uint64_t room[2];
    uint64_t parts;
};

struct cxx_ios {
    void *vtable;
    long precision, width;
    uint32_t flags, exceptions, state;
    void *callbacks;
    char own_words[144];
    uint32_t word_count;
    void *words;
    void *locale, *tied;
    uint32_t fill;
    bool has_fill;
    struct cxx_buffer *buffer;
};

struct cxx_buffer {
    void *vtable;
    uint64_t first, current, end;
};

_Static_assert(offsetof(struct cxx_ios, words) == 200 && offsetof(struct cxx_ios, buffer) == 232, "fit");

/* `this` of a member function that returns an object in memory. */
static uint64_t made_by(const struct library_call *c)
{
#if defined(__x86_64__)
    return library_argument(c, 2);
#else
    return library_argument(c, 1);
#endif
}

/* ------------------------------------------------------------------ strings and paths */

static void read_string(const struct library_call *c, uint64_t address)
{
    const struct cxx_string *s = (const void *)address;
    library_access(c, address, sizeof *s, false);
    library_access(c, s->data, s->size, false);
}

static void read_path(const struct library_call *c, uint64_t address)
{
    read_string(c, address);
    library_access(c, address + offsetof(struct cxx_path, parts), sizeof(uint64_t), false);
}

LIBRARY_IS(string2, read_string(c, library_argument(c, 2)))
LIBRARY_IS(path1, read_path(c, library_argument(c, 1)))
LIBRARY_IS(path2, read_path(c, library_argument(c, 2)))
LIBRARY_IS(path_made, read_path(c, made_by(c)))

LIBRARY_DO(path_changed)
{
    read_path(c, library_argument(c, 1));
    library_access(c, library_argument(c, 1), sizeof(struct cxx_string), true);
    library_access(c, library_argument(c, 1) + offsetof(struct cxx_path, parts), sizeof(uint64_t), true);
}

/* ------------------------------------------------------------------ numbers */

/* to_chars(first, last, ...): up to the result. */
LIBRARY_DO(to_chars)
{
    uint64_t first = library_argument(c, 1);
    if (after && c->frame->result > first)
        library_access_late(c, first, c->frame->result - first, true);
}

/* from_chars(first, last, ...): up to the result and one more, if there is one. */
LIBRARY_DO(from_chars)
{
    uint64_t first = library_argument(c, 1), last = library_argument(c, 2), end = c->frame->result + 1;
    if (after && first < last)
        library_access_late(c, first, (end < last ? end : last) - first, false);
}

/* ------------------------------------------------------------------ streams */

/* The part that std::istream has in common with other streams. */
static struct cxx_ios *ios_of(uint64_t stream)
{
    enum { OFFSET = -3 }; /* in the table of virtual functions */
    const int64_t *table = *(const int64_t *const *)stream;
    return (struct cxx_ios *)(stream + (uint64_t)table[OFFSET]);
}

/* What was read is between the position that the stream had and the one it has. */
static void read_input(const struct library_call *c, bool after)
{
    static struct cxx_buffer before;
    uint64_t stream = library_argument(c, 1);
    const struct cxx_ios *ios = ios_of(stream);
    if (after) {
        uint64_t now = ios->buffer ? ios->buffer->current : 0;
        if (before.current <= now && now <= before.end)
            library_access_late(c, before.current, now - before.current, false);
        return;
    }
    library_access(c, stream + sizeof(void *), sizeof(size_t), true); /* the count of characters */
    library_access(c, (uint64_t)&ios->state, sizeof ios->state, false);
    library_access(c, (uint64_t)&ios->buffer, sizeof ios->buffer, false);
    before = ios->buffer ? *ios->buffer : (struct cxx_buffer){0};
    if (ios->buffer)
        library_access(c, (uint64_t)&ios->buffer->current, sizeof ios->buffer->current, true);
}

LIBRARY_IS(input, read_input(c, after))

/* A text of the program, at argument 2, gets what is read. */
LIBRARY_DO(input_string)
{
    const struct cxx_string *s = (const void *)library_argument(c, 2);
    read_input(c, after);
    if (!after)
        library_access(c, (uint64_t)s, sizeof *s, true);
    else
        library_access_late(c, s->data, s->size + 1, true);
}

LIBRARY_DO(input_array)
{
    const char *text = (const char *)library_argument(c, 2);
    read_input(c, after);
    if (after)
        library_access_late(c, (uint64_t)text, strlen(text) + 1, true);
}

/* Members of std::ios_base. */
LIBRARY_DO(ios_words)
{
    struct cxx_ios *ios = (struct cxx_ios *)library_argument(c, 1);
    library_access(c, (uint64_t)&ios->word_count, sizeof ios->word_count, true);
    library_access(c, (uint64_t)&ios->words, sizeof ios->words, true);
}

LIBRARY_DO(ios_callbacks)
{
    struct cxx_ios *ios = (struct cxx_ios *)library_argument(c, 1);
    library_access(c, (uint64_t)&ios->callbacks, sizeof ios->callbacks, true);
}

/* The locale that is at `this`. */
LIBRARY_IS(locale_made, library_access(c, made_by(c), sizeof(void *), false))
