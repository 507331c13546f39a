/* SPDX-License-Identifier: Apache-2.0 */
/* The option table as text: `--help` and manual pages. */
#include "base/options.h"

#include <ctype.h>
#include <string.h>

static const struct option_entry help_entry = {
    .name = "help", .letter = 'h', .kind = OPTION_FLAG, .help = "Print this help."};

/* The options of a command, and --help after them. */
static const struct option_entry *entry_at(const struct option_command *c, size_t i)
{
    return i < c->option_count ? &c->options[i] : &help_entry;
}

/* "-o, --output FILE" */
static void add_entry_name(struct text *out, const struct option_entry *o)
{
    if (o->letter)
        text_printf(out, "-%c, ", o->letter);
    text_printf(out, "--%s", o->name);
    if (o->kind != OPTION_FLAG)
        text_printf(out, " %s", o->value);
}

/* Adds one paragraph word by word, from column `at`, indented by `indent`. */
static void add_wrapped(struct text *out, const char *s, size_t length, size_t at, size_t indent,
                        size_t columns)
{
    const char *end = s + length;
    while (s < end && *s == ' ')
        s++;
    for (bool first = true; s < end; first = false) {
        size_t word = 0;
        while (s + word < end && s[word] != ' ')
            word++;
        if (!first && at + 1 + word > columns) {
            text_puts(out, "\n");
            text_repeat(out, " ", indent);
            at = indent;
        } else if (!first) {
            text_puts(out, " ");
            at++;
        }
        text_add(out, s, word);
        at += word;
        for (s += word; s < end && *s == ' ';)
            s++;
    }
    text_puts(out, "\n");
}

static void add_entry_help(struct text *out, const struct option_entry *o, unsigned columns)
{
    enum { INDENT = 26 };
    struct text name = {0};
    text_puts(&name, o->letter ? "  " : "      ");
    add_entry_name(&name, o);
    text_puts(out, name.data);
    if (name.len + 2 > INDENT)
        text_puts(out, "\n");
    text_repeat(out, " ", name.len + 2 > INDENT ? INDENT : INDENT - name.len);
    add_wrapped(out, o->help, strlen(o->help), INDENT, INDENT, columns);
    text_free(&name);
}

/* The body line by line: an indented or empty line as it is, any other one is a paragraph. */
static void add_section_help(struct text *out, const struct option_section *section, unsigned columns)
{
    text_printf(out, "\n%s:\n", section->title);
    for (const char *line = section->body; *line;) {
        size_t length = strcspn(line, "\n");
        text_puts(out, length ? "  " : "");
        if (*line == ' ' || !length)
            text_printf(out, "%.*s\n", (int)length, line);
        else
            add_wrapped(out, line, length, 2, 2, columns);
        line += length + (line[length] == '\n');
    }
}

void options_help(struct text *out, const struct option_command *command, unsigned columns)
{
    text_printf(out, "usage: plumb %s%s%s%s\n%s\n\noptions:\n", command->name,
                command->option_count ? " [OPTIONS]" : "", *command->operands ? " " : "", command->operands,
                command->summary);
    for (size_t i = 0; i <= command->option_count; i++)
        add_entry_help(out, entry_at(command, i), columns);
    for (size_t i = 0; i < command->section_count; i++)
        add_section_help(out, &command->sections[i], columns);
}

void options_add_roff(struct text *out, const char *s, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (s[i] == '-')
            text_puts(out, "\\-");
        else if (s[i] == '\\')
            text_puts(out, "\\e");
        else if (i == 0 && (s[i] == '.' || s[i] == '\''))
            text_printf(out, "\\&%c", s[i]);
        else
            text_add(out, s + i, 1);
    }
}

static void add_roff(struct text *out, const char *before, const char *s, const char *after)
{
    text_puts(out, before);
    options_add_roff(out, s, strlen(s));
    text_puts(out, after);
}

static void add_section_man(struct text *out, const struct option_section *section)
{
    text_puts(out, ".SH ");
    for (const char *c = section->title; *c; c++)
        text_printf(out, "%c", toupper((unsigned char)*c));
    text_puts(out, "\n");
    for (const char *line = section->body; *line;) {
        size_t length = strcspn(line, "\n");
        bool literal = *line == ' ';
        text_puts(out, literal ? ".nf\n" : length ? "" : ".PP\n");
        options_add_roff(out, line, length);
        text_puts(out, literal ? "\n.fi\n" : length ? "\n" : "");
        line += length + (line[length] == '\n');
    }
}

void options_man(struct text *out, const struct option_command *command, const char *version)
{
    text_puts(out, ".TH PLUMB\\-");
    for (const char *c = command->name; *c; c++)
        text_printf(out, "%c", toupper((unsigned char)*c));
    text_printf(out, " 1 \"\" \"plumb %s\" \"Plumbline\"\n", version);
    text_printf(out, ".SH NAME\nplumb\\-%s \\- ", command->name);
    add_roff(out, "", command->summary, "\n");
    text_printf(out, ".SH SYNOPSIS\n.B plumb %s\n%s", command->name,
                command->option_count ? "[OPTIONS]\n" : "");
    if (*command->operands)
        add_roff(out, "", command->operands, "\n");
    text_puts(out, ".SH OPTIONS\n");
    for (size_t i = 0; i <= command->option_count; i++) {
        struct text name = {0};
        add_entry_name(&name, entry_at(command, i));
        add_roff(out, ".TP\n.B ", name.data, "\n");
        add_roff(out, "", entry_at(command, i)->help, "\n");
        text_free(&name);
    }
    for (size_t i = 0; i < command->section_count; i++)
        add_section_man(out, &command->sections[i]);
}
