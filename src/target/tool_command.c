/* SPDX-License-Identifier: Apache-2.0 */
#include "target/tool_command.h"

#include "base/deadline.h"
#include "base/interruption.h"
#include "base/memory.h"
#include "base/text.h"
#include "target/compilers.h"
#include "target/leftovers.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

void command_add_word(struct words *words, const char *format, const char *text)
{
    struct text word = {0};
    text_printf(&word, format, text);
    vec_push(&words->list, text_take(&word));
}

void command_free(struct words *words)
{
    for (size_t i = 0; i < words->list.len; i++)
        free(words->list.data[i]);
    vec_free(&words->list);
}

bool command_fail(struct diagnostic *why, const char *file, int code, const char *message)
{
    snprintf(why->file, sizeof why->file, "%s", file);
    return diagnostic_set(why, code, 0, 0, "%s", message);
}

bool command_fail_to_build(struct diagnostic *why, const char *file, const char *message)
{
    if (deadline_passed())
        return command_fail(why, file, PL_TIME, "time limit met while the compiler ran");
    return command_fail(why, file, PL_BUILD, message);
}

char *command_own_folder(void)
{
    char *path = realpath("/proc/self/exe", NULL);
    char *slash = path ? strrchr(path, '/') : NULL;
    if (slash)
        *slash = 0;
    return path;
}

bool command_fail_homeless(struct diagnostic *why)
{
    return diagnostic_set(why, PL_BUILD, 0, 0,
                          "cannot find the folder of this program: /proc is not mounted");
}

/* The file below the first of these places, seen from the folder, that has it. */
static char *find_file(const char *folder, const char *const *places, size_t count, const char *name, int how)
{
    for (size_t i = 0; i < count; i++) {
        struct text path = {0};
        text_printf(&path, "%s%s/%s", folder, places[i], name);
        if (access(path.data, how) == 0)
            return text_take(&path);
        text_free(&path);
    }
    return NULL;
}

char *command_find_headers(const char *folder)
{
    static const char *const places[] = {"/../include", "/../../include", "/../../../include"};
    static const char name[] = "plumb/spec.h";
    char *file = find_file(folder, places, sizeof places / sizeof *places, name, R_OK);
    if (file)
        file[strlen(file) - strlen(name) - 1] = 0;
    return file;
}

char *command_find_tool(const char *folder, const char *name, int how)
{
    static const char *const places[] = {"",           "/../bin",      "/../share/plumbline",
                                         "/../../bin", "/../../tools", "/../../../tools"};
    return find_file(folder, places, sizeof places / sizeof *places, name, how);
}

bool command_has_suffix(const char *file, const char *suffix)
{
    size_t length = strlen(file), wanted = strlen(suffix);
    return length > wanted && strcmp(file + length - wanted, suffix) == 0;
}

static bool is_cxx(const char *file)
{
    static const char *const suffixes[] = {".cc", ".cpp", ".cxx", ".c++", ".C", ".cp", ".CPP", ".ii"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        if (command_has_suffix(file, suffixes[i]))
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

void command_add_compiler(struct words *command, bool cxx)
{
    const char *name = compiler_name(cxx);
    OWNED char *words = base_strndup(name, strlen(name));
    char *rest = words, *word;
    while ((word = strsep(&rest, " \t")))
        if (*word)
            command_add_word(command, "%s", word);
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

struct words command_environment(const struct target_source *source, const char *folder,
                                 const char *runtime_folder)
{
    struct words environment = {0};
    OWNED char *tool = realpath("/proc/self/exe", NULL); /* it translates annotations */
    for (char **setting = environ; *setting; setting++)
        command_add_word(&environment, "%s", *setting);
    set_variable(&environment, "TMPDIR", folder);
    set_variable(&environment, "PLUMB_CC", compiler_name(false));
    set_variable(&environment, "PLUMB_CXX", compiler_name(true));
    set_variable(&environment, "PLUMB_ANNOTATIONS", source->no_annotations ? "ignore" : NULL);
    set_variable(&environment, "PLUMB_TOOL", tool);
    if (!getenv("PLUMB_LIB_DIR"))
        set_variable(&environment, "PLUMB_LIB_DIR", runtime_folder);
    vec_push(&environment.list, NULL);
    return environment;
}

void command_set_variable(struct words *environment, const char *name, const char *value)
{
    (void)vec_pop(&environment->list);
    set_variable(environment, name, value);
    vec_push(&environment->list, NULL);
}

/* Until the child has ended, or there is no time left for it. */
static void await(pid_t child, siginfo_t *ended)
{
    enum { LOOK_SECONDS = 10 };
    struct pollfd end = {.fd = (int)syscall(SYS_pidfd_open, child, 0), .events = POLLIN};
    while (!ended->si_pid && !deadline_passed()) {
        double left = end.fd < 0 ? 0.02 : deadline_left();
        poll(&end, 1, left < LOOK_SECONDS ? (int)(left * 1000) + 1 : LOOK_SECONDS * 1000);
        interruption_obey("while the compiler ran");
        if (waitid(P_PID, (id_t)child, ended, WEXITED | WNOWAIT | WNOHANG) < 0 && errno != EINTR)
            break;
    }
    if (end.fd >= 0)
        close(end.fd);
}

int command_run(const struct words *command, const struct words *environment, bool silent)
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
    await(child, &ended);
    leftovers_end_group(child);
    return ended.si_code == CLD_EXITED ? ended.si_status : -1;
}

static bool is_object_or_library(const char *file)
{
    char magic[8] = {0};
    FILE *f = fopen(file, "re");
    bool read = f && fread(magic, 1, sizeof magic, f) == sizeof magic;
    if (f)
        fclose(f);
    return read && (memcmp(magic, "\177ELF", 4) == 0 || memcmp(magic, "!<arch>\n", 8) == 0 ||
                    memcmp(magic, "!<thin>\n", 8) == 0);
}

static bool has_suffix_of_source(const char *file)
{
    static const char *const suffixes[] = {".c",   ".i", ".cc", ".cp", ".cxx", ".cpp", ".CPP",
                                           ".c++", ".C", ".ii", ".s",  ".S",   ".sx"};
    for (size_t k = 0; k < sizeof suffixes / sizeof *suffixes; k++)
        if (command_has_suffix(file, suffixes[k]))
            return true;
    return false;
}

bool command_cannot_open(struct diagnostic *why, const char *file)
{
    bool is_stream = strcmp(file, "-") == 0;
    return command_fail(why, file, PL_CANNOT_OPEN,
                        is_stream ? "programs are not read from standard input: name a file"
                                  : strerror(errno));
}

bool command_takes_file(const char *file, struct diagnostic *why)
{
    struct stat facts;
    if (stat(file, &facts) == 0 && S_ISDIR(facts.st_mode))
        return command_fail(why, file, PL_USAGE, "this is a folder: name the C or C++ files in it");
    if (has_suffix_of_source(file) || is_object_or_library(file))
        return true;
    return command_fail(why, file, PL_USAGE,
                        "this is not a C or C++ source (.c, .cc, .cpp, .cxx), object or library");
}
