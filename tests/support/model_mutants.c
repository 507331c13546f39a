/* SPDX-License-Identifier: Apache-2.0 */
#include "model_mutants.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 1000 };

struct places {
    const char *at[PLACES];
    uint32_t count;
};

static void note(struct places *p, const char *at)
{
    if (p->count < PLACES)
        p->at[p->count++] = at;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* `text` with the `old` characters at `at` replaced. */
static char *replace(const char *text, const char *at, size_t old, const char *by)
{
    size_t before = (size_t)(at - text);
    char *made = malloc(strlen(text) + strlen(by) + 1);
    if (!made)
        abort();
    memcpy(made, text, before);
    strcpy(made + before, by);
    strcat(made, at + old);
    return made;
}

/* From the first inline or process on. */
static const char *body_of(const char *text)
{
    const char *first = strstr(text, "\ninline"), *process = strstr(text, "\nactive");
    if (!first || (process && process < first))
        first = process;
    return first ? first : text + strlen(text);
}

/* Every place where the word stands, whole if it is made of letters. */
static void find_all(struct places *p, const char *body, const char *word)
{
    for (const char *at = strstr(body, word); at; at = strstr(at + 1, word)) {
        bool is_part = is_word(word[0]) && (is_word(at[-1]) || is_word(at[strlen(word)]));
        if (!is_part)
            note(p, at);
    }
}

/* --- kinds of mistakes -------------------------------------------------------------------------------------------- */

static const char *const operators[][2] = {
    {" == ", " != "},  {" != ", " == "},  {" < ", " <= "},  {" > ", " >= "},
    {" >= ", " > "},   {" + ", " - "},    {" && ", " || "}, {" || ", " && "},
    {"true", "false"}, {"false", "true"}, {"NONE", "item"}, {"++", "--"},
    {"--", "++"},      {"break", "skip"}, {"OK", "FULL"},   {"else", "true"},
};

static char *change_operator(const char *text, const char *body, struct prng *random)
{
    for (unsigned tries = 0; tries < 40; tries++) {
        const char *const *o = operators[prng_below(random, sizeof operators / sizeof *operators)];
        struct places p = {.count = 0};
        find_all(&p, body, o[0]);
        if (p.count)
            return replace(text, p.at[prng_below(random, p.count)], strlen(o[0]), o[1]);
    }
    return strdup(text);
}

static char *change_number(const char *text, const char *body, struct prng *random)
{
    struct places p = {.count = 0};
    for (const char *at = body; *at; at++)
        if (isdigit((unsigned char)*at) && !is_word(at[-1]) && !is_word(at[1]))
            note(&p, at);
    char digit[2] = {(char)('0' + prng_below(random, 3)), 0};
    return p.count ? replace(text, p.at[prng_below(random, p.count)], 1, digit) : strdup(text);
}

/* An assignment, or a step up or down, gives way to nothing. */
static char *drop_statement(const char *text, const char *body, struct prng *random)
{
    struct places p = {.count = 0};
    find_all(&p, body, " = ");
    find_all(&p, body, "++");
    find_all(&p, body, "--");
    if (p.count == 0)
        return strdup(text);
    const char *from = p.at[prng_below(random, p.count)], *to = from;
    while (from > body && !strchr(";{}>\n", from[-1]))
        from--;
    while (*to && !strchr(";}\n", *to))
        to++;
    return replace(text, from, (size_t)(to - from), " skip ");
}

static char *drop_atomic(const char *text, const char *body, struct prng *random)
{
    struct places p = {.count = 0};
    find_all(&p, body, "atomic");
    return p.count ? replace(text, p.at[prng_below(random, p.count)], strlen("atomic"), "") : strdup(text);
}

/* Names of variables, as far as `byte` and `bool` begin their declarations. */
static uint32_t list_names(const char *text, char names[][24], uint32_t most)
{
    uint32_t count = 0;
    for (const char *at = strstr(text, "byte "); at && count < most; at = strstr(at + 1, "byte "))
        for (const char *c = at + 5; count < most && *c != ';' && *c; c++) {
            uint32_t length = 0;
            while (is_word(*c) && !isdigit((unsigned char)*c) && length < 23)
                names[count][length++] = *c++;
            names[count][length] = 0;
            bool is_variable = length > 0 && *c != '[' && islower((unsigned char)names[count][0]);
            count += is_variable;
            while (*c != ',' && *c != ';' && *c)
                c++;
            c -= *c == ';';
        }
    return count;
}

static char *change_name(const char *text, const char *body, struct prng *random)
{
    char names[24][24];
    uint32_t count = list_names(text, names, 24);
    for (unsigned tries = 0; count > 1 && tries < 20; tries++) {
        const char *old = names[prng_below(random, count)], *by = names[prng_below(random, count)];
        struct places p = {.count = 0};
        find_all(&p, body, old);
        if (p.count && strcmp(old, by) != 0)
            return replace(text, p.at[prng_below(random, p.count)], strlen(old), by);
    }
    return strdup(text);
}

char *model_mutant(const char *text, struct prng *random)
{
    char *(*const kinds[])(const char *, const char *,
                           struct prng *) = {change_operator, change_operator, change_number, drop_statement,
                                             drop_statement,  drop_atomic,     change_name};
    char *now = strdup(text);
    for (uint32_t left = 1 + prng_below(random, 2); left > 0; left--) {
        char *next = kinds[prng_below(random, sizeof kinds / sizeof *kinds)](now, body_of(now), random);
        free(now);
        now = next;
    }
    return now;
}

char *model_without_points(const char *text)
{
    char *now = strdup(text), *next;
    for (char *at; (at = strstr(now, "POINT(")); now = next) {
        next = replace(now, at, (size_t)(strchr(at, ')') - at) + 1, "skip");
        free(now);
    }
    return now;
}
