/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/command_line.h"

#include "base/shell_word.h"
#include "compile/wrapper_process.h"

#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- the table ----------------------------------------------------------------------------------- */

/* How an option is written: the word alone, with the next word as its value, with more in the same word, or one letter more. */
enum option_form { ALONE = 1, VALUE = 2, JOINED = 4, LETTER = 8 };

/* Which lists a word belongs to: all, the options of a compilation, the link. */
enum { IN_ALL = 1, IN_OPTIONS = 2, IN_LINK = 4, EVERYWHERE = 7 };

/* What becomes of a member: true, false, the word, or its value. */
enum effect_kind { NO_MEMBER, SET, UNSET, WORD, TEXT };

/* What an option means, and what it does to the command line: which lists its words belong to, the member that becomes true or false, the
 * word or its value, the mode, and a text that stands for the value. */
#define AT(member) offsetof(struct command_line, member)
#define MEANINGS(ROW)                                                                \
    ROW(NOTHING, EVERYWHERE, NO_MEMBER, 0, 0, NULL)                                  \
    ROW(OUTPUT, IN_ALL | IN_LINK, TEXT, AT(output), 0, NULL)                         \
    ROW(LANGUAGE, IN_ALL, NO_MEMBER, 0, 0, NULL)                                     \
    ROW(LIBRARY, IN_ALL | IN_LINK, NO_MEMBER, 0, 0, NULL)                            \
    ROW(SHOW, 0, SET, AT(shows), 0, NULL)                                            \
    ROW(PRODUCT, EVERYWHERE, WORD, AT(product), MODE_COMPILE, NULL)                  \
    ROW(SYNTAX, EVERYWHERE, TEXT, AT(product), MODE_COMPILE, "")                     \
    ROW(OTHER_PRODUCT, EVERYWHERE, TEXT, AT(product), 0, "")                         \
    ROW(PREPROCESS, EVERYWHERE, NO_MEMBER, 0, MODE_PREPROCESS, NULL)                 \
    ROW(QUESTION, EVERYWHERE, NO_MEMBER, 0, MODE_ASK, NULL)                          \
    ROW(LEVEL, EVERYWHERE, WORD, AT(level), 0, NULL)                                 \
    ROW(DEPENDENCIES, EVERYWHERE, SET, AT(dependencies), 0, NULL)                    \
    ROW(DEPENDENCY_FILE, IN_ALL | IN_OPTIONS, SET, AT(dependency_file), 0, NULL)     \
    ROW(DEPENDENCY_TARGET, IN_ALL | IN_OPTIONS, SET, AT(dependency_target), 0, NULL) \
    ROW(MACHINE, EVERYWHERE, NO_MEMBER, 0, 0, NULL)                                  \
    ROW(SANITIZE, 0, NO_MEMBER, 0, 0, NULL)                                          \
    ROW(NO_SANITIZE, EVERYWHERE, NO_MEMBER, 0, 0, NULL)                              \
    ROW(STATIC, EVERYWHERE, WORD, AT(static_link), 0, NULL)                          \
    ROW(RELOCATABLE, EVERYWHERE, SET, AT(relocatable), 0, NULL)                      \
    ROW(SHARED, EVERYWHERE, SET, AT(shared), 0, NULL)                                \
    ROW(SPLIT_DWARF, IN_ALL, SET, AT(split_dwarf), 0, NULL)                          \
    ROW(LTO, 0, SET, AT(lto), 0, NULL)                                               \
    ROW(NO_LTO, 0, UNSET, AT(lto), 0, NULL)                                          \
    ROW(LTO_DETAIL, 0, NO_MEMBER, 0, 0, NULL)                                        \
    ROW(MODULES, EVERYWHERE, NO_MEMBER, 0, 0, NULL)                                  \
    ROW(OLD_STANDARD, EVERYWHERE, SET, AT(old_delete), 0, NULL)

#define NAME(name, places, kind, member, mode, text) name,
enum option_meaning { MEANINGS(NAME) };

static const struct option_effect {
    unsigned places;
    enum effect_kind kind;
    size_t member;
    enum command_mode mode;
    const char *text; /* of TEXT; null: the value */
} option_effects[] = {
#define EFFECT(name, places, kind, member, mode, text) {places, kind, member, mode, text},
    MEANINGS(EFFECT)};

enum option_link { NEUTRAL, COMMON, OTHER };

static const struct option_row {
    const char *name;
    unsigned forms;
    enum option_meaning meaning;
    enum option_link link;
} option_rows[] = {
#define OPTION(name, forms, meaning, link) {name, forms, meaning, link},
#include "compile/option_table.inc"
#undef OPTION
    {"", JOINED, NOTHING, OTHER},
};

static bool fits(const struct option_row *row, const char *word, bool has_next)
{
    size_t length = strlen(row->name);
    if (strncmp(word, row->name, length) != 0)
        return false;
    if (!word[length])
        return (row->forms & ALONE) || ((row->forms & VALUE) && has_next);
    return (row->forms & JOINED) ||
           ((row->forms & LETTER) && !word[length + 1] && strchr("0123456789sgz", word[length]));
}

/* The last row fits every word. */
static const struct option_row *find_row(const char *word, bool has_next)
{
    const struct option_row *best = NULL;
    for (size_t k = 0; k < sizeof option_rows / sizeof *option_rows; k++)
        if (fits(&option_rows[k], word, has_next) &&
            (!best || strlen(option_rows[k].name) > strlen(best->name)))
            best = &option_rows[k];
    return best;
}

/* --- sources ------------------------------------------------------------------------------------- */

static bool ends_with_one_of(const char *file, const char *const *ends)
{
    for (; *ends; ends++)
        if (word_ends_with(file, *ends))
            return true;
    return false;
}

static const char *const cxx_ends[] = {".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C", NULL};
static const char *const assembly_ends[] = {".s", ".S", ".sx", NULL};
static const char *const module_ends[] = {".cppm", ".ixx", ".ccm", ".cxxm", ".c++m", NULL};

bool source_is_assembly(const char *file)
{
    return ends_with_one_of(file, assembly_ends);
}

static bool is_source(const char *file, const char *language)
{
    static const char *const others[] = {".c", ".i", ".ii", NULL};
    return *language || ends_with_one_of(file, cxx_ends) || ends_with_one_of(file, others) ||
           source_is_assembly(file);
}

const char *source_language(const struct command_line *line, const struct source *source)
{
    if (strcmp(source->file, "-") == 0)
        return NULL;
    if (strcmp(source->language, "c") == 0 || strcmp(source->language, "c++") == 0)
        return source->language;
    if (*source->language)
        return NULL;
    if (word_ends_with(source->file, ".c"))
        return line->cxx ? "c++" : "c";
    return ends_with_one_of(source->file, cxx_ends) ? "c++" : NULL;
}

/* --- response files ------------------------------------------------------------------------------ */

/* The words of a response file: separated by white space, with quotes and backslashes as in a shell. */
static struct words read_response(const char *path)
{
    OWNED struct text text = {0};
    struct words words = {0};
    if (!text_add_file(&text, path))
        process_die("%s cannot be read", path);
    struct text word = {0};
    bool begun = false;
    char quote = 0;
    for (const char *at = text.data ? text.data : ""; *at; at++) {
        bool space = strchr(" \t\n\r\f\v", *at);
        if (*at == '\\' && at[1])
            text_add(&word, ++at, 1), begun = true;
        else if (quote && *at == quote)
            quote = 0;
        else if (!quote && (*at == '\'' || *at == '"'))
            quote = *at, begun = true;
        else if (quote || !space)
            text_add(&word, at, 1), begun = true;
        else if (begun)
            words_add(&words, word.len ? text_take(&word) : ""), begun = false;
    }
    if (quote)
        process_die("%s: a quote is not closed", path);
    if (begun)
        words_add(&words, word.len ? text_take(&word) : "");
    return words;
}

/* Would a response file with this word change what has to be done? Others are passed on as they are. */
static bool matters(const char *word)
{
    if (*word == '@')
        return true;
    if (*word == '-' && word[1])
        return find_row(word, true)->meaning != NOTHING && find_row(word, true)->meaning != LIBRARY;
    return is_source(word, "") || ends_with_one_of(word, module_ends);
}

static bool is_response(const char *word)
{
    struct stat facts;
    return word[0] == '@' && word[1] && access(word + 1, R_OK) == 0 && stat(word + 1, &facts) == 0 &&
           !S_ISDIR(facts.st_mode);
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as response files name one another */
static void expand(struct words *to, const char *word, unsigned depth)
{
    enum { DEPTH_MAX = 16 };
    if (!is_response(word)) {
        words_add(to, word);
        return;
    }
    if (depth == DEPTH_MAX)
        process_die("%s: response files include one another", word);
    struct words words = read_response(word + 1);
    bool found = false;
    for (size_t i = 0; i < words.list.len; i++)
        found |= matters(words.list.data[i]);
    for (size_t i = 0; found && i < words.list.len; i++)
        expand(to, words.list.data[i], depth + 1);
    if (!found)
        words_add(to, word);
}

/* --- meanings ------------------------------------------------------------------------------------ */

/* What checks report are calls of functions that the runtime has; the refused sanitizers need more than that. */
static void note_sanitizer(struct command_line *line, const char *one)
{
    static const char *const refused[] = {"address",           "hwaddress", "leak",     "memory",
                                          "dataflow",          "vptr",      "function", "safe-stack",
                                          "shadow-call-stack", NULL};
    static const char *const refused_kinds[] = {"kernel", "cfi", "fuzzer"};
    bool is_refused = text_is_one_of(one, refused);
    for (size_t k = 0; k < sizeof refused_kinds / sizeof *refused_kinds; k++)
        is_refused |= text_starts_with(one, refused_kinds[k]);
    if (strcmp(one, "thread") == 0)
        return;
    if (is_refused && !line->refused)
        line->refused = one;
    line->undefined |= strcmp(one, "undefined") == 0;
    words_add(&line->checks, one);
}

static void note_sanitizers(struct command_line *line, const char *list)
{
    for (const char *end; *list; list = *end ? end + 1 : end) {
        end = strchrnul(list, ',');
        if (end > list)
            note_sanitizer(line, base_strndup(list, (size_t)(end - list)));
    }
}

static void refuse_removal(const char *word)
{
    if (strstr(word, "thread") || strcmp(word, "-fno-sanitize=all") == 0)
        process_die("%s would turn the instrumentation off", word);
}

static bool has(const char *word, const char *value, const char *part)
{
    return strstr(word, part) || strstr(value, part);
}

static _Noreturn void refuse_modules(const char *word)
{
    process_die("%s: modules of C++20 are not supported: compile the program with #include", word);
}

static void note_option(struct command_line *line, const struct option_row *row, const char *word,
                        const char *value)
{
    const struct option_effect *effect = &option_effects[row->meaning];
    char *member = (char *)line + effect->member;
    if (effect->kind == SET || effect->kind == UNSET)
        *(bool *)member = effect->kind == SET;
    if (effect->kind == WORD || effect->kind == TEXT)
        *(const char **)member = effect->kind == WORD ? word : effect->text ? effect->text : value;
    if (effect->mode > line->mode)
        line->mode = effect->mode;
    if (row->meaning == MODULES)
        refuse_modules(word);
    if (row->meaning == SANITIZE)
        note_sanitizers(line, value);
    if (row->meaning == NO_SANITIZE)
        refuse_removal(word);
    line->inputs += row->meaning == LIBRARY;
    line->common_link &= row->link != OTHER;
    line->version_script |= has(word, value, "version-script");
    line->assertions_chosen |= has(word, value, "_GLIBCXX_ASSERTIONS");
}

static void add_word(struct command_line *line, const struct option_row *row, const char *word)
{
    unsigned places = option_effects[row->meaning].places;
    if (places & IN_ALL)
        words_add(&line->all, word);
    if (places & IN_OPTIONS)
        words_add(&line->options, word);
    if (places & IN_LINK)
        vec_push(&line->link, ((struct link_word){word, 0, row->link == NEUTRAL}));
}

/* True: with the next word. */
static bool read_option(struct command_line *line, const char *word, const char *next, const char **language)
{
    const struct option_row *row = find_row(word, next != NULL);
    size_t length = strlen(row->name);
    bool takes = next && !word[length] && (row->forms & VALUE);
    const char *value = takes ? next : word + length;
    note_option(line, row, word, value);
    if (row->meaning == LANGUAGE)
        *language = strcmp(value, "none") == 0 ? "" : value;
    add_word(line, row, word);
    if (takes)
        add_word(line, row, value);
    if (row->meaning == MACHINE)
        words_add(&line->machine, word);
    if (row->meaning == MACHINE && takes)
        words_add(&line->machine, value);
    return takes;
}

static void read_input(struct command_line *line, const char *file, const char *language)
{
    line->inputs++;
    words_add(&line->all, file);
    if (ends_with_one_of(file, module_ends) || strcmp(language, "c++-module") == 0)
        refuse_modules(file);
    if (!is_source(file, language)) {
        line->common_link &= *file != '@';
        vec_push(&line->link, ((struct link_word){.text = file}));
        return;
    }
    if (strpbrk(file, "\n\r")) {
        OWNED struct text shown = {0};
        shell_add_word(&shown, file);
        process_die("the name%s has an end of line, which compilers write into the middle of one",
                    shown.data);
    }
    line->assembly |= source_is_assembly(file);
    vec_push(&line->link, ((struct link_word){.source = line->sources.len}));
    vec_push(&line->sources, ((struct source){.file = file, .language = language}));
}

static bool makes_headers(const struct command_line *line)
{
    for (size_t i = 0; i < line->sources.len; i++)
        if (!ends_with_one_of(line->sources.data[i].language, (const char *const[]){"-header", NULL}))
            return false;
    return line->sources.len == line->inputs;
}

struct command_line command_line_read(const char *name, int count, char **arguments)
{
    struct command_line line = {.name = name, .cxx = strstr(name, "++"), .common_link = true};
    struct words words = {0};
    const char *language = "";
    for (int i = 0; i < count; i++)
        expand(&words, arguments[i], 0);
    for (size_t i = 0; i < words.list.len; i++) {
        const char *word = words.list.data[i], *next = i + 1 < words.list.len ? words.list.data[i + 1] : NULL;
        if (word[0] == '-' && word[1])
            i += read_option(&line, word, next, &language);
        else
            read_input(&line, word, language);
    }
    if (line.mode == MODE_LINK && line.inputs && makes_headers(&line)) /* to be precompiled */
        line.mode = MODE_COMPILE;
    return line;
}
