/* SPDX-License-Identifier: Apache-2.0 */
/* Specifications in comments: what is between -E and the compilation. */
#include "compile/plumb_cc.h"
#include "compile/source_text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

struct words options_of_code(const struct command_line *line)
{
    static const char *const with_value[] = {"-MF", "-MT", "-MQ", "-MJ", NULL};
    static const char *const products[] = {"-c", "-S", NULL};
    struct words plain = {0};
    for (size_t i = 0; i < line->options.list.len; i++) {
        const char *word = line->options.list.data[i];
        if (text_is_one_of(word, with_value))
            i++;
        else if (!text_starts_with(word, "-M") && !text_is_one_of(word, products))
            words_add(&plain, word);
    }
    return plain;
}

static struct words preprocessor(const struct compilation *c, bool with_columns)
{
    struct words command = {0}, plain = options_of_code(&c->line);
    words_add_all(&command, &c->compiler.command);
    words_add_all(&command, &c->flags.first);
    if (with_columns && !c->compiler.clang)
        words_add(&command, "-ftrack-macro-expansion=2"); /* what is printed has the columns of the source */
    words_add_all(&command, &plain);
    words_add_all(&command, &c->flags.last);
    vec_free(&plain.list);
    return command;
}

/* Do the file and its headers have one of the words that make a comment an annotation? *comments: how comments of macros are
 * kept, only if there is one among them, because other macros may not work with them. Where it cannot be known they may have some. */
static bool may_have_annotations(const struct compilation *c, const char *file, const char *language,
                                 const char **comments)
{
    struct words command = preprocessor(c, false), files = {0};
    WORDS_ADD(&command, "-M", "-MT", "x", "-x", language, file);
    int said = process_memory(), list_file = process_memory();
    int ended = process_run(&command, (struct process_streams){-1, list_file, said});
    if (ended != 0) {
        process_say(said);
        process_end(WRAPPER_ERROR);
    }
    close(said);
    OWNED char *list = process_read(list_file);
    bool found = false;
    *comments = "-C";
    if (!dependency_list_read(list, &files)) {
        *comments = "-CC";
        return true;
    }
    for (size_t i = 0; i < files.list.len; i++) {
        struct source_text text;
        if (!source_text_open(&text, files.list.data[i]))
            process_die("%s could not be read", files.list.data[i]);
        found |= source_text_has_annotation(&text);
        if (source_text_defines_annotation(&text))
            *comments = "-CC";
        source_text_close(&text);
    }
    return found;
}

/* The text that the compiler takes for preprocessed, in *output; one without annotations is an empty line. Returns an exit code. */
static int translate(const struct compilation *c, size_t number, const char *language, const char *comments,
                     const char *output, bool silent)
{
    const char *file = c->line.sources.data[number].file;
    const char *text = word_print("%s/%zu.text", process_folder(), number);
    const char *tool = getenv("PLUMB_TOOL");
    tool = tool && *tool ? tool : homes_tool(&c->homes, "plumb");
    if (!tool)
        process_die("the file '%s' has annotations, and plumb, which translates them, was not found", file);
    int nowhere = silent ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
    struct words command = preprocessor(c, true), annotate = {0};
    WORDS_ADD(&command, "-E", comments, "-dD", "-include", word_print("%s/plumb/annotated.h", c->headers),
              "-x", language, file, "-o", text);
    int ended = process_run(&command, (struct process_streams){-1, -1, nowhere});
    if (ended)
        return ended;
    WORDS_ADD(&annotate, tool, "annotate", language);
    int from = open(text, O_RDONLY | O_CLOEXEC),
        to = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (from < 0 || to < 0)
        return WRAPPER_ERROR;
    ended = process_run(&annotate, (struct process_streams){from, to, nowhere});
    close(from);
    close(to);
    unlink(text);
    struct stat facts;
    return ended ? ended : stat(output, &facts) != 0 || facts.st_size == 0;
}

/* Is there anything before its first end of line? */
static bool has_text(const char *path)
{
    struct source_text text;
    if (!source_text_open(&text, path) || !text.len)
        process_die("%s could not be read", path);
    bool has = text.data[0] != '\n';
    source_text_close(&text);
    return has;
}

void annotations_translate(struct compilation *c, size_t number)
{
    struct source *source = &c->line.sources.data[number];
    struct stat facts;
    const char *language = source_language(&c->line, source), *comments,
               *setting = getenv("PLUMB_ANNOTATIONS");
    bool once_only = stat(source->file, &facts) == 0 && !S_ISREG(facts.st_mode);
    if (c->line.shows || !language || once_only ||
        !may_have_annotations(c, source->file, language, &comments))
        return;
    bool ignore = setting && strcmp(setting, "ignore") == 0;
    bool cxx = strcmp(language, "c++") == 0;
    const char *output = word_print("%s/%zu.%s", process_folder(), number, cxx ? "ii" : "i");
    int ended = translate(c, number, language, comments, output, ignore);
    if (ignore) {
        source->ignores = ended || has_text(output);
    } else if (ended) {
        if (ended == WRAPPER_ERROR)
            process_die("the annotations of '%s' were not translated", source->file);
        process_end(ended);
    } else if (has_text(output)) {
        source->annotated = output;
        source->annotated_language = cxx ? "c++-cpp-output" : "cpp-output";
    }
}
