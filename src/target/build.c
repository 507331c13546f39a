/* SPDX-License-Identifier: Apache-2.0 */
#include "target/build.h"

#include "base/text.h"
#include "base/vec.h"
#include "target/code/compiled.h"
#include "target/code/elf_file.h"
#include "target/leftovers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define RUNTIME "libplumb-rt.so"

/* The exit code of plumb-cc when annotations are wrong; compilers end with 1. */
enum { WRAPPER_ANNOTATIONS = 2 };

/* A command line or an environment: its strings are owned, the last pointer is null once it is closed. */
struct words {
    VEC(char *) list;
};

static void add_word(struct words *words, const char *format, const char *text)
{
    struct text word = {0};
    text_printf(&word, format, text);
    vec_push(&words->list, text_take(&word));
}

static void free_words(struct words *words)
{
    for (size_t i = 0; i < words->list.len; i++)
        free(words->list.data[i]);
    vec_free(&words->list);
}

static bool fail_about(struct diagnostic *why, const char *file, int code, const char *message)
{
    snprintf(why->file, sizeof why->file, "%s", file);
    return diagnostic_set(why, code, 0, 0, "%s", message);
}

/* --- where the tools are ------------------------------------------------------------------------- */

/* The folder of this very program. */
static char *own_folder(void)
{
    char *path = realpath("/proc/self/exe", NULL);
    char *slash = path ? strrchr(path, '/') : NULL;
    if (slash)
        *slash = 0;
    return path;
}

/* Next to the program when installed; in the source tree when it stands in one of its build folders. */
static char *find_wrapper(const char *folder, const char *name)
{
    static const char *const places[] = {"", "/../../tools", "/../../../tools"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct text path = {0};
        text_printf(&path, "%s%s/%s", folder, places[i], name);
        if (access(path.data, X_OK) == 0)
            return text_take(&path);
        text_free(&path);
    }
    return NULL;
}

/* A build's own runtime goes with it, wherever the wrapper stands. */
static char *find_runtime_folder(const char *folder)
{
    struct text path = {0};
    text_printf(&path, "%s/../lib/" RUNTIME, folder);
    bool found = access(path.data, R_OK) == 0;
    if (found)
        path.data[path.len - strlen("/" RUNTIME)] = 0;
    char *result = found ? text_take(&path) : NULL;
    text_free(&path);
    return result;
}

/* --- the command --------------------------------------------------------------------------------- */

static bool has_suffix(const char *file, const char *suffix)
{
    size_t length = strlen(file), wanted = strlen(suffix);
    return length > wanted && strcmp(file + length - wanted, suffix) == 0;
}

static bool is_cxx(const char *file)
{
    static const char *const suffixes[] = {".cc", ".cpp", ".cxx", ".c++", ".C", ".cp", ".CPP", ".ii"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        if (has_suffix(file, suffixes[i]))
            return true;
    }
    return false;
}

bool target_is_cxx(const struct target_source *source)
{
    for (size_t i = 0; i < source->file_count; i++) {
        if (is_cxx(source->files[i]))
            return true;
    }
    return false;
}

/* C files stay C when the C++ compiler has to link. Libraries named in the flags have to follow the files. */
static void add_arguments(struct words *command, const struct target_source *source, bool cxx,
                          const char *program)
{
    for (size_t i = 0; i < source->file_count; i++) {
        const char *file = source->files[i];
        bool is_c = cxx && has_suffix(file, ".c");
        if (is_c)
            add_word(command, "%s", "-xc");
        add_word(command, *file == '-' || *file == '@' ? "./%s" : "%s", file);
        if (is_c)
            add_word(command, "%s", "-xnone");
    }
    for (size_t i = 0; i < source->flag_count; i++)
        add_word(command, "%s", source->flags[i]);
    add_word(command, "%s", "-o");
    add_word(command, "%s", program);
    vec_push(&command->list, NULL);
}

static bool is_named(const char *setting, const char *name)
{
    size_t length = strlen(name);
    return strncmp(setting, name, length) == 0 && setting[length] == '=';
}

/* The environment without `name`, then with it unless `value` is null. */
static void set_variable(struct words *environment, const char *name, const char *value)
{
    size_t kept = 0;
    if (!value)
        return;
    for (size_t i = 0; i < environment->list.len; i++) {
        if (is_named(environment->list.data[i], name))
            free(environment->list.data[i]);
        else
            environment->list.data[kept++] = environment->list.data[i];
    }
    environment->list.len = kept;
    struct text setting = {0};
    text_printf(&setting, "%s=%s", name, value);
    vec_push(&environment->list, text_take(&setting));
}

static struct words make_environment(const struct target_source *source, const char *folder,
                                     const char *runtime_folder)
{
    struct words environment = {0};
    OWNED char *tool = realpath("/proc/self/exe", NULL); /* it translates annotations */
    for (char **setting = environ; *setting; setting++)
        add_word(&environment, "%s", *setting);
    set_variable(&environment, "TMPDIR", folder);
    set_variable(&environment, "PLUMB_CC", source->cc);
    set_variable(&environment, "PLUMB_CXX", source->cxx);
    set_variable(&environment, "PLUMB_ANNOTATIONS", source->no_annotations ? "ignore" : NULL);
    set_variable(&environment, "PLUMB_TOOL", tool);
    if (!getenv("PLUMB_LIB_DIR"))
        set_variable(&environment, "PLUMB_LIB_DIR", runtime_folder);
    vec_push(&environment.list, NULL);
    return environment;
}

/* Runs a command with its output on our stderr, or nowhere. Its exit code; -1: it has none. */
static int run_command(const struct words *command, const struct words *environment, bool silent)
{
    pid_t child = leftovers_fork();
    if (child == 0) {
        if (silent)
            dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
        dup2(STDERR_FILENO, STDOUT_FILENO);
        execvpe(command->list.data[0], command->list.data, environment->list.data);
        fprintf(stderr, "plumb: error: cannot run '%s': %s\n", command->list.data[0], strerror(errno));
        _exit(127);
    }
    if (child < 0)
        return -1;
    siginfo_t ended = {0};
    while (waitid(P_PID, (id_t)child, &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
    }
    leftovers_end_group(child);
    return ended.si_code == CLD_EXITED ? ended.si_status : -1;
}

/* --- programs ------------------------------------------------------------------------------------ */

/* Is this a program that can be a worker? Takes its fingerprint. */
static bool check_program(struct target_program *program, const char *shown, struct diagnostic *why)
{
    struct elf_facts facts;
    if (!elf_read_file(program->path, RUNTIME, &facts))
        return fail_about(why, shown, PL_CANNOT_OPEN, strerror(errno));
    if (!facts.is_executable)
        return fail_about(why, shown, PL_BUILD, "this is not an executable program for this machine");
    if (!facts.needs_library)
        return fail_about(
            why, shown, PL_BUILD,
            "the program was not linked with Plumbline's runtime: link it with plumb-cc or plumb-c++");
    program->code = facts.code;
    program->record = compiled_read_file(program->path);
    program->compiled = compiled_describe(&program->record);
    program->unannounced = compiled_unannounced(&program->record);
    program->unfilled = program->record.unfilled;
    program->variables = variables_of_program(program->path);
    return true;
}

static bool compile(const struct target_source *source, struct target_program *program,
                    struct diagnostic *why)
{
    bool cxx = target_is_cxx(source);
    const char *name = cxx ? "plumb-c++" : "plumb-cc";
    char *tools = own_folder();
    char *wrapper = tools ? find_wrapper(tools, name) : NULL;
    if (!wrapper) {
        free(tools);
        return diagnostic_set(why, PL_BUILD, 0, 0, "%s was not found next to this program", name);
    }
    char *runtime_folder = find_runtime_folder(tools);
    struct words command = {0}, environment = make_environment(source, program->folder, runtime_folder);
    add_word(&command, "%s", wrapper);
    add_arguments(&command, source, cxx, program->path);
    int ended = run_command(&command, &environment, source->silent);
    free_words(&command);
    free_words(&environment);
    free(runtime_folder);
    free(wrapper);
    free(tools);
    if (ended == 0)
        return true;
    if (ended == WRAPPER_ANNOTATIONS)
        return fail_about(why, source->files[0], PL_ANNOTATION, "the annotations have errors");
    return fail_about(why, source->files[0], PL_BUILD, "the program under test does not build");
}

static bool build_from_sources(const struct target_source *source, struct target_program *program,
                               struct diagnostic *why)
{
    program->folder = leftovers_make_folder();
    if (!program->folder)
        return diagnostic_set(why, PL_BUILD, 0, 0, "cannot make a temporary folder: %s", strerror(errno));
    struct text path = {0};
    text_printf(&path, "%s/program", program->folder);
    program->path = text_take(&path);
    if (!compile(source, program, why))
        return false;
    if (access(program->path, F_OK) != 0)
        return fail_about(why, source->files[0], PL_BUILD,
                          "the compiler made no program; does a flag stop it early?");
    return check_program(program, source->files[0], why);
}

/* --- specifications ------------------------------------------------------------------------------ */

/* Where tools/plumb-cc looks, too. */
static char *find_headers(const char *folder)
{
    static const char *const places[] = {"/../include", "/../../include", "/../../../include"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct text path = {0};
        text_printf(&path, "%s%s/plumb/spec.h", folder, places[i]);
        bool found = access(path.data, R_OK) == 0;
        if (found)
            path.data[path.len - strlen("/plumb/spec.h")] = 0;
        if (found)
            return text_take(&path);
        text_free(&path);
    }
    return NULL;
}

/* PLUMB_CC may have several words, such as "ccache gcc". */
static void add_compiler(struct words *command)
{
    const char *chosen = getenv("PLUMB_CC");
    char *words = strdup(chosen && *chosen ? chosen : "cc"), *rest = words, *word;
    while ((word = strsep(&rest, " \t")))
        if (*word)
            add_word(command, "%s", word);
    free(words);
    if (!command->list.len)
        add_word(command, "%s", "cc");
}

/* An undeclared function would be found only when it is called. */
static void add_spec_words(struct words *command, const char *file, const char *library, const char *headers)
{
    static const char *const flags[] = {
        "-std=gnu17", "-g", "-O2", "-fPIC", "-shared", "-pthread", "-Werror=implicit-function-declaration"};
    add_compiler(command);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        add_word(command, "%s", flags[i]);
    add_word(command, "-I%s", headers);
    add_word(command, *file == '-' || *file == '@' ? "./%s" : "%s", file);
    add_word(command, "%s", "-o");
    add_word(command, "%s", library);
    vec_push(&command->list, NULL);
}

bool target_build_spec(const char *file, const char *library, struct diagnostic *why)
{
    if (access(file, R_OK) != 0)
        return fail_about(why, file, PL_CANNOT_OPEN, strerror(errno));
    char *tools = own_folder();
    char *headers = tools ? find_headers(tools) : NULL;
    free(tools);
    if (!headers)
        return fail_about(why, file, PL_BUILD, "Plumbline's headers were not found near this program");
    struct words command = {0}, environment = make_environment(&(struct target_source){0}, NULL, NULL);
    add_spec_words(&command, file, library, headers);
    bool built = run_command(&command, &environment, false) == 0 && access(library, R_OK) == 0;
    free_words(&command);
    free_words(&environment);
    free(headers);
    return built || fail_about(why, file, PL_BUILD, "the specification does not build");
}

/* --- from files to programs ---------------------------------------------------------------------- */

/* *prebuilt: the one file is a program already. */
static bool check_files(const struct target_source *source, bool *prebuilt, struct diagnostic *why)
{
    *prebuilt = false;
    if (source->file_count == 0)
        return diagnostic_set(why, PL_USAGE, 0, 0, "no file to check was named");
    for (size_t i = 0; i < source->file_count; i++) {
        struct elf_facts facts;
        if (!elf_read_file(source->files[i], RUNTIME, &facts))
            return fail_about(why, source->files[i], PL_CANNOT_OPEN, strerror(errno));
        if (!facts.is_executable)
            continue;
        if (source->file_count > 1)
            return fail_about(why, source->files[i], PL_USAGE,
                              "an executable program has to be the only file");
        if (source->flag_count)
            return fail_about(why, source->files[i], PL_USAGE,
                              "a program that is built already takes no compiler flags");
        *prebuilt = true;
    }
    return true;
}

struct target_program *target_build(const struct target_source *source, struct diagnostic *why)
{
    bool prebuilt, fine;
    *why = (struct diagnostic){0};
    if (!check_files(source, &prebuilt, why))
        return NULL;
    struct target_program *program = NEW(struct target_program);
    if (prebuilt) {
        program->path = realpath(source->files[0], NULL);
        fine = program->path ? check_program(program, source->files[0], why)
                             : fail_about(why, source->files[0], PL_CANNOT_OPEN, strerror(errno));
    } else {
        fine = build_from_sources(source, program, why);
    }
    if (fine)
        return program;
    target_program_free(program);
    return NULL;
}

void target_program_free(struct target_program *program)
{
    if (!program)
        return;
    leftovers_remove_folder(program->folder);
    free(program->path);
    free(program->compiled);
    compiled_free(&program->record);
    variables_free(&program->variables);
    free(program);
}
