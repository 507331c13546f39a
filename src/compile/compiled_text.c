/* SPDX-License-Identifier: Apache-2.0 */
/* Compilers say where inline assembly stands: between #APP and #NO_APP. Instructions that are recognised by name get marks, too:
 * those that answer by themselves, fences, and those of intrinsics that access memory, which no compiler announces. */
#include "compile/compiled_text.h"

#include "base/memory.h"
#include "base/vec.h"
#include "compile/assembly_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

struct place {
    unsigned file, line;
};

struct reader {
    const struct compiled_text *source;
    struct text *out, names, block; /* what is named; inline assembly, line by line */
    struct assembly_marker between; /* the functions */
    VEC(char *) files;              /* by their numbers; null: none */
    char *main_file;                /* null: the name of the text */
    struct place place, user;       /* of the last line of the source; not in a header of intrinsics */
    bool in_function, in_block, is_changed;
    unsigned pieces;
};

/* ---------------------------------------------------------------- what a line is */

static bool is_line(const char *line, const char *const *starts)
{
    line += strspn(line, " \t");
    for (; *starts; starts++)
        if (text_starts_with(line, *starts))
            return true;
    return false;
}

static bool is_directive(const char *line, const char *directive)
{
    line += strspn(line, " \t");
    size_t length = strlen(directive);
    return strncmp(line, directive, length) == 0 && isspace((unsigned char)line[length]);
}

enum instruction { INSTRUCTION_PLAIN, INSTRUCTION_ANSWER, INSTRUCTION_FENCE, INSTRUCTION_OPERAND };

static enum instruction find_instruction(const char *line)
{
    static const char *const answers[] = {"rdtsc", "rdtscp", "rdpmc", "rdrand", "rdseed", "rdpid", "xgetbv"};
    static const char *const fences[] = {"mfence", "serialize", "xbegin"};
    static const char *const operands[] = {"movnt",   "maskmov",  "pmaskmov", "gather", "pgather",
                                           "scatter", "pscatter", "clzero",   "movdir", NULL};
    const char *word = line + strspn(line, " \t");
    size_t length = strcspn(word, " \t;");
    if (word == line || !length)
        return INSTRUCTION_PLAIN;
    for (size_t k = 0; k < sizeof answers / sizeof *answers; k++) {
        size_t all = strlen(answers[k]);
        if (strncmp(word, answers[k], all) == 0 &&
            (length == all || (length == all + 1 && strchr("lqw", word[all]))))
            return INSTRUCTION_ANSWER;
    }
    for (size_t k = 0; k < sizeof fences / sizeof *fences; k++)
        if (length == strlen(fences[k]) && strncmp(word, fences[k], length) == 0)
            return INSTRUCTION_FENCE;
    return is_line(word + (*word == 'v'), operands) ? INSTRUCTION_OPERAND : INSTRUCTION_PLAIN;
}

/* ---------------------------------------------------------------- places */

/* .file 1 "folder" "x.c" */
static void note_file(struct reader *r, const char *line)
{
    const char *end = strrchr(line, '"'), *begin = end;
    while (begin && begin > line && begin[-1] != '"')
        begin--;
    if (!end || begin == line)
        return;
    char *name = base_strndup(begin, (size_t)(end - begin)), *digits;
    const char *number = line + strspn(line, " \t");
    number += strcspn(number, " \t");
    unsigned long k = strtoul(number, &digits, 10);
    if (digits == number) {
        free(r->main_file);
        r->main_file = name;
        return;
    }
    while (r->files.len <= k && k < UINT16_MAX)
        vec_push(&r->files, NULL);
    char **slot = k < r->files.len ? &r->files.data[k] : &name;
    if (slot != &name)
        free(*slot);
    *slot = name;
}

/* .loc 1 12 5: of the instructions that follow. */
static void note_place(struct reader *r, const char *line)
{
    struct place place;
    if (sscanf(line, " .loc %u %u", &place.file, &place.line) != 2)
        return;
    r->place = place;
    const char *file = place.file < r->files.len ? r->files.data[place.file] : NULL;
    if (!file || !strstr(file, "intrin.h"))
        r->user = place;
}

static void name_gap(struct reader *r, const char *kind, struct place place)
{
    struct text line = {0};
    const char *file = place.file < r->files.len ? r->files.data[place.file] : NULL;
    file = file ? file : r->main_file ? r->main_file : r->source->name;
    text_printf(&line, "\t.string \"plumb-unannounced %s ", kind);
    for (; *file; file++)
        text_printf(&line, "%s%c", strchr("\\\"", *file) ? "\\" : "", *file);
    text_printf(&line, ":%u\"\n", place.line);
    if (!r->names.len || !strstr(r->names.data, line.data))
        text_add(&r->names, line.data, line.len);
    text_free(&line);
}

/* ---------------------------------------------------------------- marks */

static void put_piece(struct reader *r, enum assembly_kind kind, const char *code)
{
    char number[16];
    snprintf(number, sizeof number, "%u", r->pieces++);
    r->is_changed = true;
    text_puts(r->out, "\t");
    assembly_put_mark(r->out, kind, number);
    text_printf(r->out, "\n%s\n", code);
    assembly_put_end(r->out, number);
    /* the length has to be a number: a distance between sections would be left to the linker */
    text_printf(r->out, "\n\t.size .Lplumb_begin%s, .Lplumb_end%s - .Lplumb_begin%s\n", number, number,
                number);
}

/* plumb-instrument has marked what clang compiles. */
static bool is_marked(const char *code)
{
    return strstr(code, ".ascii \"PlAs\"");
}

static void end_block(struct reader *r)
{
    struct text *code = &r->block;
    bool is_code = assembly_has_instruction(code->data, code->len) && !is_marked(code->data);
    r->in_block = false;
    text_puts(r->out, "#APP\n");
    if (is_code && assembly_has_streams(code->data))
        name_gap(r, "streamed", r->place);
    if (!is_code || r->source->no_marks) {
        text_add(r->out, code->data, code->len);
        if (is_code)
            name_gap(r, "assembly", r->place);
    } else if (r->in_function) {
        put_piece(r, ASSEMBLY_INLINE, code->data);
    } else {
        r->is_changed = true;
        assembly_mark_lines(&r->between, code->data, code->len);
    }
    text_puts(r->out, "#NO_APP\n");
}

static void put_instruction(struct reader *r, const char *line)
{
    enum instruction kind = find_instruction(line);
    if (kind == INSTRUCTION_OPERAND && assembly_has_streams(line))
        name_gap(r, "streamed", r->user);
    if (kind == INSTRUCTION_PLAIN || !r->in_function || r->source->no_marks)
        text_printf(r->out, "%s\n", line);
    else
        put_piece(r, kind == INSTRUCTION_FENCE ? ASSEMBLY_INLINE : ASSEMBLY_COMPILED, line);
}

/* clang has types of sections, and names of instructions, that the assembler need not know. */
static void make_known(struct reader *r, char *line)
{
    char *type = is_directive(line, ".section") ? strstr(line, ",@llvm_") : NULL;
    char *word = line + strspn(line, " \t");
    if (type) {
        text_printf(r->out, "%.*s,@progbits%s\n", (int)(type - line), line,
                    type + 1 + strcspn(type + 1, ","));
    } else if ((text_starts_with(word, "rdrand") || text_starts_with(word, "rdseed")) && word[6] &&
               strchr("lqw", word[6])) {
        word[6] = ' ';
        put_instruction(r, line);
    } else {
        put_instruction(r, line);
        return;
    }
    r->is_changed = true;
}

static void read_line(struct reader *r, char *line)
{
    static const char *const begin[] = {"#APP", "# Start of file scope inline", NULL},
                             *const end[] = {"#NO_APP", "# End of file scope inline", NULL};
    const char *all = line + strlen(line);
    if (is_line(line, begin)) {
        r->in_block = true;
        text_clear(&r->block);
        text_puts(&r->block, "");
    } else if (r->in_block && is_line(line, end)) {
        end_block(r);
    } else if (r->in_block) {
        text_printf(&r->block, "%s\n", line);
    } else {
        if (is_directive(line, ".type") && (strstr(line, "@function") || strstr(line, "%function")))
            r->in_function = true;
        else if (is_directive(line, ".size"))
            r->in_function = false;
        else if (is_directive(line, ".file"))
            note_file(r, line);
        else if (is_directive(line, ".loc"))
            note_place(r, line);
        assembly_note_section(&r->between, line, all);
        make_known(r, line);
    }
}

/* A file of assembly has no blocks: all of it is one. */
static bool is_compiled(const char *text)
{
    static const char *const signs[] = {".ident", ".file"};
    if (strstr(text, "__tsan_"))
        return true;
    for (const char *line = text; line; line = strchr(line, '\n'), line += line != NULL)
        for (size_t k = 0; k < 2; k++)
            if (isspace((unsigned char)*line) && is_directive(line, signs[k]))
                return true;
    return false;
}

static void put_names(struct reader *r)
{
    if (!r->names.len)
        return;
    r->is_changed = true;
    text_puts(r->out, "\t.section .GCC.command.line,\"MS\",@progbits,1\n");
    text_add(r->out, r->names.data, r->names.len);
}

static void read_assembly(struct reader *r, char *text)
{
    text_printf(r->out, "# 1 \"%s\"\n", r->source->name);
    if (r->source->no_marks)
        text_puts(r->out, text);
    else
        assembly_mark_lines(&r->between, text, r->source->length);
    unsigned number = 1;
    for (char *line = text, *next; line; line = next, number++) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        if (assembly_has_streams(line))
            name_gap(r, "streamed", (struct place){UINT16_MAX, number});
    }
}

bool compiled_text_mark(const struct compiled_text *c, struct text *out)
{
    struct reader r = {.source = c, .out = out, .between = {.out = out, .code = true}};
    OWNED char *text = base_strndup(c->text, c->length);
    bool compiled = is_compiled(text);
    if (!compiled)
        read_assembly(&r, text);
    for (char *line = text, *next; compiled && line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        if (next || *line)
            read_line(&r, line);
    }
    put_names(&r);
    for (size_t k = 0; k < r.files.len; k++)
        free(r.files.data[k]);
    vec_free(&r.files);
    free(r.main_file);
    text_free(&r.names);
    text_free(&r.block);
    return r.is_changed || !compiled;
}
