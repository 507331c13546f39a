/* SPDX-License-Identifier: Apache-2.0 */
/* Harnesses that the user's compiler builds as it is: for real threads (docs/internals/native/stress.md), and to be proved
 * (docs/internals/refine/prove.md). */
#include "base/text.h"
#include "target/build.h"
#include "target/compilers.h"
#include "target/code/elf_file.h"
#include "target/leftovers.h"
#include "target/tool_command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define STRESS_LIBRARY "libplumb-stress.a"
#define NOISE_LIBRARY "libplumb-noise.a"
#define PROVE_LIBRARY "libplumb-prove.so"
#define CALLS "calls" /* of the folder: options by which functions stay calls */
#define NO_LIBRARY "%s was not found near this program: is the installation complete?"

struct native_build {
    const struct target_source *source;
    struct target_program *program;
    bool proves;
    char *headers, *library, *noise; /* noise: null when none is wanted */
    char *wrapper, *instrument;      /* plumb-cc, plumb-instrument, where something is proved */
    VEC(char *) objects;             /* of each file, where hooks are wanted */
    struct words environment;
    bool cxx, is_clang;
};

static bool check_files(const struct target_source *source, struct diagnostic *why)
{
    if (source->file_count == 0)
        return diagnostic_set(why, PL_USAGE, 0, 0, "no file to run was named");
    for (size_t i = 0; i < source->file_count; i++) {
        struct elf_facts facts;
        if (!elf_read_file(source->files[i], STRESS_LIBRARY, &facts))
            return command_cannot_open(why, source->files[i]);
        if (!command_takes_file(source->files[i], why))
            return false;
        if (facts.is_executable)
            return command_fail(why, source->files[i], PL_USAGE,
                                "this is a program already; the sources of a harness are needed, which are "
                                "compiled without plumb-cc's instrumentation (plumb/record.h is for programs "
                                "with a main of their own)");
    }
    return true;
}

static char *find_library(const char *folder, const char *name)
{
    struct text path = {0};
    text_printf(&path, "%s/../lib/%s", folder, name);
    if (access(path.data, R_OK) == 0)
        return text_take(&path);
    text_free(&path);
    return NULL;
}

static bool has_hooks(const struct native_build *b)
{
    return b->noise || b->proves;
}

static bool find_parts(struct native_build *b, bool noise, struct diagnostic *why)
{
    const char *library = b->proves ? PROVE_LIBRARY : STRESS_LIBRARY;
    OWNED char *tools = command_own_folder();
    if (!tools)
        return command_fail_homeless(why);
    b->headers = command_find_headers(tools);
    b->library = find_library(tools, library);
    b->noise = noise ? find_library(tools, NOISE_LIBRARY) : NULL;
    b->wrapper = command_find_tool(tools, "plumb-cc", X_OK);
    b->instrument = command_find_tool(tools, "plumb-instrument", X_OK);
    if (!b->headers)
        return diagnostic_set(why, PL_BUILD, 0, 0, NO_LIBRARY, "plumb.h");
    if (b->proves && !b->wrapper)
        return diagnostic_set(why, PL_BUILD, 0, 0, NO_LIBRARY, "plumb-cc");
    if (!b->library || (noise && !b->noise))
        return diagnostic_set(why, PL_BUILD, 0, 0, NO_LIBRARY, b->library ? NOISE_LIBRARY : library);
    return true;
}

static void begin_command(const struct native_build *b, struct words *command)
{
    command_add_compiler(command, b->cxx);
    command_add_word(command, "%s", b->proves ? "-O1" : "-O2");
    command_add_word(command, "%s", "-g");
    command_add_word(command, "-I%s", b->headers);
}

/* As plumb-cc has it: C++ without -std is C++17 to gcc, and to clang from 16 on. */
static void add_dialect(const struct native_build *b, struct words *command, const char *const *files,
                        size_t count)
{
    bool is_cxx = b->cxx && strstr(compiler_name(true), "clang");
    for (size_t i = 0; i < count; i++)
        is_cxx &= !command_has_suffix(files[i], ".c");
    if (is_cxx)
        command_add_word(command, "%s", "-std=gnu++17");
}

/* C files stay C when the C++ compiler has to link. */
static void add_file(const struct native_build *b, struct words *command, const char *file)
{
    bool is_c = b->cxx && command_has_suffix(file, ".c");
    if (is_c)
        command_add_word(command, "%s", "-xc");
    command_add_word(command, *file == '-' || *file == '@' ? "./%s" : "%s", file);
    if (is_c)
        command_add_word(command, "%s", "-xnone");
}

static void add_flags(const struct native_build *b, struct words *command)
{
    for (size_t i = 0; i < b->source->flag_count; i++)
        command_add_word(command, "%s", b->source->flags[i]);
}

static bool run(const struct native_build *b, struct words *command)
{
    vec_push(&command->list, NULL);
    bool fine = command_run(command, &b->environment, b->source->silent) == 0;
    command_free(command);
    return fine;
}

static bool run_silently(const struct native_build *b, struct words *command)
{
    vec_push(&command->list, NULL);
    bool fine = command_run(command, &b->environment, true) == 0;
    command_free(command);
    return fine;
}

static void add_words(struct words *command, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        command_add_word(command, "%s", list[i]);
}
#define ADD_WORDS(command, list) add_words(command, list, sizeof(list) / sizeof *(list))

/* The first iteration of a loop is no copy of the others. */
static const char *const clang_flags[] = {"-mllvm", "-rotation-max-header-size=0"};

/* Does the compiler take these? gcc does not. */
static bool takes_clang_flags(const struct native_build *b)
{
    struct words command = {0};
    begin_command(b, &command);
    ADD_WORDS(&command, clang_flags);
    static const char *const nothing[] = {"-E", "-xc", "/dev/null", "-o", "/dev/null"};
    ADD_WORDS(&command, nothing);
    return run_silently(b, &command);
}

/* Frames that can be followed, and nothing in them that is not the program's. What the compiler wrote is kept, to look for inline assembly (which clang
 * would assemble with warnings about the checksums of newer debug information). */
static void add_proving_flags(struct words *command)
{
    static const char *const flags[] = {
        "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls",
        "-fno-stack-protector",    "-fcf-protection=none",
        "-save-temps=obj",         "-gdwarf-4",
        "-frecord-gcc-switches",   "-fno-lto"}; /* else hooks would come when it is linked, if at all */
    ADD_WORDS(command, flags);
}

static void add_output(struct words *command, const char *file)
{
    command_add_word(command, "%s", "-o");
    command_add_word(command, "%s", file);
}

/* --- what compilers do not announce (docs/internals/engine/compiling.md) ----------------------------------------------------- */

/* gcc: as little as possible; what is left is named with the verdict. */
static void keep_calls(const struct native_build *b, struct words *command)
{
    command_add_word(command, "@%s/" CALLS, b->program->folder);
    command_add_word(command, "%s", "-mstringop-strategy=libcall");
    command_add_word(command, "%s", "-fno-tree-loop-distribute-patterns");
}

/* Those of which gcc would make instructions: plumb-cc has the list. */
static bool list_calls(const struct native_build *b)
{
    struct words command = {0};
    command_add_word(&command, "%s", b->wrapper);
    command_add_word(&command, "%s", "--plumb-calls");
    command_add_word(&command, "%s/" CALLS, b->program->folder);
    return run(b, &command);
}

/* Flags that are about sources, of which nothing is left. */
static void add_flags_of_code(const struct native_build *b, struct words *command)
{
    static const char *const headers[] = {"-include", "-imacros", "-MF", "-MT", "-MQ", "-x"};
    for (size_t i = 0; i < b->source->flag_count; i++) {
        bool skips = strncmp(b->source->flags[i], "-M", 2) == 0;
        for (size_t k = 0; k < sizeof headers / sizeof *headers && !skips; k++)
            if (strcmp(b->source->flags[i], headers[k]) == 0)
                skips = ++i;
        if (!skips)
            command_add_word(command, "%s", b->source->flags[i]);
    }
}

/* The user's, as the last one counts. */
static const char *find_level(const struct native_build *b)
{
    const char *level = "-O1";
    for (size_t i = 0; i < b->source->flag_count; i++)
        if (strncmp(b->source->flags[i], "-O", 2) == 0)
            level = b->source->flags[i];
    return level;
}

/* clang: bitcode is optimised and instrumented, and becomes an object as it is. */
static bool instrument(const struct native_build *b, const char *code, const char *object)
{
    struct words words = {0}, command = {0};
    struct text instrumented = {0};
    text_printf(&instrumented, "%s.instrumented.bc", object);
    command_add_word(&words, "%s", b->instrument);
    command_add_word(&words, "%s", "--accesses");
    command_add_word(&words, "%s", "--bitcode");
    command_add_word(&words, "%s", find_level(b));
    ADD_WORDS(&words, clang_flags);
    command_add_word(&words, "%s", code);
    add_output(&words, instrumented.data);
    begin_command(b, &command);
    add_flags_of_code(b, &command);
    add_proving_flags(&command);
    static const char *const flags[] = {
        "-Wno-unused-command-line-argument", "-Xclang", "-disable-llvm-passes", "-c", "-x", "ir"};
    ADD_WORDS(&command, flags);
    command_add_word(&command, "%s", instrumented.data);
    add_output(&command, object);
    bool fine = run(b, &words) && run(b, &command);
    text_free(&instrumented);
    return fine;
}

/* With hooks of the thread sanitizer, which our library answers: so its own runtime must not be linked. */
static bool compile(struct native_build *b, const char *file)
{
    struct words command = {0};
    struct text object = {0}, code = {0};
    text_printf(&object, "%s/%zu.o", b->program->folder, b->objects.len);
    text_printf(&code, "%s.bc", object.data);
    bool has_steps = b->proves && b->is_clang;
    begin_command(b, &command);
    add_dialect(b, &command, &file, 1);
    add_flags(b, &command);
    if (!has_steps)
        command_add_word(&command, "%s", "-fsanitize=thread");
    if (b->proves)
        add_proving_flags(&command);
    if (b->proves && !b->is_clang)
        keep_calls(b, &command);
    command_add_word(&command, "%s", "-c");
    if (has_steps) {
        /* the last one: variables of libraries become the program's, as gcc has them */
        static const char *const translate[] = {"-emit-llvm", "-Xclang", "-disable-llvm-passes",
                                                "-fdirect-access-external-data"};
        ADD_WORDS(&command, translate);
    }
    add_file(b, &command, file);
    add_output(&command, has_steps ? code.data : object.data);
    bool fine = run(b, &command) && (!has_steps || instrument(b, code.data, object.data));
    vec_push(&b->objects, text_take(&object));
    text_free(&code);
    return fine;
}

/* What libraries have compiled, without hooks, and we have as sources: names by which an object file refers to it, of C++ parts of them. Those of C
 * also stand among the options that it records, but not with a zero behind them. */
static const struct own_source {
    const char *file;
    bool is_cxx;
    const char *names[6];
} own_sources[] = {
    {"containers.cpp", true, {"_List_node_base", "_Rb_tree_", "_Prime_rehash_policy"}},
    {"functions.c", false, {"qsort", "bsearch", "memcmp", "strlen", "strcmp", "strncmp"}},
};

static bool is_named(const struct native_build *b, const struct own_source *own)
{
    bool named = false;
    for (size_t i = 0; i < b->source->file_count; i++) {
        struct text object = {0};
        bool is_read = text_add_file(&object, b->objects.data[i]);
        for (size_t k = 0; is_read && k < sizeof own->names / sizeof *own->names && own->names[k]; k++)
            named |=
                memmem(object.data, object.len, own->names[k], strlen(own->names[k]) + !own->is_cxx) != NULL;
        text_free(&object);
    }
    return named;
}

/* Compiled with the harness, without its flags. If that does not work these functions are refused by name, when they are called. */
static void compile_own(struct native_build *b, const struct own_source *own)
{
    static const char *const flags[] = {"-fno-builtin"};
    struct target_source without = {.flags = flags, .flag_count = 1, .silent = true};
    const struct target_source *given = b->source;
    struct text file = {0};
    text_printf(&file, "%s/plumb/compiled/%s", b->headers, own->file);
    b->source = &without;
    if (compile(b, file.data))
        b->program->has_own_functions = true;
    else
        free(vec_pop(&b->objects));
    b->source = given;
    text_free(&file);
}

static void compile_all_own(struct native_build *b)
{
    for (size_t i = 0; i < sizeof own_sources / sizeof *own_sources; i++)
        if ((b->cxx || !own_sources[i].is_cxx) && is_named(b, &own_sources[i]))
            compile_own(b, &own_sources[i]);
}

/* The library is found where it is now, and all calls are bound when the program starts: then they are taken over. */
static void add_library_path(const struct native_build *b, struct words *command)
{
    OWNED char *folder = base_strndup(b->library, strlen(b->library) - strlen("/" PROVE_LIBRARY));
    command_add_word(command, "-Wl,-rpath,%s", folder);
    command_add_word(command, "%s", "-Wl,-z,now");
}

static bool link_program(const struct native_build *b)
{
    struct words command = {0};
    begin_command(b, &command);
    if (!has_hooks(b))
        add_dialect(b, &command, b->source->files, b->source->file_count);
    for (size_t i = 0; i < b->objects.len; i++)
        command_add_word(&command, "%s", b->objects.data[i]);
    for (size_t i = 0; !has_hooks(b) && i < b->source->file_count; i++)
        add_file(b, &command, b->source->files[i]);
    if (b->noise)
        command_add_word(&command, "%s", b->noise);
    command_add_word(&command, "%s", b->library);
    if (b->proves)
        add_library_path(b, &command);
    add_flags(b, &command);
    if (b->proves)
        command_add_word(&command, "%s", "-fno-lto");
    command_add_word(&command, "%s", "-pthread");
    command_add_word(&command, "%s", "-o");
    command_add_word(&command, "%s", b->program->path);
    return run(b, &command);
}

static bool build(struct native_build *b, struct diagnostic *why)
{
    b->is_clang = b->proves && takes_clang_flags(b);
    if (b->is_clang && !b->instrument)
        return diagnostic_set(why, PL_BUILD, 0, 0, NO_LIBRARY, "plumb-instrument");
    bool fine = !b->proves || b->is_clang || list_calls(b);
    for (size_t i = 0; has_hooks(b) && fine && i < b->source->file_count; i++)
        fine = compile(b, b->source->files[i]);
    if (fine && b->proves)
        compile_all_own(b);
    if (!fine || !link_program(b))
        return command_fail_to_build(why, b->source->files[0], "the harness does not build");
    if (access(b->program->path, X_OK) != 0)
        return command_fail(why, b->source->files[0], PL_BUILD,
                            "the compiler made no program; does a flag stop it early?");
    if (b->proves && !compiled_read_file(&b->program->record, b->program->path))
        return command_fail(why, b->source->files[0], PL_BUILD, "the program cannot be read");
    return true;
}

static bool prepare(struct native_build *b, bool noise, struct diagnostic *why)
{
    struct text path = {0};
    if (!find_parts(b, noise, why))
        return false;
    b->program->folder = leftovers_make_folder();
    if (!b->program->folder)
        return diagnostic_set(why, PL_BUILD, 0, 0, "cannot make a temporary folder: %s", strerror(errno));
    text_printf(&path, "%s/program", b->program->folder);
    b->program->path = text_take(&path);
    b->environment = command_environment(b->source, b->program->folder, NULL);
    return true;
}

static void free_build(struct native_build *b)
{
    for (size_t i = 0; i < b->objects.len; i++)
        free(b->objects.data[i]);
    vec_free(&b->objects);
    command_free(&b->environment);
    free(b->headers);
    free(b->library);
    free(b->noise);
    free(b->wrapper);
    free(b->instrument);
}

static struct target_program *build_program(const struct target_source *source, bool noise, bool proves,
                                            struct diagnostic *why)
{
    *why = (struct diagnostic){0};
    if (!check_files(source, why))
        return NULL;
    struct native_build b = {.source = source,
                             .program = NEW(struct target_program),
                             .proves = proves,
                             .cxx = target_is_cxx(source)};
    bool fine = prepare(&b, noise, why) && build(&b, why);
    free_build(&b);
    if (fine)
        return b.program;
    target_program_free(b.program);
    return NULL;
}

struct target_program *target_build_native(const struct target_source *source, bool noise,
                                           struct diagnostic *why)
{
    return build_program(source, noise, false, why);
}

struct target_program *target_build_proved(const struct target_source *source, struct diagnostic *why)
{
    return build_program(source, false, true, why);
}
