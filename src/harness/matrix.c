/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/matrix.h"

#include "base/options.h"

#include <stdarg.h>
#include <string.h>

struct parser {
    const char *text, *at;
    const struct matrix_vocabulary *vocabulary;
    struct plumb_values *values;
    struct diagnostic *d;
};

/* A stretch of the text. */
struct word {
    const char *start;
    size_t length;
};

static bool fail_at(struct parser *p, const char *place, int code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static bool fail_at(struct parser *p, const char *place, int code, const char *format, ...)
{
    OWNED struct text message = {0};
    va_list args;
    va_start(args, format);
    text_vprintf(&message, format, args);
    va_end(args);
    diagnostic_set(p->d, code, 1, (uint64_t)(place - p->text) + 1, "%s", message.data);
    return false;
}

/* ------------------------------------------------------------------ words */

static void skip_space(struct parser *p)
{
    p->at += strspn(p->at, " \t\r\n");
}

static bool take(struct parser *p, const char *sign)
{
    skip_space(p);
    size_t length = strlen(sign);
    if (strncmp(p->at, sign, length) != 0)
        return false;
    p->at += length;
    return true;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A name; empty when none is there. */
static struct word take_name(struct parser *p)
{
    skip_space(p);
    struct word w = {p->at, 0};
    while (is_letter(*p->at) || (w.length && is_digit(*p->at)))
        p->at++, w.length++;
    return w;
}

static bool word_is(struct word w, const char *name)
{
    return strlen(name) == w.length && memcmp(w.start, name, w.length) == 0;
}

/* ------------------------------------------------------------------ types */

struct integer_type {
    char letter;
    const char *name;
    int64_t least, most;
};

static const struct integer_type integer_types[] = {
    {'c', "char", INT8_MIN, INT8_MAX},    {'C', "unsigned char", 0, UINT8_MAX},
    {'h', "short", INT16_MIN, INT16_MAX}, {'H', "unsigned short", 0, UINT16_MAX},
    {'i', "int", INT32_MIN, INT32_MAX},   {'I', "unsigned", 0, UINT32_MAX},
    {'l', "long", INT64_MIN, INT64_MAX},  {'L', "unsigned long", 0, INT64_MAX},
};

static const struct integer_type *find_integer_type(char letter)
{
    for (size_t i = 0; i < sizeof integer_types / sizeof *integer_types; i++)
        if (integer_types[i].letter == letter)
            return &integer_types[i];
    return NULL;
}

void matrix_type_range(char letter, int64_t *least, int64_t *most)
{
    const struct integer_type *type = find_integer_type(letter);
    *least = type ? type->least : 0;
    *most = type ? type->most : 0;
}

static const char *type_name(char letter)
{
    const struct integer_type *integer = find_integer_type(letter);
    return integer ? integer->name : letter == 'b' ? "bool" : "string";
}

void matrix_print_operation(struct text *out, const struct plumb_part *operation)
{
    text_printf(out, "%s%s%s", operation->object, *operation->object ? "." : "", operation->name);
    for (const char *t = operation->types; *t; t++)
        text_printf(out, "%s%s", t == operation->types ? "(" : ", ", type_name(*t));
    if (*operation->types)
        text_puts(out, ")");
}

/* ------------------------------------------------------------------ arguments */

/* "push(int) at stack.c:12" */
static void print_signature(struct text *out, const struct plumb_part *operation)
{
    matrix_print_operation(out, operation);
    if (operation->file)
        text_printf(out, " at %s:%u", operation->file, operation->line);
}

static bool fail_type(struct parser *p, const char *place, const struct plumb_part *operation, char type)
{
    OWNED struct text signature = {0};
    print_signature(&signature, operation);
    return fail_at(p, place, PL_BAD_ARGUMENT, "an argument of type %s is expected here: %s", type_name(type),
                   signature.data);
}

/* The value of a hexadecimal digit; 16: it is none. */
static unsigned digit_of(char c)
{
    unsigned lower = (unsigned char)c | 0x20u;
    if (is_digit(c))
        return (unsigned)(c - '0');
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 16;
}

/* A decimal or hexadecimal number, with a sign. */
static bool scan_integer(struct parser *p, int64_t *out)
{
    const char *place = p->at;
    bool negative = *p->at == '-';
    p->at += negative;
    unsigned base = p->at[0] == '0' && (p->at[1] == 'x' || p->at[1] == 'X') ? 16 : 10;
    p->at += base == 16 ? 2 : 0;
    uint64_t magnitude = 0;
    size_t digits = 0;
    for (;; p->at++, digits++) {
        unsigned digit = digit_of(*p->at);
        if (digit >= base)
            break;
        if (__builtin_mul_overflow(magnitude, base, &magnitude) ||
            __builtin_add_overflow(magnitude, digit, &magnitude))
            return fail_at(p, place, PL_NUMBER_RANGE, "the number has more than 64 bits");
    }
    if (!digits || is_letter(*p->at))
        return fail_at(p, place, PL_SYNTAX, "this is not a number");
    if (magnitude > (uint64_t)INT64_MAX + negative)
        return fail_at(p, place, PL_NUMBER_RANGE, "the number has more than 64 bits");
    *out = (int64_t)(negative ? 0 - magnitude : magnitude);
    return true;
}

/* 0 or 1: what the words are in C, where PLUMB_TRY(set, true) gets here as 1. */
static bool parse_bit(struct parser *p, struct plumb_argument *argument, plumb_value *value)
{
    if (!scan_integer(p, &argument->number) || argument->number < 0 || argument->number > 1)
        return false;
    *value = plumb_bool(argument->number);
    return true;
}

static bool parse_integer(struct parser *p, const struct integer_type *type, struct plumb_argument *argument,
                          plumb_value *value)
{
    const char *place = p->at;
    if (!scan_integer(p, &argument->number))
        return false;
    if (argument->number < type->least || argument->number > type->most)
        return fail_at(p, place, PL_NUMBER_RANGE, "%lld is not a value of type %s",
                       (long long)argument->number, type->name);
    *value = plumb_int(p->values, argument->number);
    return true;
}

/* The character behind a backslash. */
static char unescape(char c)
{
    return c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c == '"' || c == '\\' || c == '\'' ? c : 0;
}

/* The rest of a string whose first quote was read. */
static bool scan_string(struct parser *p, char quote, struct text *out)
{
    const char *place = p->at - 1;
    for (; *p->at != quote; p->at++) {
        char c = *p->at;
        if (!c)
            return fail_at(p, place, PL_SYNTAX, "the string has no end");
        if (c == '\\' && !(c = unescape(*++p->at)))
            return fail_at(p, p->at - 1, PL_SYNTAX,
                           "only \\n, \\t, \\r, \\\", \\' and \\\\ are known in strings");
        text_add(out, &c, 1);
    }
    p->at++;
    return true;
}

static bool parse_string(struct parser *p, struct plumb_argument *argument, plumb_value *value)
{
    OWNED struct text content = {0};
    char quote = *p->at++;
    if (!scan_string(p, quote, &content))
        return false;
    *value = plumb_string(p->values, content.len ? content.data : "", content.len);
    argument->text = plumb_string_of(p->values, *value, &(size_t){0});
    return true;
}

static bool parse_word(struct parser *p, char type, struct plumb_argument *argument, plumb_value *value)
{
    struct word w = take_name(p);
    if (type == 'b' && (word_is(w, "true") || word_is(w, "false"))) {
        argument->number = word_is(w, "true");
        *value = plumb_bool(argument->number);
        return true;
    }
    *value = PLUMB_NONE; /* a string that is not there */
    return type == 's' && word_is(w, "null");
}

static bool parse_argument(struct parser *p, const struct plumb_part *operation, char type,
                           struct plumb_argument *argument, plumb_value *value)
{
    skip_space(p);
    const char *place = p->at;
    const struct integer_type *integer = find_integer_type(type);
    bool is_number = is_digit(*p->at) || *p->at == '-', is_string = *p->at == '"' || *p->at == '\'';
    *argument = (struct plumb_argument){0, NULL};
    if (is_number && integer)
        return parse_integer(p, integer, argument, value);
    if (is_string && type == 's')
        return parse_string(p, argument, value);
    if (is_number && type == 'b' && parse_bit(p, argument, value))
        return true;
    if (!is_number && !is_string && parse_word(p, type, argument, value))
        return true;
    return fail_type(p, place, operation, type);
}

/* All arguments of one call, without parentheses. */
static bool parse_arguments(struct parser *p, struct matrix_op *op)
{
    plumb_value values[PLUMB_ARGUMENTS_MAX];
    const char *types = op->operation->types;
    size_t count = strlen(types);
    for (size_t i = 0; i < count; i++) {
        if (i && !take(p, ","))
            return fail_type(p, p->at, op->operation, types[i]);
        if (!parse_argument(p, op->operation, types[i], &op->arguments[i], &values[i]))
            return false;
    }
    op->value = count == 0 ? PLUMB_OK : count == 1 ? values[0] : plumb_array(p->values, values, count);
    return true;
}

static bool parse_parentheses(struct parser *p, struct matrix_op *op)
{
    const char *end = p->at;
    bool open = take(p, "(");
    if (!open)
        p->at = end; /* space behind the name is no part of it */
    if (!open && *op->operation->types)
        return fail_type(p, p->at, op->operation, op->operation->types[0]);
    if (!parse_arguments(p, op))
        return false;
    if (!open || take(p, ")"))
        return true;
    OWNED struct text signature = {0};
    print_signature(&signature, op->operation);
    bool more = *p->at && (*p->at == ',' || !*op->operation->types);
    return fail_at(p, p->at, PL_BAD_ARGUMENT,
                   more ? "that is more arguments than it takes: %s"
                        : "')' is expected after the arguments: %s",
                   signature.data);
}

/* ------------------------------------------------------------------ operations */

static bool fail_unknown(struct parser *p, struct word object, struct word name)
{
    const struct matrix_vocabulary *v = p->vocabulary;
    OWNED struct text message = {0};
    OWNED char *unknown = base_strndup(name.start, name.length);
    OWNED const char **names = NEW_ARRAY(const char *, v->count + 1);
    for (size_t i = 0; i < v->count; i++)
        names[i] = v->operations[i]->name;
    const char *nearest = options_nearest(unknown, names, v->count);
    text_printf(&message, "the harness has no operation '%.*s%s%s'", (int)object.length, object.start,
                object.length ? "." : "", unknown);
    if (nearest && strcmp(nearest, unknown) != 0)
        text_printf(&message, "; is '%s' meant?", nearest);
    text_puts(&message, nearest && strcmp(nearest, unknown) != 0 ? " It has " : "; it has ");
    for (size_t i = 0; i < v->count; i++) {
        text_puts(&message, i ? ", " : "");
        matrix_print_operation(&message, v->operations[i]);
    }
    return fail_at(p, name.start, PL_UNKNOWN_OPERATION, "%s", message.data);
}

/* Without a named object the unnamed one comes first. */
static bool find_operation(struct parser *p, struct word object, struct word name,
                           const struct plumb_part **found)
{
    const struct plumb_part *other = NULL;
    *found = NULL;
    for (size_t i = 0; i < p->vocabulary->count; i++) {
        const struct plumb_part *o = p->vocabulary->operations[i];
        if (!word_is(name, o->name))
            continue;
        if (word_is(object, o->object)) {
            *found = o;
            return true;
        }
        if (!object.length) {
            other = *found;
            *found = o;
        }
    }
    if (other)
        return fail_at(p, name.start, PL_UNKNOWN_OPERATION,
                       "several objects have an operation '%s': write %s.%s or %s.%s", other->name,
                       other->object, other->name, (*found)->object, other->name);
    return *found || fail_unknown(p, object, name);
}

static bool parse_op(struct parser *p, struct matrix_op *op)
{
    struct word object = {p->at, 0}, name = take_name(p);
    if (name.length && *p->at == '.') {
        p->at++;
        object = name;
        name = take_name(p);
    }
    if (!name.length)
        return fail_at(p, p->at, PL_SYNTAX,
                       *p->at ? "an operation is expected here, not '%.1s'"
                              : "an operation is expected at the end%.1s",
                       p->at);
    if (!find_operation(p, object, name, &op->operation) || !parse_parentheses(p, op))
        return false;
    op->text = object.length ? object.start : name.start;
    op->length = (size_t)(p->at - op->text);
    return true;
}

static bool at_divider(struct parser *p)
{
    skip_space(p);
    return !*p->at || *p->at == '|' || (p->at[0] == '=' && p->at[1] == '>');
}

/* Operations up to the next divider. */
static bool parse_ops(struct parser *p, struct matrix *m, struct matrix_range *range)
{
    range->from = (uint32_t)m->ops.len;
    while (!at_divider(p)) {
        struct matrix_op op = {0};
        if (!parse_op(p, &op))
            return false;
        vec_push(&m->ops, op);
    }
    range->to = (uint32_t)m->ops.len;
    return true;
}

/* ------------------------------------------------------------------ the three parts */

static bool parse_columns(struct parser *p, struct matrix *m)
{
    do {
        struct matrix_range column;
        if (!parse_ops(p, m, &column))
            return false;
        if (column.from == column.to)
            return fail_at(p, p->at, PL_SYNTAX, "thread %zu of the test has no operations",
                           m->columns.len + 1);
        vec_push(&m->columns, column);
    } while (take(p, "|"));
    return true;
}

static bool parse_serial(struct parser *p, struct matrix *m, struct matrix_range *range)
{
    if (!parse_ops(p, m, range))
        return false;
    return *p->at != '|' ||
           fail_at(p, p->at, PL_SYNTAX, "only the middle part of a test has several threads");
}

/* Where the parts of a text are divided. */
struct layout {
    size_t arrows;
    const char *third_arrow;
    bool bar_first; /* a '|' stands before every arrow */
};

static struct layout find_layout(const char *text)
{
    struct layout l = {0};
    char quote = 0;
    for (const char *at = text; *at; at++) {
        if (quote && at[0] == '\\' && at[1])
            at++;
        else if (quote ? *at == quote : *at == '"' || *at == '\'')
            quote = quote ? 0 : *at;
        else if (!quote && *at == '|' && !l.arrows)
            l.bar_first = true;
        else if (!quote && at[0] == '=' && at[1] == '>' && ++l.arrows == 3)
            l.third_arrow = at;
    }
    return l;
}

static bool parse_init(struct parser *p, struct matrix *m)
{
    return parse_serial(p, m, &m->init) &&
           (take(p, "=>") || fail_at(p, p->at, PL_SYNTAX, "'=>' is expected here"));
}

static bool parse_parts(struct parser *p, struct matrix *m)
{
    struct layout l = find_layout(p->text);
    if (l.third_arrow)
        return fail_at(p, l.third_arrow, PL_SYNTAX,
                       "a test has at most two arrows: before => threads => after");
    if ((l.arrows == 2 || (l.arrows == 1 && !l.bar_first)) && !parse_init(p, m))
        return false;
    if (!parse_columns(p, m))
        return false;
    m->final = (struct matrix_range){(uint32_t)m->ops.len, (uint32_t)m->ops.len};
    return !take(p, "=>") || parse_serial(p, m, &m->final);
}

bool matrix_parse(struct matrix *m, const char *text, const struct matrix_vocabulary *vocabulary,
                  struct plumb_values *values, struct diagnostic *d)
{
    struct parser p = {text, text, vocabulary, values, d};
    *m = (struct matrix){0};
    if (parse_parts(&p, m))
        return true;
    matrix_free(m);
    return false;
}

void matrix_free(struct matrix *m)
{
    vec_free(&m->ops);
    vec_free(&m->columns);
}

bool matrix_parse_calls(matrix_calls *calls, const char *text, const struct plumb_part *operation,
                        struct plumb_values *values, struct diagnostic *d)
{
    struct parser p = {text, text, NULL, values, d};
    if (!*operation->types)
        return fail_at(&p, text, PL_BAD_ARGUMENT, "'%s' has no arguments to try", operation->name);
    do {
        struct matrix_op op = {.operation = operation};
        if (!parse_arguments(&p, &op))
            return false;
        vec_push(calls, op);
    } while (take(&p, ","));
    return !*p.at || fail_at(&p, p.at, PL_SYNTAX, "a literal is expected here, not '%s'", p.at);
}
