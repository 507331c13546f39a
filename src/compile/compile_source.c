/* SPDX-License-Identifier: Apache-2.0 */
/* From a source to an object. What most sources are, without annotations and without mistakes, is compiled at once: the list of headers comes
 * with the object, and when there is an annotation in one of them, the source is compiled again. */
#include "compile/plumb_cc.h"
#include "compile/source_text.h"

#include "base/terminal.h"

#include <unistd.h>

/* One compilation. */
struct task {
    struct compilation *c;
    size_t number;
    struct source *source;
    const char *product, *output;
    bool keeps_names;          /* functions stay functions */
    struct words extra;        /* flags before those of the user */
    struct words dependencies; /* where the list of headers goes */
    struct process_streams streams;
};

const char *compile_object(size_t source)
{
    return word_print("%s/%zu.o", process_folder(), source);
}

/* --- one command --------------------------------------------------------------------------------- */

/* Does clang compile this file, and plumb-instrument what it makes? */
static bool is_instrumented_after(const struct compilation *c, const char *file, const char *language)
{
    static const char *const languages[] = {"c", "c++", "cpp-output", "c++-cpp-output", NULL};
    if (!c->compiler.clang)
        return false;
    return *language ? text_is_one_of(language, languages) : !source_is_assembly(file);
}

static struct words begin_command(const struct task *t)
{
    struct words command = {0};
    words_add_all(&command, &t->c->compiler.command);
    words_add_all(&command, &t->c->flags.first);
    return command;
}

static void add_file(struct words *command, const char *language, const char *file)
{
    if (*language)
        WORDS_ADD(command, "-x", language);
    words_add(command, file);
}

/* Options for the assembler are clang's to understand: it makes the object then. */
static bool needs_assembler(const struct command_line *line)
{
    static const char *const starts[] = {"-Wa,", "-Xassembler", "-gz", "-save-temps"};
    bool needs = line->machine.list.len > 0;
    for (size_t i = 0; i < line->options.list.len; i++)
        for (size_t k = 0; k < sizeof starts / sizeof *starts; k++)
            needs |= text_starts_with(line->options.list.data[i], starts[k]);
    return needs;
}

static void add_llvm_options(struct words *words, const struct command_line *line)
{
    for (size_t i = 0; i + 1 < line->options.list.len; i++)
        if (strcmp(line->options.list.data[i], "-mllvm") == 0) {
            i++;
            WORDS_ADD(words, "-mllvm", line->options.list.data[i]);
        }
}

/* The user's options that say something about code that is preprocessed. */
static void add_code_options(struct words *words, const struct command_line *line)
{
    struct words plain = options_of_code(line);
    for (size_t i = 0; i < plain.list.len; i++) {
        const char *word = plain.list.data[i];
        if (strcmp(word, "-mllvm") == 0 || strcmp(word, "-include") == 0 || strcmp(word, "-imacros") == 0)
            i++;
        else
            words_add(words, word);
    }
    vec_free(&plain.list);
}

/* Bitcode to an object or assembly. */
static int write_code(const struct task *t, const char *bitcode)
{
    const struct compilation *c = t->c;
    struct words step = {0}, command = {0};
    words_add_all(&step, &c->flags.instrument);
    add_llvm_options(&step, &c->line);
    if (!needs_assembler(&c->line)) {
        if (strcmp(t->product, "-S") == 0)
            words_add(&step, "-S");
        WORDS_ADD(&step, bitcode, "-o", t->output);
        return process_run(&step, t->streams);
    }
    const char *instrumented = word_print("%s.instrumented", bitcode);
    WORDS_ADD(&step, "--bitcode", bitcode, "-o", instrumented);
    int ended = process_run(&step, t->streams);
    if (ended)
        return ended;
    words_add_all(&command, &c->compiler.command);
    add_code_options(&command, &c->line);
    WORDS_ADD(&command, "-O2", "-Wno-unused-command-line-argument");
    if (c->compiler.x86 && c->flags.prefix)
        WORDS_ADD(&command, "-fno-integrated-as", c->flags.prefix, "-mno-red-zone");
    WORDS_ADD(&command, t->product, "-x", "ir", instrumented, "-o", t->output);
    return process_run(&command, t->streams);
}

/* The list of headers of a file with annotations: as if it were compiled as it is. */
static void list_headers(const struct task *t)
{
    struct words command = begin_command(t);
    words_add_all(&command, &t->extra);
    words_add_all(&command, &t->c->line.options);
    words_add_all(&command, &t->c->flags.last);
    words_add_all(&command, &t->dependencies);
    words_add(&command, "-E");
    add_file(&command, t->source->language, t->source->file);
    WORDS_ADD(&command, "-o", "/dev/null");
    int ended = t->c->line.dependencies ? process_run(&command, t->streams) : 0;
    if (ended)
        process_end(ended);
}

static void add_user_options(const struct task *t, struct words *command)
{
    const struct words *options = &t->c->line.options;
    for (size_t i = 0; i < options->list.len; i++)
        if (strcmp(options->list.data[i], "-c") != 0 && strcmp(options->list.data[i], "-S") != 0)
            words_add(command, options->list.data[i]);
    if (t->c->line.split_dwarf && !t->c->compiler.clang && t->c->line.mode == MODE_COMPILE)
        words_add(command, "-gsplit-dwarf");
}

/* Returns an exit code. */
static int run_task(const struct task *t)
{
    const struct compilation *c = t->c;
    const char *file = t->source->file, *language = t->source->language, *result = t->output;
    struct words command = begin_command(t), plain = options_of_code(&c->line);
    words_add_all(&command, &t->extra);
    if (t->source->annotated) {
        list_headers(t);
        file = t->source->annotated;
        language = t->source->annotated_language;
        words_add_all(&command, &plain);
    } else {
        add_user_options(t, &command);
    }
    if (t->source->ignores)
        words_add(&command, c->flags.ignored);
    words_add_all(&command, &c->flags.last);
    if (!t->source->annotated)
        words_add_all(&command, &t->dependencies);
    if (c->compiler.clang)
        words_add(&command, "-Wno-unused-command-line-argument");
    bool steps = is_instrumented_after(c, file, language);
    if (steps) {
        words_add(&command, "-emit-llvm");
        result = word_print("%s/%zu.bc", process_folder(), t->number);
    }
    words_add(&command, steps ? "-c" : t->product);
    add_file(&command, language, file);
    WORDS_ADD(&command, "-o", result);
    int ended = process_run(&command, t->streams);
    return ended || !steps ? ended : write_code(t, result);
}

/* --- mistakes ------------------------------------------------------------------------------------ */

static bool has_errors(const struct task *t, const char *language, const char *file)
{
    struct words command = begin_command(t), plain = options_of_code(&t->c->line);
    int said = process_memory();
    words_add_all(&command, &plain);
    words_add_all(&command, &t->c->flags.last);
    words_add(&command, "-fsyntax-only");
    add_file(&command, language, file);
    bool errors = process_run(&command, (struct process_streams){-1, said, said}) != 0;
    close(said);
    return errors;
}

/* The compiler has found errors, or did not work. If it is because of annotations, the exit code is that of errors in annotations. */
static _Noreturn void give_up(const struct task *t)
{
    const struct source *source = t->source;
    bool by_annotations = source->annotated && has_errors(t, source->annotated_language, source->annotated) &&
                          !has_errors(t, source->language, source->file);
    process_end(by_annotations ? WRAPPER_ANNOTATIONS : WRAPPER_ERROR);
}

/* --- at once ------------------------------------------------------------------------------------- */

/* Has the user a word about lists of headers, or may headers come from elsewhere than -I says? Fills *folders. */
static bool asks_for_headers(const struct compilation *c, struct words *folders)
{
    static const char *const variables[] = {"DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES", "CPATH",
                                            "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"};
    static const char *const starts[] = {"-M", "-Wp,", "-X", "-i", "--i", "@"};
    const struct command_line *line = &c->line;
    bool asks = line->shows || line->dependencies || line->dependency_file || line->dependency_target ||
                c->compiler.command.list.len > 1;
    for (size_t k = 0; k < sizeof variables / sizeof *variables; k++) {
        const char *setting = getenv(variables[k]);
        asks |= setting && *setting;
    }
    for (size_t i = 0; i < line->options.list.len; i++) {
        const char *word = line->options.list.data[i];
        for (size_t k = 0; k < sizeof starts / sizeof *starts; k++)
            asks |= text_starts_with(word, starts[k]);
        if (strcmp(word, "-I") == 0 && i + 1 < line->options.list.len)
            words_add(folders, line->options.list.data[i + 1]);
        else if (text_starts_with(word, "-I"))
            words_add(folders, word + 2);
    }
    return asks;
}

/* Has nothing to be asked before? */
static bool can_be_plain(struct task *t)
{
    OWNED struct words folders = {0};
    struct source_text text;
    if (asks_for_headers(t->c, &folders) || !source_language(&t->c->line, t->source) ||
        strcmp(t->output, "-") == 0 || !source_text_open(&text, t->source->file))
        return false;
    bool plain =
        !source_text_has_annotation(&text) && !source_text_may_use_compiled(&text, t->source->file, &folders);
    t->keeps_names = source_text_means_names(&text);
    source_text_close(&text);
    return plain;
}

static bool have_annotations(const struct words *files)
{
    bool found = false;
    for (size_t i = 0; i < files->list.len && !found; i++) {
        struct source_text text;
        if (!source_text_open(&text, files->list.data[i]))
            return true;
        found = source_text_has_annotation(&text);
        source_text_close(&text);
    }
    return found;
}

/* Where the compiler writes its list of headers: a file without name, by a number that is always the same, so that options are the same for each
 * compilation, and caches of compilers work. */
enum { LIST_FILE = 91 };
#define LIST_PATH "/dev/fd/91"

/* What the compiler says is not heard if the source has to be compiled again. */
static bool compile_plainly(struct task *t)
{
    bool fine = false;
    if (!can_be_plain(t))
        return false;
    struct task plain = *t;
    plain.extra = (struct words){0};
    plain.streams.error = process_memory();
    int list_file = process_memory();
    if (dup2(list_file, LIST_FILE) < 0)
        process_die("no file for the list of headers");
    if (terminal_use_color(TERMINAL_COLOR_AUTO, STDERR_FILENO))
        words_add(&plain.extra, "-fdiagnostics-color=always");
    if (t->keeps_names)
        words_add(&plain.extra, "-fno-inline");
    WORDS_ADD(&plain.extra, "-MD", "-MF", LIST_PATH, "-MT", "x");
    if (run_task(&plain) == 0) {
        struct words files = {0};
        OWNED char *list = process_read(list_file);
        fine = !strstr(list, ".gch") && dependency_list_read(list, &files) && !have_annotations(&files);
    } else {
        close(list_file);
    }
    close(LIST_FILE);
    if (fine)
        process_say(plain.streams.error);
    else
        close(plain.streams.error);
    return fine;
}

/* SV-COMP's names: functions that have them have to stay functions. */
static void keep_named_functions(struct task *t)
{
    struct source_text text;
    if (t->c->line.shows || !source_text_open(&text, t->output))
        return;
    bool names = source_text_means_names(&text);
    source_text_close(&text);
    if (!names)
        return;
    words_add(&t->extra, "-fno-inline");
    if (run_task(t) != 0)
        give_up(t);
}

static void compile(struct task *t)
{
    t->source = &t->c->line.sources.data[t->number];
    t->streams = PROCESS_OWN_STREAMS;
    bool done = compile_plainly(t);
    if (!done) {
        annotations_translate(t->c, t->number);
        if (run_task(t) != 0)
            give_up(t);
    }
    if (!done || !t->keeps_names)
        keep_named_functions(t);
}

/* --- all sources --------------------------------------------------------------------------------- */

bool compile_has_steps(const struct compilation *c)
{
    const struct command_line *line = &c->line;
    /* libraries and objects beside them are not looked at without a link */
    if (!line->product || !*line->product || !line->sources.len || (line->output && line->sources.len != 1))
        return false;
    bool steps = true;
    for (size_t i = 0; i < line->sources.len; i++) {
        const struct source *source = &line->sources.data[i];
        steps &= c->compiler.clang ? is_instrumented_after(c, source->file, source->language)
                                   : strcmp(line->product, "-c") == 0 && source_language(line, source);
    }
    return steps;
}

/* The name without its last suffix, and, if `base`, without its folder. */
static char *stem_of(const char *path, bool base)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    const char *start = base ? name : path;
    return base_strndup(start, dot ? (size_t)(dot - start) : strlen(start));
}

void compile_files(struct compilation *c)
{
    const struct command_line *line = &c->line;
    for (size_t i = 0; i < line->sources.len; i++) {
        struct task t = {.c = c, .number = i, .product = line->product, .output = line->output};
        if (!t.output)
            t.output = word_print("%s.%s", stem_of(line->sources.data[i].file, true),
                                  strcmp(t.product, "-c") == 0 ? "o" : "s");
        if (line->dependencies && !line->dependency_target)
            WORDS_ADD(&t.dependencies, "-MT", t.output);
        if (line->dependencies && !line->dependency_file)
            WORDS_ADD(&t.dependencies, "-MF", word_print("%s.d", stem_of(t.output, false)));
        compile(&t);
    }
}

/* Where a compilation that also links would have put its list of headers. */
static void choose_dependencies(struct task *t)
{
    const struct command_line *line = &t->c->line;
    const char *file = line->sources.data[t->number].file, *output = line->output ? line->output : "a.out";
    if (line->dependencies && !line->dependency_target)
        WORDS_ADD(&t->dependencies, "-MT", output);
    if (!line->dependencies || line->dependency_file)
        return;
    const char *stem = stem_of(output, false), *own = stem_of(file, true);
    const char *list = !t->c->compiler.clang ? word_print("%s-%s.d", stem, own)
                                             : word_print("%s.d", line->output ? stem : own);
    WORDS_ADD(&t->dependencies, "-MF", list);
}

void compile_for_link(struct compilation *c)
{
    for (size_t i = 0; i < c->line.sources.len; i++) {
        struct task t = {.c = c, .number = i, .product = "-c", .output = compile_object(i)};
        choose_dependencies(&t);
        compile(&t);
    }
}
