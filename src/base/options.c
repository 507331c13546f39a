/* SPDX-License-Identifier: Apache-2.0 */
#include "base/options.h"

#include "base/vec.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct parser {
    const struct option_command *command;
    int count, next;
    char *const *words;
    char *settings;
    struct diagnostic *d;
    bool help;
};

/* Every message about the command line ends in where to read more. */
static bool fail(struct parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool fail(struct parser *p, const char *format, ...)
{
    char what[400];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return diagnostic_set(p->d, PL_USAGE, 0, 0, "%s (see 'plumb %s --help')", what, p->command->name);
}

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Edit distance with swaps of neighbours; words longer than the table are simply far away. */
static size_t word_distance(const char *a, const char *b)
{
    enum { LONGEST = 31 };
    size_t n = strlen(a), m = strlen(b), d[LONGEST + 1][LONGEST + 1];
    if (n > LONGEST || m > LONGEST)
        return SIZE_MAX;
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; j <= m; j++) {
            if (!i || !j) {
                d[i][j] = i + j;
                continue;
            }
            d[i][j] =
                least_of(d[i - 1][j - 1] + (a[i - 1] != b[j - 1]), least_of(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = least_of(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[n][m];
}

const char *options_nearest(const char *word, const char *const *names, size_t count)
{
    const char *best = NULL;
    size_t best_distance = 3;
    for (size_t i = 0; i < count; i++) {
        size_t distance = word_distance(word, names[i]);
        if (distance < best_distance && distance < strlen(names[i])) {
            best = names[i];
            best_distance = distance;
        }
    }
    return best;
}

static bool read_number(const char *s, uint64_t *number)
{
    if (!*s || strspn(s, "0123456789") != strlen(s))
        return false;
    errno = 0;
    *number = strtoull(s, NULL, 10);
    return errno == 0;
}

static bool store_number(struct parser *p, const struct option_entry *o, const char *s)
{
    uint64_t number;
    if (!read_number(s, &number) || number < o->least || number > o->most)
        return fail(p, "--%s takes a whole number from %" PRIu64 " to %" PRIu64 ", not '%s'", o->name,
                    o->least, o->most, s);
    *(uint64_t *)(p->settings + o->field) = number;
    return true;
}

static bool store_seconds(struct parser *p, const struct option_entry *o, const char *s)
{
    char *end = NULL;
    double seconds = s[strspn(s, "0123456789.")] ? 0 : strtod(s, &end);
    const double most = 1e9;
    if (!end || *end || !(seconds > 0) || seconds > most)
        return fail(p, "--%s takes seconds above 0, such as 10 or 0.5, up to %.0f, not '%s'", o->name, most,
                    s);
    *(double *)(p->settings + o->field) = seconds;
    return true;
}

static bool store_bytes(struct parser *p, const struct option_entry *o, const char *s)
{
    static const char units[] = "KMG";
    char digits[24] = "";
    size_t length = strlen(s);
    const char *unit = length ? strchr(units, s[length - 1]) : NULL;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    length -= unit != NULL;
    uint64_t number = 0;
    if (length < sizeof digits)
        memcpy(digits, s, length);
    if (!read_number(digits, &number) || !number || number > UINT64_MAX >> shift)
        return fail(p, "--%s takes a size such as 500M or 2G, not '%s'", o->name, s);
    *(uint64_t *)(p->settings + o->field) = number << shift;
    return true;
}

static bool store_choice(struct parser *p, const struct option_entry *o, const char *s)
{
    int position = 0;
    for (const char *word = o->value; word; position++) {
        size_t length = strcspn(word, "|");
        if (strlen(s) == length && !memcmp(s, word, length)) {
            *(int *)(p->settings + o->field) = position;
            return true;
        }
        word = word[length] ? word + length + 1 : NULL;
    }
    return fail(p, "--%s takes %s, not '%s'", o->name, o->value, s);
}

static bool store_value(struct parser *p, const struct option_entry *o, const char *s)
{
    switch (o->kind) {
    case OPTION_NUMBER: return store_number(p, o, s);
    case OPTION_SECONDS: return store_seconds(p, o, s);
    case OPTION_BYTES: return store_bytes(p, o, s);
    case OPTION_CHOICE: return store_choice(p, o, s);
    case OPTION_TEXT: *(const char **)(p->settings + o->field) = s; return true;
    case OPTION_LIST: vec_push((struct operand_list *)(void *)(p->settings + o->field), s); return true;
    case OPTION_FLAG: *(bool *)(p->settings + o->field) = true; return true;
    }
    return false;
}

/* The value that is the next word of the command line. */
static bool store_next_word(struct parser *p, const struct option_entry *o)
{
    if (p->next == p->count || !strncmp(p->words[p->next], "--", 2))
        return fail(p, "--%s needs a value: --%s %s", o->name, o->name, o->value);
    return store_value(p, o, p->words[p->next++]);
}

static const struct option_entry *find_long(const struct option_command *c, const char *name, size_t length)
{
    for (size_t i = 0; i < c->option_count; i++)
        if (strlen(c->options[i].name) == length && !memcmp(c->options[i].name, name, length))
            return &c->options[i];
    return NULL;
}

static const struct option_entry *find_letter(const struct option_command *c, char letter)
{
    for (size_t i = 0; i < c->option_count; i++)
        if (c->options[i].letter == letter)
            return &c->options[i];
    return NULL;
}

static bool fail_unknown(struct parser *p, const char *name, size_t length)
{
    VEC(const char *) names = {0};
    for (size_t i = 0; i < p->command->option_count; i++)
        vec_push(&names, p->command->options[i].name);
    vec_push(&names, "help");
    char *word = base_strndup(name, length);
    const char *nearest = options_nearest(word, names.data, names.len);
    if (nearest)
        fail(p, "unknown option '--%s', did you mean '--%s'?", word, nearest);
    else
        fail(p, "unknown option '--%s'", word);
    free(word);
    vec_free(&names);
    return false;
}

static bool parse_long(struct parser *p, const char *word)
{
    size_t length = strcspn(word, "=");
    if (length == 4 && !memcmp(word, "help", 4)) {
        p->help = true;
        return true;
    }
    const struct option_entry *o = find_long(p->command, word, length);
    if (!o)
        return fail_unknown(p, word, length);
    if (o->kind == OPTION_FLAG)
        return word[length] ? fail(p, "--%s takes no value", o->name) : store_value(p, o, "");
    return word[length] ? store_value(p, o, word + length + 1) : store_next_word(p, o);
}

/* `word`: as it stands, behind the dash. */
static bool fail_letter(struct parser *p, const char *word, char letter)
{
    if (p->command->operands && strstr(p->command->operands, "-- CFLAGS"))
        return fail(p,
                    "unknown option '-%c'; flags for the compiler come last, after '--', as in '-- -%.100s'",
                    letter, word);
    return fail(p, "unknown option '-%c'", letter);
}

static bool parse_letters(struct parser *p, const char *word)
{
    const char *whole = word;
    for (; *word; word++) {
        const struct option_entry *o = find_letter(p->command, *word);
        if (!o && *word == 'h') {
            p->help = true;
            continue;
        }
        if (!o)
            return fail_letter(p, whole, *word);
        if (o->kind != OPTION_FLAG)
            return word[1] ? store_value(p, o, word + 1) : store_next_word(p, o);
        store_value(p, o, "");
    }
    return true;
}

static bool parse_words(struct parser *p, struct operand_list *operands)
{
    bool ended = false;
    while (p->next < p->count) {
        const char *word = p->words[p->next++];
        if (ended || word[0] != '-' || !word[1])
            vec_push(operands, word);
        else if (!strcmp(word, "--"))
            ended = true;
        else if (!(word[1] == '-' ? parse_long(p, word + 2) : parse_letters(p, word + 1)))
            return false;
    }
    return true;
}

static bool check_operands(struct parser *p, const struct operand_list *operands)
{
    const struct option_command *c = p->command;
    if (operands->len < c->operands_least)
        return fail(p, "plumb %s needs %s", c->name, c->operands);
    if (operands->len > c->operands_most)
        return fail(p, "'%s' is one word too many for plumb %s", operands->data[c->operands_most], c->name);
    return true;
}

enum options_outcome options_parse(const struct option_command *command, int count, char *const *words,
                                   void *settings, struct operand_list *operands, struct diagnostic *d)
{
    struct parser p = {.command = command, .count = count, .words = words, .settings = settings, .d = d};
    bool fine = parse_words(&p, operands);
    if (p.help)
        return OPTIONS_HELP;
    return fine && check_operands(&p, operands) ? OPTIONS_RUN : OPTIONS_WRONG;
}
