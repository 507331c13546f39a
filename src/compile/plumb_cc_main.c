/* SPDX-License-Identifier: Apache-2.0 */
/* usage: plumb-cc [--plumb-show] ARGUMENTS OF THE COMPILER
 * A compiler whose programs `plumb` can run: clang or gcc (PLUMB_CC; as plumb-c++ PLUMB_CXX). What clang compiles is instrumented by
 * plumb-instrument, what gcc compiles by gcc's own ThreadSanitizer pass. Programs are linked with Plumbline's runtime. A command that
 * compiles and links is split. Unless you pass -O, every source-level access is performed. With -O, results say so. Specifications in
 * comments (docs/annotations.md) become code, unless PLUMB_ANNOTATIONS is `ignore`. --plumb-show prints the commands instead of running
 * them. PLUMB_LIB_DIR names the folder of libplumb-rt.so. docs/internals/engine/compiling.md */
#include "compile/plumb_cc.h"
#include "compile/source_text.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

static void check_combination(const struct compilation *c)
{
    const struct command_line *line = &c->line;
    if (line->refused)
        process_die("-fsanitize=%s cannot be combined with Plumbline's instrumentation", line->refused);
    if (line->mode != MODE_LINK)
        return;
    if (line->static_link)
        process_die("%s: the runtime needs dynamic linking", line->static_link);
    OWNED char *runtime = word_print("%s/libplumb-rt.so", c->library);
    if (!line->relocatable && !line->shows && access(runtime, F_OK) != 0)
        process_die("the runtime was not found: no libplumb-rt.so in %s", c->library);
}

/* The command as it is, with our flags: preprocessing, headers, assembly. */
static _Noreturn void pass_on(const struct compilation *c)
{
    struct words command = {0};
    words_add_all(&command, &c->compiler.command);
    words_add_all(&command, &c->flags.first);
    words_add_all(&command, &c->line.all);
    words_add_all(&command, &c->flags.last);
    for (size_t i = 0; i < c->line.sources.len; i++) {
        struct source_text text;
        if (c->line.sources.data[i].ignores)
            words_add(&command, c->flags.ignored);
        if (c->line.mode != MODE_COMPILE || c->line.shows ||
            !source_text_open(&text, c->line.sources.data[i].file))
            continue;
        if (source_text_means_names(&text))
            words_add(&command, "-fno-inline");
        source_text_close(&text);
    }
    process_become(&command);
}

/* -c, -S and the like. */
static void compile_only(struct compilation *c)
{
    bool steps = compile_has_steps(c), annotated = false;
    for (size_t i = 0; !steps && c->line.product && *c->line.product && i < c->line.sources.len; i++) {
        annotations_translate(c, i);
        annotated |= c->line.sources.data[i].annotated != NULL;
    }
    if (!steps && !annotated)
        pass_on(c);
    compile_files(c);
}

/* For `plumb prove`, which compiles without plumb-cc. */
static int write_calls(const char *path)
{
    struct words calls = {0};
    FILE *out = fopen(path, "we");
    flags_add_calls(&calls);
    for (size_t i = 0; out && i < calls.list.len; i++)
        fprintf(out, "%s\n", calls.list.data[i]);
    if (!out || fclose(out) != 0)
        process_die("%s: %s", path, strerror(errno));
    return 0;
}

int main(int count, char **arguments)
{
    const char *slash = strrchr(arguments[0], '/'), *name = slash ? slash + 1 : arguments[0];
    process_begin(name, false);
    if (count == 3 && strcmp(arguments[1], "--plumb-calls") == 0)
        process_end(write_calls(arguments[2]));
    struct compilation c = {.line = command_line_read(name, count - 1, arguments + 1)};
    process_begin(name, c.line.shows);
    c.homes = homes_find(arguments[0]);
    c.compiler = compiler_find(&c.line, &c.homes);
    if (c.line.mode == MODE_ASK || c.line.inputs == 0) {
        words_add_all(&c.compiler.command, &c.line.all);
        process_become(&c.compiler.command);
    }
    if (c.line.mode == MODE_LINK)
        c.library = homes_library(&c.homes);
    c.headers = homes_headers(&c.homes);
    compiler_know(&c.compiler, &c.line);
    c.flags = flags_choose(&c.line, &c.compiler, &c.homes, c.headers);
    check_combination(&c);
    if (c.line.mode == MODE_PREPROCESS)
        pass_on(&c);
    process_folder(); /* for what compilers leave, too */
    if (c.line.mode == MODE_COMPILE) {
        compile_only(&c);
        process_end(0);
    }
    compile_for_link(&c);
    process_end(link_program(&c));
}
