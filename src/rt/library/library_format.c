/* SPDX-License-Identifier: Apache-2.0 */
/* What printf reads and scanf writes, by their formats. A wide format is read as one of bytes: what matters in it
 * is ASCII. */
#include "rt/hook.h"
#include "rt/library/library.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

enum { VALUES = 64, FORMAT_MOST = 4096 };

/* What an argument is, which decides where va_arg finds it. */
enum value_type { VALUE_NONE, VALUE_INT, VALUE_LONG, VALUE_DOUBLE, VALUE_LONG_DOUBLE, VALUE_POINTER };

struct conversion {
    char letter;                         /* of a set: '[' */
    char length;                         /* h, H (hh), l, L (ll, L, q), j, z, t, or 0 */
    bool suppressed;                     /* scanf: * */
    bool allocates;                      /* scanf: m */
    bool width_given;                    /* printf: by an argument */
    unsigned value;                      /* number of its argument, from 0 */
    unsigned width_from, precision_from; /* numbers of arguments, plus 1; 0: none */
    size_t width;                        /* scanf; 0: none */
    size_t precision;                    /* SIZE_MAX: none */
};

struct conversions {
    unsigned count, value_count;
    bool lost; /* there are more, or of a wide format only the beginning was read */
    struct conversion list[VALUES];
    uint8_t types[VALUES]; /* of arguments */
    union value {
        int i;
        long l;
        void *p;
    } values[VALUES];
};

/* ------------------------------------------------------------------ reading formats */

/* False: it does not fit. */
static bool narrow(const wchar_t *format, char *out)
{
    size_t n = 0;
    for (; format[n] && n < FORMAT_MOST - 1; n++)
        out[n] = format[n] < 0x80 ? (char)format[n] : '?';
    out[n] = 0;
    return !format[n];
}

static size_t take_digits(const char **at)
{
    size_t number = 0;
    for (; **at >= '0' && **at <= '9'; (*at)++)
        number = number * 10 + (size_t)(**at - '0');
    return number;
}

/* "2$": an argument by number. 0: there is none. */
static unsigned take_position(const char **at)
{
    const char *start = *at;
    size_t number = take_digits(at);
    if (number && **at == '$') {
        (*at)++;
        return number <= VALUES ? (unsigned)number : VALUES + 1;
    }
    *at = start;
    return 0;
}

static char take_length(const char **at)
{
    static const char letters[] = "hlLqjzt";
    char first = **at;
    if (!first || !strchr(letters, first))
        return 0;
    (*at)++;
    if ((first == 'h' || first == 'l') && **at == first) {
        (*at)++;
        return first == 'h' ? 'H' : 'L';
    }
    return first == 'q' ? 'L' : first;
}

static void note_value(struct conversions *c, unsigned number, enum value_type type)
{
    if (number >= VALUES) {
        c->lost = true;
        return;
    }
    c->types[number] = (uint8_t)type;
    c->value_count = number + 1 > c->value_count ? number + 1 : c->value_count;
}

static void add_conversion(struct conversions *c, const struct conversion *v)
{
    if (!c->lost && c->count < VALUES)
        c->list[c->count++] = *v;
    else
        c->lost = true;
}

static enum value_type type_of(const struct conversion *v)
{
    if (strchr("diouxXbB", v->letter))
        return v->length && strchr("lLjzt", v->length) ? VALUE_LONG : VALUE_INT;
    if (strchr("aAeEfFgG", v->letter))
        return v->length == 'L' ? VALUE_LONG_DOUBLE : VALUE_DOUBLE;
    if (v->letter == 'c' || v->letter == 'C')
        return VALUE_INT;
    return v->letter == 'm' || v->letter == '%' ? VALUE_NONE : VALUE_POINTER;
}

/* A number, or an argument that says it (plus 1 in *from). */
static size_t take_star(const char **at, struct conversions *c, unsigned *next, unsigned *from)
{
    if (**at != '*')
        return take_digits(at);
    (*at)++;
    unsigned position = take_position(at);
    *from = position ? position : ++*next;
    note_value(c, *from - 1, VALUE_INT);
    return 0;
}

static void read_print_format(const char *at, struct conversions *c)
{
    unsigned next = 0;
    while ((at = strchr(at, '%')) && !c->lost) {
        struct conversion v = {.precision = SIZE_MAX};
        at++;
        unsigned position = take_position(&at), unused = 0;
        at += strspn(at, "-+ #0'I");
        take_star(&at, c, &next, &unused);
        if (*at == '.') {
            at++;
            v.precision = take_star(&at, c, &next, &v.precision_from);
        }
        v.length = take_length(&at);
        v.letter = *at;
        if (!*at)
            return;
        at++;
        if (type_of(&v) == VALUE_NONE)
            continue;
        v.value = position ? position - 1 : next++;
        note_value(c, v.value, type_of(&v));
        add_conversion(c, &v);
    }
}

static const char *skip_set(const char *at)
{
    at += *at == '^';
    at += *at == ']';
    const char *end = strchr(at, ']');
    return end ? end + 1 : at + strlen(at);
}

static void read_scan_format(const char *at, struct conversions *c)
{
    unsigned next = 0;
    while ((at = strchr(at, '%')) && !c->lost) {
        struct conversion v = {0};
        at++;
        unsigned position = take_position(&at);
        if (*at == '*')
            v.suppressed = *at++;
        at += *at == '\'';
        v.width = take_digits(&at);
        if (*at == 'm' || (*at == 'a' && at[1] && strchr("sS[", at[1])))
            v.allocates = *at++;
        v.length = take_length(&at);
        v.letter = *at;
        if (!*at)
            return;
        at = *at == '[' ? skip_set(at + 1) : at + 1;
        if (v.letter == '%' || v.suppressed)
            continue;
        v.value = position ? position - 1 : next++;
        note_value(c, v.value, VALUE_POINTER);
        add_conversion(c, &v);
    }
}

/* ------------------------------------------------------------------ arguments */

static void fetch_values(struct conversions *c, va_list args)
{
    for (unsigned k = 0; k < c->value_count; k++)
        switch (c->types[k]) {
        case VALUE_INT: c->values[k].i = va_arg(args, int); break;
        case VALUE_LONG: c->values[k].l = va_arg(args, long); break;
        /* NOLINTNEXTLINE(bugprone-branch-clone): the types differ */
        case VALUE_DOUBLE: (void)va_arg(args, double); break;
        case VALUE_LONG_DOUBLE: (void)va_arg(args, long double); break;
        case VALUE_POINTER: c->values[k].p = va_arg(args, void *); break;
        default: (void)va_arg(args, int);
        }
}

/* The arguments after the first `given` as a va_list, laid out as the calling convention says. */
static void make_list(const struct library_call *c, unsigned given, va_list *list)
{
#if defined(__x86_64__)
    struct {
        unsigned gp_offset, fp_offset;
        const void *overflow, *registers;
    } made = {given * 8, sizeof c->frame->integers, c->stack, c->frame};
#else
    struct {
        const void *stack, *integers_end, *vectors_end;
        int integers_left, vectors_left;
    } made = {c->stack, c->frame->integers + 8, c->frame->vectors + 8, -8 * (8 - (int)given), -128};
#endif
    _Static_assert(sizeof made == sizeof(va_list), "as va_arg has it");
    memcpy(list, &made, sizeof made);
}

/* Of a format that says too much: what the function accesses is not known. */
static void note_unseen(const struct library_call *call)
{
    struct import_call import = *call->import;
    import.was_called = false;
    import.library = import.library ? import.library : "libc.so.6";
    engine_note_unseen(&import);
}

static void read_format(const struct library_call *call, const struct library_item *i, struct conversions *c)
{
    char narrowed[FORMAT_MOST];
    const char *format = (const char *)library_argument(call, i->argument);
    c->count = c->value_count = 0;
    c->lost = false;
    memset(c->types, 0, sizeof c->types);
    if (!format)
        return;
    if (i->unit != 1) {
        c->lost = !narrow((const wchar_t *)format, narrowed);
        format = narrowed;
    }
    (i->what == LIBRARY_PRINT ? read_print_format : read_scan_format)(format, c);
    if (c->lost)
        note_unseen(call);
    va_list list;
    if (i->has_list)
        va_copy(list, *(va_list *)library_argument(call, i->argument + 1u));
    else
        make_list(call, i->argument, &list);
    fetch_values(c, list);
    if (i->has_list)
        va_end(list);
}

/* ------------------------------------------------------------------ printf */

static size_t size_of_count(char length)
{
    return length == 'H' ? 1 : length == 'h' ? 2 : length ? 8 : 4;
}

static void read_text(const struct library_call *call, const struct conversions *c,
                      const struct conversion *v)
{
    const void *text = c->values[v->value].p;
    size_t most = v->precision;
    if (v->precision_from) {
        int given = c->values[v->precision_from - 1].i;
        most = given < 0 ? SIZE_MAX : (size_t)given;
    }
    if (!text)
        return;
    bool wide = v->letter == 'S' || v->length == 'l';
    size_t unit = wide ? sizeof(wchar_t) : 1;
    most = most > SIZE_MAX / unit ? SIZE_MAX / unit : most;
    size_t length = wide ? wcsnlen(text, most) : strnlen(text, most);
    library_read_string(call, (uint64_t)text, (length < most ? length + 1 : most) * unit);
}

void library_print(const struct library_call *call, const struct library_item *i)
{
    struct conversions c;
    uint64_t format = library_argument(call, i->argument);
    if (!format)
        return;
    library_read_string(call, format,
                        i->unit == 1 ? strlen((const char *)format) + 1
                                     : (wcslen((const wchar_t *)format) + 1) * sizeof(wchar_t));
    read_format(call, i, &c);
    for (unsigned k = 0; k < c.count; k++) {
        const struct conversion *v = &c.list[k];
        if (v->letter == 's' || v->letter == 'S')
            read_text(call, &c, v);
        else if (v->letter == 'n')
            library_access(call, (uint64_t)c.values[v->value].p, size_of_count(v->length), true);
    }
}

/* ------------------------------------------------------------------ scanf */

static size_t size_of_number(const struct conversion *v)
{
    if (strchr("aAeEfFgG", v->letter))
        return v->length == 'L' ? sizeof(long double) : v->length == 'l' ? sizeof(double) : sizeof(float);
    return v->letter == 'p' ? sizeof(void *) : size_of_count(v->length);
}

static size_t size_of_input(const struct conversion *v, const void *at)
{
    bool wide = v->letter == 'S' || v->letter == 'C' || v->length == 'l';
    size_t unit = wide ? sizeof(wchar_t) : 1;
    if (v->allocates)
        return sizeof(void *);
    if (v->letter == 'c' || v->letter == 'C')
        return (v->width ? v->width : 1) * unit;
    if (v->letter == 's' || v->letter == 'S' || v->letter == '[')
        return ((wide ? wcslen(at) : strlen(at)) + 1) * unit;
    return size_of_number(v);
}

/* After the call: so many conversions as its result says were made. */
static size_t scanned[CLOCKS_THREADS_MAX]; /* bytes of the string that a thread reads from */

LIBRARY_IS(scanned, scanned[engine_current()] = strlen((const char *)library_argument(c, 1)) + 1)

static bool scans_string(const struct library_row *row)
{
    for (uint32_t k = 0; k < row->count; k++)
        if (row->items[k].what == LIBRARY_SPECIAL && row->items[k].special == library_do_scanned)
            return true;
    return false;
}

static void write_input(const struct library_call *c, uint64_t at, size_t size)
{
    if (scans_string(c->row))
        library_check_apart(c, at, size, library_argument(c, 1), scanned[engine_current()]);
    library_access_late(c, at, size, true);
}

void library_scan(const struct library_call *call, const struct library_item *i)
{
    struct conversions c;
    uint64_t format = library_argument(call, i->argument);
    int64_t left = (int32_t)call->frame->result;
    if (!format)
        return;
    library_access(call, format,
                   i->unit == 1 ? strlen((const char *)format) + 1
                                : (wcslen((const wchar_t *)format) + 1) * sizeof(wchar_t),
                   false);
    read_format(call, i, &c);
    for (unsigned k = 0; k < c.count; k++) {
        const struct conversion *v = &c.list[k];
        if (left <= 0 && v->letter != 'n')
            break; /* whether an n behind the last one was reached is not known */
        const void *at = c.values[v->value].p;
        left -= v->letter != 'n';
        if (at)
            write_input(call, (uint64_t)at, size_of_input(v, at));
    }
}

void library_check_print(const char *function, const char *format, void *list, const char *to, size_t size,
                         const void *pc)
{
    static const struct library_item item = {
        .what = LIBRARY_PRINT, .argument = 1, .unit = 1, .has_list = true};
    const struct import_call import = {.name = function};
    struct library_frame frame = {.integers = {(uint64_t)format, (uint64_t)list}};
    const struct library_call call = {.import = &import,
                                      .frame = &frame,
                                      .pc = pc,
                                      .apart_from = (uint64_t)to,
                                      .apart_to = (uint64_t)to + size};
    library_print(&call, &item);
}

void library_print_values(const char *function, const char *format, void *list, const void *pc)
{
    library_check_print(function, format, list, NULL, 0, pc);
}
