/* SPDX-License-Identifier: Apache-2.0 */
/* The environment: what an execution changes in it is undone before the next one. */
#include "base/memory.h"
#include "base/vec.h"
#include "engine/code/imports.h"
#include "rt/hook.h"
#include "rt/library/library.h"
#include "rt/start.h"
#include "rt/system/outside.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static VEC(char *) variables; /* as they were before the first execution, with the null pointer at the end */
static VEC(char *) contents;  /* copies of them */
static char **table;
static bool looked; /* the program has pointers to the strings */

static void keep_environment(void)
{
    table = environ;
    for (char **v = environ; v && *v; v++) {
        vec_push(&variables, *v);
        vec_push(&contents, base_strndup(*v, strlen(*v)));
    }
    vec_push(&variables, NULL);
}

/* The program may have changed table and strings by itself. */
BEFORE_EACH_EXECUTION(environment_reset)
{
    if (!variables.len)
        keep_environment();
    environ = table;
    for (size_t k = 0; table && k < variables.len; k++)
        table[k] = variables.data[k];
    for (size_t k = 0; looked && k < contents.len; k++)
        if (strcmp(variables.data[k], contents.data[k]) != 0)
            real.memcpy(variables.data[k], contents.data[k], strlen(contents.data[k]) + 1);
    looked = false;
}

/* ------------------------------------------------------------------ what is accessed */

/* Who looks for a variable reads the table and all names. To the standard, what changes the table or a string in it
 * changes the environment, also without a function. */
LIBRARY_DO(environment)
{
    library_access(c, (uint64_t)&environ, sizeof environ, false);
    for (char **v = environ; v; v++) {
        library_access(c, (uint64_t)v, sizeof *v, false);
        if (!*v)
            break;
        library_read_string(c, (uint64_t)*v, strcspn(*v, "=") + 1);
    }
}

static VEC(char *) before; /* the table, until a change has been made */

static void keep_table(void)
{
    vec_clear(&before);
    for (char **v = environ; v && *v; v++)
        vec_push(&before, *v);
    vec_push(&before, NULL);
}

/* After the fact; no other thread runs in between. */
static void wrote(const void *to, const void *pc)
{
    hook_check_late_write("a change of the environment", (uint64_t)to, sizeof(void *), pc);
    engine_plain_late((uint64_t)to, sizeof(void *), pc);
}

/* What a function has changed in the table, or that there is another one. */
static void announce_change(char **from, const void *pc)
{
    if (environ != from) {
        wrote(&environ, pc);
        return;
    }
    for (size_t k = 0; from && k < before.len; k++) {
        if (from[k] != before.data[k])
            wrote(&from[k], pc);
        if (!from[k])
            break;
    }
}

/* ------------------------------------------------------------------ functions */

EXPORT char *getenv(const char *name)
{
    if (hook_is_watched(CALLER)) {
        outside_use(OUTSIDE_ENVIRONMENT, false, CALLER);
        looked = true;
    }
    return NEXT(getenv)(name);
}

/* What getenv returned may end here: later uses of it are not found. */
static void note_end(const char *function)
{
    struct import_call call = {.name = function, .library = "libc.so.6"};
    if (looked)
        engine_note_unseen(&call);
}

#define CHANGES(name, parameters, arguments)            \
    EXPORT int name parameters                          \
    {                                                   \
        if (!engine_active)                             \
            return NEXT(name) arguments;                \
        outside_use(OUTSIDE_ENVIRONMENT, true, CALLER); \
        note_end(#name);                                \
        keep_table();                                   \
        char **from = environ;                          \
        int result = NEXT(name) arguments;              \
        announce_change(from, CALLER);                  \
        return result;                                  \
    }

CHANGES(setenv, (const char *name, const char *value, int overwrite), (name, value, overwrite))
CHANGES(unsetenv, (const char *name), (name))
CHANGES(putenv, (char *text), (text))
CHANGES(clearenv, (void), ())
