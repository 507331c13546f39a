/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/memory/objects.h"

#include "base/vec.h"

#include <dlfcn.h>
#include <link.h>

struct range {
    uint64_t address, size;
};

bool cxx_objects_synchronized = true;

static const char *const names[] = {"_ZSt3cin",  "_ZSt4cout",  "_ZSt4cerr",  "_ZSt4clog",
                                    "_ZSt4wcin", "_ZSt5wcout", "_ZSt5wcerr", "_ZSt5wclog"};
enum { STREAMS = sizeof names / sizeof *names };

static struct range streams[STREAMS];
static VEC(struct range) caches;

/* In the C++ library, or in the program, where the linker may have put a copy that all then use. */
void cxx_objects_find(void)
{
    for (unsigned k = 0; k < STREAMS; k++) {
        void *object = dlsym(RTLD_DEFAULT, names[k]);
        const ElfW(Sym) *symbol = NULL;
        Dl_info info;
        if (object && dladdr1(object, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol)
            streams[k] = (struct range){(uint64_t)object, symbol->st_size};
    }
}

void cxx_objects_add(uint64_t address, size_t size)
{
    vec_push(&caches, ((struct range){address, size}));
}

void cxx_objects_reset(bool synchronized)
{
    caches.len = 0;
    cxx_objects_synchronized = synchronized;
}

static bool are_in(const struct range *ranges, size_t count, uint64_t address)
{
    for (size_t k = 0; k < count; k++)
        if (address - ranges[k].address < ranges[k].size)
            return true;
    return false;
}

bool cxx_objects_have(uint64_t address)
{
    return are_in(streams, STREAMS, address) || are_in(caches.data, caches.len, address);
}

bool cxx_objects_are_for_all(uint64_t address)
{
    if (are_in(streams, STREAMS, address))
        return cxx_objects_synchronized;
    return are_in(caches.data, caches.len, address);
}
