/* SPDX-License-Identifier: Apache-2.0 */
/* The option table. A command is described once, by a constant table; the parser, `--help` and the
 * manual page all derive from it.
 *
 * Accepted: `--name value`, `--name=value`, `-n value`, `-nvalue`, flags in one word (`-qv`), options after
 * operands, `--` to end options, `-` as an operand. An option given twice: the last one counts, unless it is
 * a list. The word after `--name` is not taken as its value when it starts with `--`. */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include "base/diagnostic.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_kind {
    OPTION_FLAG,    /* bool */
    OPTION_TEXT,    /* const char * */
    OPTION_NUMBER,  /* uint64_t between least and most */
    OPTION_SECONDS, /* double above 0 */
    OPTION_BYTES,   /* uint64_t, written N, NK, NM or NG; above 0 */
    OPTION_CHOICE,  /* int: the position of the word in `value` */
    /* struct operand_list: each time the option is given adds a word; vec_free it */
    OPTION_LIST,
};

struct option_entry {
    const char *name; /* without dashes */
    char letter;      /* 0: none */
    enum option_kind kind;
    /* What the help calls the value; the words of a choice: "auto|always|never" */
    const char *value;
    size_t field;         /* offset in the command's settings */
    uint64_t least, most; /* of a number */
    const char *help;
};

/* A paragraph or an example of the manual page. */
struct option_section {
    const char *title;
    const char *body; /* paragraphs divided by an empty line; an indented line stays as it is */
};

struct option_command {
    const char *name;     /* "monitor" */
    const char *summary;  /* one line */
    const char *operands; /* "HISTORY...", "[COMMAND]" or "" */
    size_t operands_least, operands_most;
    const struct option_entry *options;
    size_t option_count;
    const struct option_section *sections;
    size_t section_count;
};

struct operand_list {
    const char **data;
    size_t len, cap;
};

enum options_outcome { OPTIONS_RUN, OPTIONS_HELP, OPTIONS_WRONG };

/* Parses the words after the command's name into `settings` and `operands` (vec_free it). WRONG: *d says
 * what. HELP: `--help` or `-h` was among the options. */
enum options_outcome options_parse(const struct option_command *command, int count, char *const *words,
                                   void *settings, struct operand_list *operands, struct diagnostic *d);

/* The text of `--help`. */
void options_help(struct text *out, const struct option_command *command, unsigned columns);

/* The manual page, in man(7) form. */
void options_man(struct text *out, const struct option_command *command, const char *version);

/* Of `count` names, the one that is most likely meant by `word`; null when none is near. */
const char *options_nearest(const char *word, const char *const *names, size_t count);

/* Adds `s` (or its first `length` bytes) to `out`, with a backslash where roff would read a command. */
void options_add_roff(struct text *out, const char *s, size_t length);

#endif
