/* SPDX-License-Identifier: Apache-2.0 */
/* Marks in assembly: docs/internals/engine/assembly.md. Assembly outside of functions that a compiler wrote has functions of its own:
 * what follows each label in a section of code, up to the next one, is a piece. */
#include "compile/assembly_text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_symbol(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && is_blank(*at))
        at++;
    return at;
}

/* Behind the colon of a label; NULL: there is none at the beginning. */
static const char *skip_label(const char *at, const char *end)
{
    const char *name = at = skip_blanks(at, end);
    while (at < end && is_symbol(*at))
        at++;
    return at > name && at < end && *at == ':' ? at + 1 : NULL;
}

static bool is_instruction(const char *at, const char *end)
{
    const char *behind;
    while ((behind = skip_label(at, end)))
        at = behind;
    at = skip_blanks(at, end);
    return at < end && !strchr(".#/", *at);
}

/* movntdqa is a load. */
bool assembly_has_streams(const char *text)
{
    if (strstr(text, "maskmovdqu") || strstr(text, "maskmovq"))
        return true;
    while ((text = strstr(text, "movnt"))) {
        text += strlen("movnt");
        if (strncmp(text, "dqa", 3) != 0)
            return true;
    }
    return false;
}

bool assembly_has_instruction(const char *text, size_t length)
{
    const char *end = text + length;
    while (text < end) {
        const char *stop = text;
        while (stop < end && *stop != ';' && *stop != '\n')
            stop++;
        if (is_instruction(text, stop))
            return true;
        text = stop + 1;
    }
    return false;
}

void assembly_put_mark(struct text *out, enum assembly_kind kind, const char *number)
{
    static const char *const kinds[] = {"", "0x40000000 + ", "0x80000000 + "};
    text_printf(out,
                ".byte 0x0f, 0x1f, 0x84, 0; .ascii \"PlAs\"; .byte 0x0f, 0x1f, 0x84, 0; "
                ".long %s(.Lplumb_end%s - .Lplumb_begin%s); .Lplumb_begin%s: ",
                kinds[kind], number, number, number);
}

void assembly_put_end(struct text *out, const char *number)
{
    text_printf(out, ".Lplumb_end%s: ", number);
}

/* ---------------------------------------------------------------- statements */

void assembly_close_piece(struct assembly_marker *m)
{
    char number[16];
    snprintf(number, sizeof number, "t%u", m->pieces);
    if (m->open)
        assembly_put_end(m->out, number);
    m->open = false;
}

static void open_piece(struct assembly_marker *m)
{
    char number[16];
    snprintf(number, sizeof number, "t%u", ++m->pieces);
    assembly_put_mark(m->out, ASSEMBLY_ALONE, number);
    m->open = true;
}

static bool has_word(const char *at, const char *end, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(end - at) >= length && memcmp(at, word, length) == 0;
}

static bool has_code(const char *at, const char *end)
{
    static const char *const names[] = {".section", ".pushsection"};
    const char *flags = memchr(at, '"', (size_t)(end - at));
    for (size_t k = 0; k < 2; k++)
        if (has_word(at, end, names[k])) {
            const char *name = skip_blanks(at + strlen(names[k]), end);
            name += name < end && *name == '"';
            if (has_word(name, end, ".text"))
                return true;
        }
    for (; flags && flags < end; flags++)
        if (*flags == 'x' && memchr(flags, '"', (size_t)(end - flags)))
            return true;
    return false;
}

static void enter_section(struct assembly_marker *m, bool code)
{
    m->last = m->code;
    m->code = code;
}

/* The statement changes the section? */
bool assembly_note_section(struct assembly_marker *m, const char *at, const char *end)
{
    at = skip_blanks(at, end);
    if (has_word(at, end, ".popsection")) {
        if (m->depth)
            m->code = m->saved[--m->depth];
    } else if (has_word(at, end, ".previous")) {
        enter_section(m, m->last);
    } else if (has_word(at, end, ".text")) {
        enter_section(m, true);
    } else if (has_word(at, end, ".data") || has_word(at, end, ".bss") || has_word(at, end, ".rodata")) {
        enter_section(m, false);
    } else if (has_word(at, end, ".section")) {
        enter_section(m, has_code(at, end));
    } else if (has_word(at, end, ".pushsection")) {
        if (m->depth < sizeof m->saved / sizeof *m->saved)
            m->saved[m->depth++] = m->code;
        enter_section(m, has_code(at, end));
    } else {
        return false;
    }
    return true;
}

static void put(struct assembly_marker *m, const char *at, const char *end)
{
    text_add(m->out, at, (size_t)(end - at));
}

static void put_statement(struct assembly_marker *m, const char *at, const char *end)
{
    const char *behind;
    struct assembly_marker before = *m;
    if (assembly_note_section(&before, at, end)) {
        assembly_close_piece(m);
        assembly_note_section(m, at, end);
        put(m, at, end);
        return;
    }
    while (m->code && (behind = skip_label(at, end)) && !isdigit((unsigned char)*skip_blanks(at, end)) &&
           *skip_blanks(at, end) != '.') {
        assembly_close_piece(m);
        put(m, at, behind);
        open_piece(m);
        at = behind;
    }
    put(m, at, end);
}

static bool has_any(const char *at, const char *end, const char *set)
{
    for (; at < end; at++)
        if (strchr(set, *at))
            return true;
    return false;
}

static void put_line(struct assembly_marker *m, const char *at, const char *end)
{
    const char *first = skip_blanks(at, end), *comment = memchr(at, '#', (size_t)(end - at));
    if (first < end && *first == '#') {
        put(m, at, end);
        return;
    }
    if (has_any(at, end, "\"/*")) {
        bool section = has_word(first, end, ".section") || has_word(first, end, ".pushsection");
        section ? put_statement(m, at, end) : put(m, at, end);
        return;
    }
    end = comment ? comment : end;
    for (const char *stop; at < end; at = stop + 1) {
        stop = memchr(at, ';', (size_t)(end - at));
        stop = stop ? stop : end;
        put_statement(m, at, stop);
        if (stop < end)
            text_puts(m->out, ";");
    }
}

void assembly_mark_lines(struct assembly_marker *m, const char *text, size_t length)
{
    for (const char *end = text + length, *stop; text < end; text = stop + 1) {
        stop = memchr(text, '\n', (size_t)(end - text));
        stop = stop ? stop : end;
        put_line(m, text, stop);
        text_puts(m->out, "\n");
    }
    assembly_close_piece(m);
    text_puts(m->out, "\n");
}

void assembly_mark_text(struct text *out, const char *text, size_t length)
{
    struct assembly_marker m = {.out = out, .code = true};
    assembly_mark_lines(&m, text, length);
}
