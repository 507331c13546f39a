/* SPDX-License-Identifier: Apache-2.0 */
#include "target/compilers.h"

#include "base/memory.h"
#include "base/shell_word.h"
#include "target/tool_command.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *compilers_wanted[2];
static char *compilers_derived[2];

void compilers_choose(const char *cc, const char *cxx)
{
    compilers_wanted[false] = cc;
    compilers_wanted[true] = cxx;
}

/* --- names --------------------------------------------------------------------------------------- */

/* Is this part of the text a word or the last name of a path, but for a prefix such as x86_64-linux-gnu- and a version? */
static bool is_program(const char *text, const char *part, size_t length)
{
    const char *rest = part + length;
    return (part == text || strchr(" /-", part[-1])) && (!*rest || strchr(" -", *rest)) &&
           rest[strcspn(rest, " /")] != '/';
}

/* The compiler of the other language; null: the name does not tell. */
static char *derive_compiler(const char *name, bool cxx)
{
    static const char *const kinds[][2] = {{"clang", "clang++"}, {"gcc", "g++"}, {"cc", "c++"}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const char *known = kinds[k][!cxx];
        size_t length = strlen(known);
        for (const char *part = name; (part = strstr(part, known)); part++) {
            if (!is_program(name, part, length))
                continue;
            struct text other = {0};
            text_add(&other, name, (size_t)(part - name));
            text_printf(&other, "%s%s", kinds[k][cxx], part + length);
            return text_take(&other);
        }
    }
    return NULL;
}

static const char *derived_compiler(const char *name, bool cxx)
{
    free(compilers_derived[cxx]);
    return compilers_derived[cxx] = derive_compiler(name, cxx);
}

/* --- the choice ---------------------------------------------------------------------------------- */

static bool is_in_path(const char *program)
{
    const char *rest = getenv("PATH");
    for (size_t length; rest && *rest; rest += length + (rest[length] == ':')) {
        struct text path = {0};
        length = strcspn(rest, ":");
        text_printf(&path, "%.*s/%s", (int)length, rest, program);
        bool found = access(path.data, X_OK) == 0;
        text_free(&path);
        if (found)
            return true;
    }
    return false;
}

static const char *usual_compiler(bool cxx)
{
    const char *clang = cxx ? "clang++" : "clang";
    OWNED char *folder = command_own_folder();
    OWNED char *instrument = folder ? command_find_tool(folder, "plumb-instrument", X_OK) : NULL;
    return instrument && is_in_path(clang) ? clang : cxx ? "c++" : "cc";
}

static const char *environment_compiler(bool cxx)
{
    const char *value = getenv(cxx ? "PLUMB_CXX" : "PLUMB_CC");
    return value && *value ? value : NULL;
}

const char *compiler_name(bool cxx)
{
    const char *name = compilers_wanted[cxx];
    if (!name && compilers_wanted[!cxx])
        name = derived_compiler(compilers_wanted[!cxx], cxx);
    if (!name)
        name = environment_compiler(cxx);
    if (!name && environment_compiler(!cxx))
        name = derived_compiler(environment_compiler(!cxx), cxx);
    return name ? name : usual_compiler(cxx);
}

void compilers_add_options(struct text *command)
{
    const char *cc = compiler_name(false), *cxx = compiler_name(true);
    bool is_usual = strcmp(cc, usual_compiler(false)) == 0;
    OWNED char *follows = is_usual ? NULL : derive_compiler(cc, true);
    if (!is_usual)
        text_puts(command, " --cc"), shell_add_word(command, cc);
    if (strcmp(cxx, follows ? follows : usual_compiler(true)) != 0)
        text_puts(command, " --cxx"), shell_add_word(command, cxx);
}
