/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/standard_streams.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>

bool streams_are_synchronized = true;

static const char *const names[] = {"_ZSt3cin",  "_ZSt4cout",  "_ZSt4cerr",  "_ZSt4clog",
                                    "_ZSt4wcin", "_ZSt5wcout", "_ZSt5wcerr", "_ZSt5wclog"};
enum { STREAMS = sizeof names / sizeof *names };

static struct {
    uint64_t address, size;
} streams[STREAMS];

/* In the C++ library, or in the program, where the linker may have put a copy that is then everybody's. */
void streams_find(void)
{
    for (unsigned k = 0; k < STREAMS; k++) {
        void *object = dlsym(RTLD_DEFAULT, names[k]);
        const ElfW(Sym) *symbol = NULL;
        Dl_info info;
        if (!object || !dladdr1(object, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol)
            continue;
        streams[k].address = (uint64_t)object;
        streams[k].size = symbol->st_size;
    }
}

bool streams_have(uint64_t address)
{
    for (unsigned k = 0; k < STREAMS; k++)
        if (address - streams[k].address < streams[k].size)
            return true;
    return false;
}
