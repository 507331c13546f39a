/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/compiler.h"

#include "compile/wrapper_process.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- places -------------------------------------------------------------------------------------- */

static bool is_program(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISREG(facts.st_mode) && access(path, X_OK) == 0;
}

const char *path_find(const char *name)
{
    if (strchr(name, '/'))
        return is_program(name) ? name : NULL;
    const char *folders = getenv("PATH");
    for (const char *end; folders; folders = *end ? end + 1 : NULL) {
        end = strchrnul(folders, ':');
        char *path = word_print("%.*s%s%s", (int)(end - folders), folders, end > folders ? "/" : "./", name);
        if (*name && is_program(path))
            return path;
        free(path);
    }
    return NULL;
}

static const char *folder_of(const char *file)
{
    char *path = file ? realpath(file, NULL) : NULL;
    char *slash = path ? strrchr(path, '/') : NULL;
    if (slash)
        slash[slash == path] = 0;
    return path;
}

struct homes homes_find(const char *called)
{
    const char *file = path_find(called), *slash = file ? strrchr(file, '/') : NULL;
    struct homes homes = {.real = folder_of("/proc/self/exe")};
    if (slash)
        homes.called = realpath(word_print("%.*s", (int)(slash + 1 - file), file), NULL);
    if (!homes.real)
        homes.real = folder_of(file);
    if (!homes.called)
        homes.called = homes.real;
    if (!homes.real)
        process_die("cannot find the folder of this program: /proc is not mounted");
    return homes;
}

/* The folder below the first home and place that has the file. */
static const char *find_place(const struct homes *homes, const char *const *places, const char *file)
{
    const char *const both[] = {homes->called, homes->real};
    for (size_t k = 0; k < 2; k++)
        for (const char *const *place = places; *place; place++) {
            OWNED char *folder = word_print("%s/%s", both[k], *place);
            OWNED char *path = word_print("%s/%s", folder, file);
            if (access(path, F_OK) == 0)
                return realpath(folder, NULL);
        }
    return NULL;
}

const char *homes_library(const struct homes *homes)
{
    static const char *const places[] = {
        "../lib", "../lib64", "../lib/x86_64-linux-gnu", "../lib/aarch64-linux-gnu", "../../lib", NULL};
    const char *chosen = getenv("PLUMB_LIB_DIR");
    if (!chosen || !*chosen) {
        const char *found = find_place(homes, places, "libplumb-rt.so");
        return found ? found : word_print("%s/../lib", homes->real);
    }
    const char *real = realpath(chosen, NULL), *here = *chosen == '/' ? NULL : getcwd(NULL, 0);
    return real ? real : here ? word_print("%s/%s", here, chosen) : chosen;
}

const char *homes_headers(const struct homes *homes)
{
    static const char *const places[] = {"../include", "../../include", "../../../include", NULL};
    const char *found = find_place(homes, places, "plumb/value.h");
    if (!found)
        process_die("Plumbline's headers were not found near %s", homes->real);
    return found;
}

const char *homes_tool(const struct homes *homes, const char *name)
{
    static const char *const places[] = {".", "../bin", "../../bin", NULL};
    const char *tool = getenv("PLUMB_TOOL"), *slash = tool ? strrchr(tool, '/') : NULL;
    const char *beside = slash ? word_print("%.*s/%s", (int)(slash - tool), tool, name) : NULL;
    if (beside && is_program(beside))
        return beside;
    const char *folder = find_place(homes, places, name);
    return folder ? word_print("%s/%s", folder, name) : NULL;
}

/* --- the compiler -------------------------------------------------------------------------------- */

static const char *choose(const struct command_line *line, const struct homes *homes)
{
    const char *chosen = getenv(line->cxx ? "PLUMB_CXX" : "PLUMB_CC");
    if (chosen && *chosen)
        return chosen;
    const char *clang = line->cxx ? "clang++" : "clang";
    if (path_find(clang) && homes_tool(homes, "plumb-instrument"))
        return clang;
    return line->cxx ? "c++" : "cc";
}

struct compiler compiler_find(struct command_line *line, const struct homes *homes)
{
    struct compiler compiler = {0};
    const char *chosen = choose(line, homes);
    char *rest = base_strndup(chosen, strlen(chosen)), *word;
    if (path_find(chosen))
        words_add(&compiler.command, chosen);
    else
        while ((word = strsep(&rest, " \t\n")))
            if (*word)
                words_add(&compiler.command, word);
    const char *first = compiler.command.list.len ? compiler.command.list.data[0] : chosen;
    if (!path_find(first))
        process_die("the compiler %s was not found", first);
    for (size_t i = 1; i < compiler.command.list.len; i++)
        if (text_starts_with(compiler.command.list.data[i], "-O"))
            line->level = compiler.command.list.data[i];
    return compiler;
}

/* clang, clang++, or one of them with its version behind it. */
static bool is_clang_name(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (!text_starts_with(name, "clang"))
        return false;
    name += strlen("clang");
    name += text_starts_with(name, "++") ? 2 : 0;
    return !*name || (*name == '-' && name[1] && strspn(name + 1, "0123456789") == strlen(name + 1));
}

static bool is_binary(const char *path)
{
    char magic[4] = "";
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool binary =
        file >= 0 && read(file, magic, sizeof magic) == sizeof magic && memcmp(magic, "\177ELF", 4) == 0;
    if (file >= 0)
        close(file);
    return binary;
}

static unsigned number_after(const char *text, const char *words)
{
    const char *found = strstr(text, words);
    return found ? (unsigned)strtoul(found + strlen(words), NULL, 10) : 0;
}

/* What a program, no script, without words about the machine says in a millisecond if it is gcc, and its name if it is clang, which takes
 * long to say anything: they compile for this machine. If that is wrong they refuse options. */
static bool know_quickly(struct compiler *compiler, const struct command_line *line)
{
#if defined __x86_64__
    const char *path = path_find(compiler->command.list.data[0]);
    if (compiler->command.list.len > 1 || line->machine.list.len || !path || !is_binary(path))
        return false;
    compiler->clang = is_clang_name(path);
    compiler->x86 = compiler->is_native = true;
    if (compiler->clang)
        return true;
    struct words command = {0};
    words_add_all(&command, &compiler->command);
    words_add(&command, "-v");
    const char *said = process_answer(&command, true);
    if (!said || (!strstr(said, "\nTarget: x86_64-") && !strstr(said, "\nTarget: aarch64-")) ||
        !strstr(said, "linux-gnu"))
        return false;
    compiler->x86 = compiler->is_native = strstr(said, "\nTarget: x86_64-");
    compiler->version = number_after(said, "\ngcc version ");
    compiler->clang = !compiler->version && strstr(said, "clang version ");
    return compiler->version || compiler->clang;
#else
    (void)compiler;
    (void)line;
    return false;
#endif
}

static void ask(struct compiler *compiler, const struct command_line *line)
{
    struct words command = {0};
    words_add_all(&command, &compiler->command);
    words_add_all(&command, &line->machine);
    WORDS_ADD(&command, "-dM", "-E", "-x", "c", "/dev/null");
    const char *macros = process_answer(&command, false);
    if (!macros)
        process_die("%s does not work", compiler->command.list.data[0]);
    if (!strstr(macros, "__LP64__ 1"))
        process_die("the runtime is for 64-bit programs only");
    compiler->x86 = strstr(macros, "__x86_64__ 1");
    compiler->clang = strstr(macros, "__clang__ 1");
    compiler->version = number_after(macros, "__GNUC__ ");
    compiler->is_native = false;
}

void compiler_know(struct compiler *compiler, const struct command_line *line)
{
    if (!know_quickly(compiler, line))
        ask(compiler, line);
}
