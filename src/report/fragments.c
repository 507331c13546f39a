/* SPDX-License-Identifier: Apache-2.0 */
#include "report/fragments.h"

#include "base/utf8.h"

#include <string.h>

enum { DEPTH_MOST = 64 };

/* A character that both kinds may have as it is; moves behind it. */
static bool take_character(const char **at, const char *refused)
{
    uint32_t code;
    size_t length = utf8_read(*at, strlen(*at), &code);
    bool control = code < 0x20 && code != '\n' && code != '\t';
    if (!length || control || code == 0xfffe || code == 0xffff || (code < 0x80 && strchr(refused, (int)code)))
        return false;
    *at += length;
    return true;
}

static bool take_text(const char **at, const char *words)
{
    size_t length = strlen(words);
    if (strncmp(*at, words, length) != 0)
        return false;
    *at += length;
    return true;
}

/* --- JSON ---------------------------------------------------------------------------------------- */

static void skip_blanks(const char **at)
{
    *at += strspn(*at, " \t\r\n");
}

static bool take_mark(const char **at, const char *mark)
{
    skip_blanks(at);
    return take_text(at, mark);
}

static bool take_string(const char **at)
{
    if (!take_mark(at, "\""))
        return false;
    while (**at != '"') {
        if (**at == '\\' && (*at)[1] && strchr("\"\\/bfnrt", (*at)[1]))
            *at += 2;
        else if (**at == '\\' && (*at)[1] == 'u' && strspn(*at + 2, "0123456789abcdefABCDEF") >= 4)
            *at += 6;
        else if (!**at || !take_character(at, "\\\n\t"))
            return false;
    }
    ++*at;
    return true;
}

static bool take_number(const char **at)
{
    *at += **at == '-';
    size_t digits = strspn(*at, "0123456789");
    if (!digits || (digits > 1 && **at == '0'))
        return false;
    *at += digits;
    if (**at == '.') {
        digits = strspn(++*at, "0123456789");
        *at += digits;
    }
    if (digits && (**at == 'e' || **at == 'E')) {
        ++*at;
        *at += **at == '+' || **at == '-';
        digits = strspn(*at, "0123456789");
        *at += digits;
    }
    return digits > 0;
}

static bool take_value(const char **at, unsigned depth);

/* Behind the opening mark. */
static bool take_members(const char **at, const char *close, bool has_names, unsigned depth)
{
    if (take_mark(at, close))
        return true;
    do {
        if ((has_names && !(take_string(at) && take_mark(at, ":"))) || !take_value(at, depth + 1))
            return false;
    } while (take_mark(at, ","));
    return take_mark(at, close);
}

static bool take_value(const char **at, unsigned depth)
{
    skip_blanks(at);
    if (depth > DEPTH_MOST)
        return false;
    switch (**at) {
    case '{': ++*at; return take_members(at, "}", true, depth);
    case '[': ++*at; return take_members(at, "]", false, depth);
    case '"': return take_string(at);
    default:
        return take_text(at, "true") || take_text(at, "false") || take_text(at, "null") || take_number(at);
    }
}

static bool are_objects(const char *at)
{
    do {
        if (!take_mark(&at, "{") || !take_members(&at, "}", true, 0))
            return false;
    } while (take_mark(&at, ","));
    skip_blanks(&at);
    return !*at;
}

/* --- JUnit --------------------------------------------------------------------------------------- */

static bool take_content(const char **at, const char *end)
{
    static const char *const entities[] = {"&lt;", "&gt;", "&amp;", "&quot;"};
    while (**at && !strchr(end, **at)) {
        bool taken = false;
        for (size_t k = 0; k < sizeof entities / sizeof *entities; k++)
            taken = taken || take_text(at, entities[k]);
        if (!taken && !take_character(at, "<>&\""))
            return false;
    }
    return **at;
}

static bool take_attributes(const char **at)
{
    while (take_text(at, " ")) {
        size_t name = strspn(*at, "abcdefghijklmnopqrstuvwxyz");
        *at += name;
        if (!name || !take_text(at, "=\"") || !take_content(at, "\"<") || !take_text(at, "\""))
            return false;
    }
    return take_text(at, ">");
}

static bool take_problem(const char **at)
{
    static const char *const elements[] = {"failure", "error", "system-out"};
    for (size_t k = 0; k < sizeof elements / sizeof *elements; k++) {
        const char *next = *at;
        if (!take_mark(&next, "<") || !take_text(&next, elements[k]))
            continue;
        *at = next;
        return take_attributes(at) && take_content(at, "<") && take_text(at, "</") &&
               take_text(at, elements[k]) && take_text(at, ">");
    }
    return false;
}

static bool are_test_cases(const char *at)
{
    do {
        if (!take_mark(&at, "<testcase") || !take_attributes(&at))
            return false;
        while (!take_mark(&at, "</testcase>"))
            if (!take_problem(&at))
                return false;
        skip_blanks(&at);
    } while (*at);
    return true;
}

bool report_fragment_is_sound(enum report_document kind, const char *text)
{
    return kind == REPORT_JUNIT ? are_test_cases(text) : are_objects(text);
}
