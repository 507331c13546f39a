/* SPDX-License-Identifier: Apache-2.0 */
/* What the user asks of the compiler. */
#ifndef COMPILE_COMMAND_LINE_H
#define COMPILE_COMMAND_LINE_H

#include "compile/word_list.h"

#include <stdbool.h>

/* The later, the stronger. */
enum command_mode { MODE_LINK, MODE_COMPILE, MODE_PREPROCESS, MODE_ASK };

struct source {
    const char *file, *language; /* what -x says, or empty */
    const char *annotated;       /* the file that is compiled instead; null: no annotations */
    const char *annotated_language;
    bool ignores; /* it has some, which are left alone */
};

struct link_word {
    const char *text; /* null: the object of a source */
    size_t source;
    bool is_neutral; /* says nothing to a link */
};

struct command_line {
    const char *name; /* plumb-cc or plumb-c++ */
    bool cxx, shows;
    enum command_mode mode;
    const char *level;   /* the user's optimisation, such as -O2; null: none */
    const char *product; /* -c or -S; empty: another, such as a tree; null: none */
    const char *output;
    VEC(struct source) sources;
    size_t inputs;        /* with objects and libraries */
    struct words all;     /* but for what is left out, such as -fsanitize=thread */
    struct words options; /* of every single compilation: no inputs, no -o */
    VEC(struct link_word) link;
    struct words machine; /* options that decide what the compiler compiles for */
    struct words checks;  /* sanitizers that can be combined with ours */
    const char *refused;  /* one that cannot */
    bool undefined;       /* "undefined" is one of the checks */
    bool old_delete,
        assertions_chosen; /* delete gets no size; the user has a word about libstdc++'s assertions */
    const char *static_link;
    bool lto, relocatable, shared, version_script, assembly, split_dwarf;
    bool dependencies, dependency_file, dependency_target; /* -MD or -MMD; -MF; -MT or -MQ */
    bool common_link; /* any driver and linker would do the same with it */
};

struct command_line command_line_read(const char *name, int count, char **arguments);

/* C or C++, or null where it is neither, or standard input, which can be read once only. */
const char *source_language(const struct command_line *line, const struct source *source);
bool source_is_assembly(const char *file);

#endif
