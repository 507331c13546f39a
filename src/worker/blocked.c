/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/signals.h"

#include "engine/code/imports.h"
#include "engine/code/modules.h"
#include "engine/memory/snapshot.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { FRAMES = 64 };

bool blocked_is_program(const void *pc)
{
    const struct module *m = modules_of(pc);
    return m && m->is_instrumented;
}

/* The first function behind the handler that is neither ours nor the C library's: the one that made the system call. */
static bool is_library(const void *pc)
{
    const struct module *m = modules_of(pc);
    return m && !m->is_instrumented && !snapshot_is_runtime_code(pc);
}

static void name(struct blocked_place *place, const void *pc)
{
    Dl_info info;
    const struct module *m = modules_of(pc);
    snprintf(place->library, sizeof place->library, "%s", m ? m->name : "");
    place->function[0] = 0;
    if (dladdr((const char *)pc - 1, &info) && info.dli_sname)
        snprintf(place->function, sizeof place->function, "%s", info.dli_sname);
}

void blocked_find(struct blocked_place *place)
{
    void *frames[FRAMES];
    int count = backtrace(frames, FRAMES);
    *place = (struct blocked_place){.library = "a library"};
    for (int k = 0; k < count; k++) {
        if (blocked_is_program(frames[k])) {
            place->pc = frames[k];
            return;
        }
        if (is_library(frames[k]))
            name(place, frames[k]);
    }
    /* A thread of the library's own: what the program called last has to do with it. */
    if (imports_last && strcmp(imports_last->library, place->library) == 0)
        snprintf(place->function, sizeof place->function, "%s", imports_last->name);
}
