/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/flags.h"

#include "compile/wrapper_process.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define ADD(words, array) words_add_array(words, array, COUNT(array))

/* gcc would make instructions of these after the instrumentation, and always does of those that _FORTIFY_SOURCE makes of
 * them. */
void flags_add_calls(struct words *words)
{
    static const char *const calls[] = {
        "-fno-builtin-memcpy",  "-fno-builtin-memset", "-fno-builtin-memmove", "-fno-builtin-mempcpy",
        "-fno-builtin-memcmp",  "-fno-builtin-memchr", "-fno-builtin-bzero",   "-fno-builtin-bcmp",
        "-fno-builtin-bcopy",   "-fno-builtin-strcpy", "-fno-builtin-strncpy", "-fno-builtin-stpcpy",
        "-fno-builtin-stpncpy", "-fno-builtin-strcat", "-fno-builtin-strcmp",  "-fno-builtin-strncat",
        "-fno-builtin-strncmp", "-fno-builtin-strlen", "-fno-builtin-strchr",  "-fno-builtin-strrchr",
        "-fno-builtin-strstr"};
    ADD(words, calls);
}

/* Of these gcc makes calls of the others, or nothing. clang drops a realloc whose result is only freed. */
static void keep_functions(struct words *words)
{
    static const char *const functions[] = {
        "-fno-builtin-index",   "-fno-builtin-rindex",      "-fno-builtin-strcasecmp",
        "-fno-builtin-strdup",  "-fno-builtin-strncasecmp", "-fno-builtin-strndup",
        "-fno-builtin-strnlen", "-fno-builtin-strspn",      "-fno-builtin-strcspn",
        "-fno-builtin-strpbrk", "-fno-builtin-sprintf",     "-fno-builtin-snprintf",
        "-fno-builtin-realloc"};
    ADD(words, functions);
}

/* __builtin_memcpy and its like, as C++ headers call them, cannot be turned off. With a length that gcc does not know they
 * are calls, too; so are those of a string or into an object of which it does not know the size. */
static void hide_lengths(struct words *words)
{
#define ZERO \
    "__extension__({ __SIZE_TYPE__ plumb_zero = 0; __asm__(\"\" : \"+r\"(plumb_zero)); plumb_zero; })"
    static const char *const functions[] = {
        "memcpy",       "memset",        "memmove",       "mempcpy",       "bcopy",        "bzero",
        "strcpy",       "strncpy",       "stpcpy",        "stpncpy",       "strcat",       "strncat",
        "__memcpy_chk", "__memset_chk",  "__memmove_chk", "__mempcpy_chk", "__strcpy_chk", "__strncpy_chk",
        "__stpcpy_chk", "__stpncpy_chk", "__strcat_chk",  "__strncat_chk"};
    for (size_t k = 0; k < COUNT(functions); k++) /* template arguments have commas, too */
        words_add(words, word_print("-D__builtin_%s(...)=__builtin_%s(__VA_ARGS__ + " ZERO ")", functions[k],
                                    functions[k]));
    static const char *const printing[] = {
        "-D__builtin_sprintf(to, ...)=__builtin_sprintf(to, " ZERO " + __VA_ARGS__)",
        "-D__builtin_snprintf(to, n, ...)=__builtin_snprintf(to, n, " ZERO " + __VA_ARGS__)",
        "-D__builtin___sprintf_chk(to, flag, size, ...)=__builtin___sprintf_chk(to, flag, size, " ZERO
        " + __VA_ARGS__)",
        "-D__builtin___snprintf_chk(to, n, flag, size, ...)=__builtin___snprintf_chk(to, n, flag, size, " ZERO
        " + __VA_ARGS__)",
        "-Wno-parentheses",
        "-Wno-variadic-macros"}; /* the user did not write that */
    ADD(words, printing);
}

/* Functions that ask not to be instrumented are, all the same: what they ask becomes something that does not matter here. And
 * libraries compile other code where they see a sanitizer. clang does not know that its code is instrumented. */
static void hide_sanitizer(struct words *words, const struct compiler *compiler)
{
    static const char *const spared[] = {"-Dno_sanitize(...)=no_sanitize(\"address\")",
                                         "-D__no_sanitize__(...)=no_sanitize(\"address\")",
                                         "-Dno_sanitize_thread=no_sanitize_address",
                                         "-D__no_sanitize_thread__=no_sanitize_address",
                                         "-Ddisable_sanitizer_instrumentation=no_sanitize_address",
                                         "-U__SANITIZE_THREAD__"};
    static const char *const features[] = {
        "-Wno-macro-redefined",
        "-Wno-builtin-macro-redefined",
        "-D__has_feature(x)=plumb_pick(plumb_hides_##x, __has_extension(x), 0)",
        "-Dplumb_pick(...)=plumb_second(__VA_ARGS__)",
        "-Dplumb_second(a, b, ...)=b",
        "-Dplumb_hides_thread_sanitizer=, 0",
        "-Dplumb_hides___thread_sanitizer__=, 0"};
    words_add(words, "-D_GLIBCXX_TSAN=1"); /* libstdc++ shall see one: its own macro says so */
    if (compiler->clang)
        return;
    ADD(words, spared);
    if (compiler->version >= 14)
        ADD(words, features);
}

/* gcc instruments after most of its passes on trees. These are the ones before it that drop what is not needed, read once
 * what is read twice, read a structure that is copied twice, and move accesses to where they are needed. */
static void keep_accesses(struct words *words)
{
    static const char *const kept[] = {
        "-O1", "-ftrack-macro-expansion=0", /* a mistake in a harness is where the user wrote it */
        "-fno-tree-dce", "-fno-tree-dse", "-fno-tree-fre", "-fno-tree-dominator-opts", "-fno-tree-sink",
        "-fno-tree-sra", "-fno-ipa-pure-const", "-fno-ipa-reference", "-fno-ipa-reference-addressable",
        /* these drop calls of strlen and the like whose result is not used, as headers declare them to be pure */
        "-fno-dce", "-D__pure__=__unused__",
        /* a function with variables in memory keeps a frame of its own, which is dead when it has returned */
        "-fno-early-inlining", "--param", "large-stack-frame=0", "--param", "large-stack-frame-growth=0"};
    ADD(words, kept);
}

/* These invent reads, and so races: of the second operand of a || b, of what a loop reads on some condition, of both of two
 * neighbours. Not even an -O of the user gets them. */
static void invent_no_accesses(struct words *words)
{
    static const char *const invented[] = {"-fno-tree-reassoc", "-fno-tree-loop-im", "-fno-tree-cselim",
                                           "-fno-ipa-sra", "-fno-hoist-adjacent-loads"};
    ADD(words, invented);
}

/* Bounds of arrays and of objects that the compiler knows, functions that end without their return: the compiler adds
 * comparisons and calls of the runtime, no accesses. */
static void choose_checks(struct words *words, const struct command_line *line,
                          const struct compiler *compiler)
{
    OWNED struct text list = {0};
    text_puts(&list, "-fsanitize=bounds,return,unreachable,integer-divide-by-zero");
    /* gcc needs no optimisation for this one; clang does, and leaves traps where gcc calls the runtime */
    if (!compiler->clang)
        text_puts(&list, ",object-size");
    for (size_t i = 0; i < line->checks.list.len; i++)
        text_printf(&list, ",%s", line->checks.list.data[i]);
    words_add(words, text_take(&list));
    if (line->undefined)
        words_add(words, "-fno-sanitize=vptr");
    if (line->undefined && compiler->clang) /* gcc has no such check */
        words_add(words, "-fno-sanitize=function");
}

/* clang only translates: plumb-instrument adds the calls of the runtime to its bitcode, optimises, and writes the object. */
static void choose_steps(struct flags *flags, const struct command_line *line, const struct homes *homes)
{
    const char *instrument = homes_tool(homes, "plumb-instrument");
    if (!instrument)
        process_die("plumb-instrument, which instruments what clang compiles, was not found: was Plumbline "
                    "built with LLVM?");
    words_add(&flags->instrument, instrument);
    /* strlen and the like stay calls; markers of the lives of variables; names, which errors tell */
    WORDS_ADD(&flags->first, "-D__pure__=__unused__", "-Xclang", "-fsanitize-address-use-after-scope",
              "-fno-discard-value-names");
    if (line->level) {
        WORDS_ADD(&flags->last, "-Xclang", "-disable-llvm-passes");
        words_add(&flags->instrument, line->level);
    } else {
        WORDS_ADD(&flags->first, "-O0", "-Xclang", "-disable-O0-optnone");
    }
}

/* Inline assembly of gcc, and files of assembly, are marked by our assembler, plumb-as; nothing of the program's may lie below
 * the stack pointer when it is run. */
static void mark_assembly(struct flags *flags, const struct command_line *line,
                          const struct compiler *compiler, const struct homes *homes)
{
    const char *assembler = homes_tool(homes, "plumb-as");
    words_add(&flags->last, "-mno-red-zone");
    if (assembler)
        flags->prefix = word_print("-B%.*s", (int)(strlen(assembler) - strlen("as")), assembler);
    if (compiler->clang && !line->assembly)
        return;
    if (!assembler)
        process_die("plumb-as, which marks inline assembly, was not found near %s", homes->real);
    words_add(&flags->first, flags->prefix);
    if (compiler->clang)
        words_add(&flags->first, "-fno-integrated-as");
}

static void choose_for_gcc(struct flags *flags, const struct command_line *line,
                           const struct compiler *compiler)
{
    /* each variable has a place of its own on the stack; the warning: fences are seen, by us */
    WORDS_ADD(&flags->last, "-fsanitize=thread", "-fstack-reuse=none", "-Wno-tsan", "--param",
              "tsan-distinguish-volatile=1");
    invent_no_accesses(&flags->first);
    if (!line->level)
        keep_accesses(&flags->first);
    if (compiler->x86)
        words_add(&flags->last, "-mstringop-strategy=libcall");
    hide_lengths(&flags->last);
}

/* C++ without -std is C++17 to gcc, and to clang from 16 on. Not if there is C, which has no such dialect. */
static bool lacks_dialect(const struct command_line *line, const struct compiler *compiler)
{
    bool lacks = compiler->clang && line->sources.len;
    for (size_t i = 0; lacks && i < line->sources.len; i++) {
        const char *language = source_language(line, &line->sources.data[i]);
        lacks = (language && strcmp(language, "c++") == 0) ||
                strcmp(line->sources.data[i].language, "c++-header") == 0;
    }
    return lacks;
}

struct flags flags_choose(const struct command_line *line, const struct compiler *compiler,
                          const struct homes *homes, const char *headers)
{
    struct flags flags = {.ignored = compiler->clang ? "-DPLUMB_ANNOTATIONS_IGNORED" : "-fno-profile-values"};
    struct words *first = &flags.first, *last = &flags.last;
    words_add(first, "-g");
    if (lacks_dialect(line, compiler))
        words_add(first, "-std=gnu++17");
    /* a variable without an initial value holds a pattern: a read of it is a read of what was never written */
    if (compiler->clang || compiler->version >= 12)
        words_add(first, "-ftrivial-auto-var-init=pattern");
    WORDS_ADD(last, "-fno-optimize-sibling-calls", "-fstack-clash-protection", "-fno-omit-frame-pointer");
    flags_add_calls(last);
    keep_functions(last);
    WORDS_ADD(last, "-U_FORTIFY_SOURCE", "-frecord-gcc-switches"); /* which results tell */
    if (line->lto)
        words_add(last, "-fno-lto"); /* what was asked for and is not done */
    hide_sanitizer(last, compiler);
    if (!line->assertions_chosen)
        words_add(first, "-D_GLIBCXX_ASSERTIONS");
    if (compiler->clang && !line->old_delete)
        words_add(first, "-fsized-deallocation");
    /* 16-byte atomics are announced when the instruction may be used. */
    if (compiler->x86)
        words_add(last, "-mcx16");
    if (compiler->clang && line->assembly)
        words_add(last, "-Wno-unused-command-line-argument");
    if (!compiler->clang)
        choose_for_gcc(&flags, line, compiler);
    choose_checks(last, line, compiler);
    /* first, before any libstdc++ and the compiler's own: see the headers there */
    words_add(first, word_print("-I%s/plumb/libstdc++", headers));
    words_add(first, word_print("-I%s/plumb/compiler", headers));
    words_add(last, word_print("-I%s", headers));
    if (compiler->x86)
        mark_assembly(&flags, line, compiler, homes);
    if (compiler->clang)
        choose_steps(&flags, line, homes);
    return flags;
}
