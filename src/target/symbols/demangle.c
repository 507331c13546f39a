/* SPDX-License-Identifier: Apache-2.0 */
#include "target/symbols/demangle.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef char *demangler(const char *name, char *buffer, size_t *length, int *status);

/* Where there are programs in C++ there is its library; the tool itself does not need it. */
static demangler *find_demangler(void)
{
    static demangler *found;
    static bool looked;
    void *library = looked ? NULL : dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
    if (library)
        *(void **)&found = dlsym(library, "__cxa_demangle");
    looked = true;
    return found;
}

void demangle_in_place(char *name, size_t room)
{
    int status = -1;
    demangler *demangle = strncmp(name, "_Z", 2) == 0 ? find_demangler() : NULL;
    char *text = demangle ? demangle(name, NULL, NULL, &status) : NULL;
    if (text && status == 0)
        snprintf(name, room, "%s", text);
    free(text);
}
