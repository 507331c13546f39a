/* SPDX-License-Identifier: Apache-2.0 */
/* The writable memory of the program and its libraries, copied before the first execution and put back
 * before each. */
#include "engine/engine.h"

#include "base/vec.h"
#include "engine/memory/objects.h"
#include "engine/memory/image.h"
#include "engine/code/imports.h"
#include "engine/memory/mappings.h"
#include "engine/memory/snapshot.h"
#include "engine/memory/variable_bounds.h"

#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { DIGEST_MOST = 64 << 20 };

struct code {
    uintptr_t from, to;
};

typedef VEC(struct code) code_list;

static code_list program_code, program_data, system_code, system_data;
static struct code runtime_code;

bool snapshot_is_system_library(const char *name)
{
    static const char *const names[] = {"libc.so",    "ld-linux",  "libplumb-rt",   "libm.so",
                                        "libstdc++",  "libgcc_s",  "libpthread",    "libdl.so",
                                        "linux-vdso", "libc++",    "libplumb-spec", "libZydis",
                                        "libZycore",  "vgpreload_"}; /* valgrind's: what is counted is what is done without it */
    const char *base = strrchr(name, '/');
    base = base ? base + 1 : name;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strncmp(base, names[k], strlen(names[k])) == 0)
            return true;
    return false;
}

/* Code whose allocations are the program's: everything but the C library, the loader, the runtime and a
 * specification of the user's, which is part of the judge (spec/spec_user.h). */
static bool allocates_for_itself(const char *name)
{
    const char *base = strrchr(name, '/');
    base = base ? base + 1 : name;
    return strncmp(base, "libc.so", 7) == 0 || strncmp(base, "ld-linux", 8) == 0 ||
           strncmp(base, "libplumb-rt", 11) == 0 || strncmp(base, "libplumb-spec", 13) == 0 ||
           strncmp(base, "linux-vdso", 10) == 0;
}

static void add_module(struct worker_shared *shared, const struct dl_phdr_info *info)
{
    size_t most = sizeof shared->modules / sizeof *shared->modules;
    if (shared->module_count == most)
        return;
    struct worker_module *m = &shared->modules[shared->module_count++];
    m->base = info->dlpi_addr;
    if (info->dlpi_name[0]) {
        snprintf(m->path, sizeof m->path, "%s", info->dlpi_name);
    } else {
        ssize_t length = readlink("/proc/self/exe", m->path, sizeof m->path - 1);
        m->path[length > 0 ? length : 0] = 0;
    }
}

static void add_region(uintptr_t from, uintptr_t to)
{
    if (from >= to)
        return;
    image_keep((void *)from, to - from);
    vec_push(&program_data, ((struct code){from, to}));
}

static int visit(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    (void)data;
    uintptr_t relro_from = 0, relro_to = 0;
    for (int k = 0; k < info->dlpi_phnum; k++)
        if (info->dlpi_phdr[k].p_type == PT_GNU_RELRO) {
            relro_from = info->dlpi_addr + info->dlpi_phdr[k].p_vaddr;
            relro_to = (relro_from + info->dlpi_phdr[k].p_memsz + 4095) & ~(uintptr_t)4095;
        }
    for (int k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[k];
        uintptr_t from = info->dlpi_addr + h->p_vaddr, to = from + h->p_memsz;
        if (h->p_type != PT_LOAD)
            continue;
        if (!(h->p_flags & PF_W) || snapshot_is_system_library(info->dlpi_name))
            continue;
        if (relro_from <= from && from < relro_to)
            from = relro_to;
        add_region(from, to);
    }
    return 0;
}

static inline bool code_has(const struct code *code, const void *pc)
{
    return code->from <= (uintptr_t)pc && (uintptr_t)pc < code->to;
}

static int visit_code(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    (void)data;
    for (int k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[k];
        uintptr_t from = info->dlpi_addr + h->p_vaddr;
        struct code code = {from, from + h->p_memsz};
        bool is_c_library = strstr(info->dlpi_name, "/libc.so"); /* its headers access streams and the like */
        if (h->p_type == PT_LOAD && (h->p_flags & PF_W) && snapshot_is_system_library(info->dlpi_name) &&
            !is_c_library)
            vec_push(&system_data, code);
        if (h->p_type != PT_LOAD || !(h->p_flags & PF_X))
            continue;
        if (!allocates_for_itself(info->dlpi_name))
            vec_push(&program_code, code);
        if (snapshot_is_system_library(info->dlpi_name))
            vec_push(&system_code, code);
        if (code_has(&code, (const void *)visit_code))
            runtime_code = code;
    }
    return 0;
}

static int visit_program(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    if (!snapshot_is_system_library(info->dlpi_name))
        add_module(data, info);
    return 0;
}

/* Behind the program's own: there is room for a few only. */
static int visit_system(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    bool has_file = strchr(info->dlpi_name, '/'); /* unlike the kernel's own */
    if (has_file && snapshot_is_system_library(info->dlpi_name))
        add_module(data, info);
    return 0;
}

void snapshot_find_code(void)
{
    dl_iterate_phdr(visit_code, NULL);
    cxx_objects_find();
}

void snapshot_list_modules(struct worker_shared *shared)
{
    dl_iterate_phdr(visit_program, shared);
    dl_iterate_phdr(visit_system, shared);
}

void snapshot_take(struct worker_shared *shared)
{
    imports_redirect();
    dl_iterate_phdr(visit, NULL);
    snapshot_list_modules(shared);
    variable_bounds_prepare(&shared->variables);
}

bool snapshot_digest(uint64_t *digest)
{
    struct digest d = {.bytes_max = DIGEST_MOST};
    image_digest(&d);
    heap_digest(&d);
    mappings_digest(&d);
    *digest = d.value;
    return d.bytes <= d.bytes_max;
}

static inline bool list_has(const code_list *list, const void *pc)
{
    for (size_t k = 0; k < list->len; k++)
        if (code_has(&list->data[k], pc))
            return true;
    return false;
}

bool snapshot_is_program(const void *pc)
{
    return list_has(&program_code, pc);
}

bool snapshot_is_system_code(const void *pc)
{
    return list_has(&system_code, pc);
}

bool snapshot_is_system_data(uint64_t address)
{
    return list_has(&system_data, (const void *)address);
}

bool snapshot_is_program_data(uint64_t address)
{
    return list_has(&program_data, (const void *)address);
}

bool snapshot_is_runtime_code(const void *pc)
{
    return code_has(&runtime_code, pc);
}
