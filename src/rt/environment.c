/* SPDX-License-Identifier: Apache-2.0 */
/* The environment: what an execution changes in it is undone before the next one. */
#include "base/vec.h"
#include "rt/hook.h"
#include "rt/reset.h"

#include <stdlib.h>
#include <unistd.h>

static VEC(char *) variables; /* as they were before the first execution, with the null pointer at the end */
static char **table;
static bool changed;
static struct engine_uses changes, looks;

void environment_reset(void)
{
    changes = looks = (struct engine_uses){0};
    if (!variables.len) {
        table = environ;
        for (char **v = environ; v && *v; v++)
            vec_push(&variables, *v);
        vec_push(&variables, NULL);
    }
    if (!changed)
        return;
    changed = false;
    environ = table;
    for (size_t k = 0; table && k < variables.len; k++)
        table[k] = variables.data[k];
}

static void order_change(const void *pc)
{
    static const char what[] = "changes of environment variables";
    engine_order_use(&changes, what, pc);
    engine_order_use(&looks, what, pc);
    engine_note_use(&changes);
    changed = true;
}

EXPORT char *getenv(const char *name)
{
    if (hook_is_watched(CALLER)) {
        engine_order_use(&changes, "changes of environment variables", CALLER);
        engine_note_use(&looks);
    }
    return NEXT(getenv)(name);
}

#define CHANGES(name, parameters, arguments) \
    EXPORT int name parameters               \
    {                                        \
        if (engine_active)                   \
            order_change(CALLER);            \
        return NEXT(name) arguments;         \
    }

CHANGES(setenv, (const char *name, const char *value, int overwrite), (name, value, overwrite))
CHANGES(unsetenv, (const char *name), (name))
CHANGES(putenv, (char *text), (text))
CHANGES(clearenv, (void), ())
