/* SPDX-License-Identifier: Apache-2.0 */
#include "target/build.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/vec.h"
#include "target/code/compiled.h"
#include "target/code/elf_file.h"
#include "target/code/foreign.h"
#include "target/leftovers.h"
#include "target/tool_command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define RUNTIME "libplumb-rt.so"

/* The exit code of plumb-cc when annotations are wrong; compilers end with 1. */
enum { WRAPPER_ANNOTATIONS = 2 };

/* --- where the tools are ------------------------------------------------------------------------- */

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

/* C files stay C when the C++ compiler has to link. Libraries named in the flags have to follow the files. */
static void add_arguments(struct words *command, const struct target_source *source, bool cxx,
                          const char *program)
{
    for (size_t i = 0; i < source->file_count; i++) {
        const char *file = source->files[i];
        bool is_c = cxx && command_has_suffix(file, ".c");
        if (is_c)
            command_add_word(command, "%s", "-xc");
        command_add_word(command, *file == '-' || *file == '@' ? "./%s" : "%s", file);
        if (is_c)
            command_add_word(command, "%s", "-xnone");
    }
    for (size_t i = 0; i < source->flag_count; i++)
        command_add_word(command, "%s", source->flags[i]);
    command_add_word(command, "%s", "-o");
    command_add_word(command, "%s", program);
    vec_push(&command->list, NULL);
}

/* --- programs ------------------------------------------------------------------------------------ */

static bool has_foreign(const char *path)
{
    struct foreign foreign = foreign_find(path);
    bool found = foreign.functions.len > 0;
    free(foreign.atomics);
    foreign_free(&foreign);
    return found;
}

/* Is this a program that can be a worker? Takes its fingerprint. */
static bool check_program(struct target_program *program, const char *shown, struct diagnostic *why)
{
    struct elf_facts facts;
    if (!elf_read_file(program->path, RUNTIME, &facts))
        return command_fail(why, shown, PL_CANNOT_OPEN, strerror(errno));
    if (!facts.is_executable)
        return command_fail(why, shown, PL_BUILD, "this is not an executable program for this machine");
    if (!facts.needs_library)
        return command_fail(
            why, shown, PL_BUILD,
            "the program was not linked with Plumbline's runtime: link it with plumb-cc or plumb-c++");
    program->code = facts.code;
    program->variables = variables_of_program(program->path);
    program->has_foreign = has_foreign(program->path);
    if (!compiled_read_file(&program->record, program->path) || !program->variables.is_read)
        return command_fail(why, shown, PL_BUILD, "the program cannot be read");
    program->compiled = compiled_describe(&program->record);
    program->unfilled = program->record.unfilled;
    return true;
}

static bool compile(const struct target_source *source, struct target_program *program,
                    struct diagnostic *why)
{
    bool cxx = target_is_cxx(source);
    const char *name = cxx ? "plumb-c++" : "plumb-cc";
    char *tools = command_own_folder();
    if (!tools)
        return command_fail_homeless(why);
    char *wrapper = command_find_tool(tools, name, X_OK);
    if (!wrapper) {
        free(tools);
        return diagnostic_set(why, PL_BUILD, 0, 0, "%s was not found next to this program", name);
    }
    char *runtime_folder = find_runtime_folder(tools);
    struct words command = {0}, environment = command_environment(source, program->folder, runtime_folder);
    command_add_word(&command, "%s", wrapper);
    add_arguments(&command, source, cxx, program->path);
    int ended = command_run(&command, &environment, source->silent);
    command_free(&command);
    command_free(&environment);
    free(runtime_folder);
    free(wrapper);
    free(tools);
    if (ended == 0)
        return true;
    if (ended == WRAPPER_ANNOTATIONS)
        return command_fail(why, source->files[0], PL_ANNOTATION, "the annotations have errors");
    return command_fail_to_build(why, source->files[0], "the program under test does not build");
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
        return command_fail(why, source->files[0], PL_BUILD,
                            "the compiler made no program; does a flag stop it early?");
    return check_program(program, source->files[0], why);
}

/* --- specifications ------------------------------------------------------------------------------ */

/* An undeclared function would be found only when it is called. */
static void add_spec_words(struct words *command, const char *file, const char *library, const char *headers)
{
    static const char *const flags[] = {
        "-std=gnu17", "-g", "-O2", "-fPIC", "-shared", "-pthread", "-Werror=implicit-function-declaration"};
    command_add_compiler(command, false);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        command_add_word(command, "%s", flags[i]);
    command_add_word(command, "-I%s", headers);
    command_add_word(command, *file == '-' || *file == '@' ? "./%s" : "%s", file);
    command_add_word(command, "%s", "-o");
    command_add_word(command, "%s", library);
    vec_push(&command->list, NULL);
}

bool target_build_spec(const char *file, const char *library, struct diagnostic *why)
{
    if (access(file, R_OK) != 0)
        return command_fail(why, file, PL_CANNOT_OPEN, strerror(errno));
    char *tools = command_own_folder();
    char *headers = tools ? command_find_headers(tools) : NULL;
    free(tools);
    if (!headers)
        return command_fail(why, file, PL_BUILD, "Plumbline's headers were not found near this program");
    struct words command = {0}, environment = command_environment(&(struct target_source){0}, NULL, NULL);
    add_spec_words(&command, file, library, headers);
    bool built = command_run(&command, &environment, false) == 0 && access(library, R_OK) == 0;
    command_free(&command);
    command_free(&environment);
    free(headers);
    return built || command_fail_to_build(why, file, "the specification does not build");
}

/* --- from files to programs ---------------------------------------------------------------------- */

/* "./program 3" is no file, but its beginning may be one. */
static bool fail_to_open(const char *file, struct diagnostic *why)
{
    int reason = errno;
    const char *rest = strchr(file, ' ');
    OWNED char *first = rest ? base_strndup(file, (size_t)(rest - file)) : NULL;
    if (first && access(first, X_OK) == 0)
        return command_fail(
            why, file, PL_CANNOT_OPEN,
            "there is no such file; arguments of a program come after '--', as in './program -- 3'");
    errno = reason;
    return command_cannot_open(why, file);
}

/* *prebuilt: the one file is a program already. */
static bool check_files(const struct target_source *source, bool *prebuilt, struct diagnostic *why)
{
    *prebuilt = false;
    if (source->file_count == 0)
        return diagnostic_set(why, PL_USAGE, 0, 0, "no file to check was named");
    for (size_t i = 0; i < source->file_count; i++) {
        struct elf_facts facts;
        if (!elf_read_file(source->files[i], RUNTIME, &facts))
            return fail_to_open(source->files[i], why);
        if (!command_takes_file(source->files[i], why))
            return false;
        if (!facts.is_executable)
            continue;
        if (source->file_count > 1)
            return command_fail(
                why, source->files[i], PL_USAGE,
                "an executable program has to be the only file; its arguments come after '--'");
        *prebuilt = true;
    }
    return true;
}

static const char **copy_arguments(const struct target_source *source)
{
    const char **arguments = NEW_ZEROED(const char *, source->flag_count + 1);
    for (size_t i = 0; i < source->flag_count; i++)
        arguments[i] = base_strndup(source->flags[i], strlen(source->flags[i]));
    return arguments;
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
        program->arguments = copy_arguments(source);
        fine = program->path ? check_program(program, source->files[0], why)
                             : command_fail(why, source->files[0], PL_CANNOT_OPEN, strerror(errno));
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
    for (const char **a = program->arguments; a && *a; a++)
        free((char *)*a);
    free(program->arguments);
    free(program->path);
    free(program->compiled);
    compiled_free(&program->record);
    variables_free(&program->variables);
    free(program);
}
