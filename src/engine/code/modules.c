/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/code/modules.h"

#include "base/vec.h"
#include "engine/memory/snapshot.h"

#include <string.h>

static VEC(struct module) modules;

static const void *relocated(const struct module *m, ElfW(Addr) address)
{
    /* the loader has done it for most architectures */
    return (const void *)(address < m->base ? m->base + address : address);
}

static void read_dynamic(struct module *m, const ElfW(Dyn) * d)
{
    for (; d->d_tag != DT_NULL; d++)
        switch (d->d_tag) {
        case DT_JMPREL: m->relocations[0] = relocated(m, d->d_un.d_ptr); break;
        case DT_PLTRELSZ: m->counts[0] = d->d_un.d_val / sizeof(ElfW(Rela)); break;
        case DT_RELA: m->relocations[1] = relocated(m, d->d_un.d_ptr); break;
        case DT_RELASZ: m->counts[1] = d->d_un.d_val / sizeof(ElfW(Rela)); break;
        case DT_SYMTAB: m->symbols = relocated(m, d->d_un.d_ptr); break;
        case DT_FINI_ARRAY: m->endings = relocated(m, d->d_un.d_ptr); break;
        case DT_FINI_ARRAYSZ: m->ending_count = d->d_un.d_val / sizeof(void (*)(void)); break;
        case DT_STRTAB: m->names = relocated(m, d->d_un.d_ptr); break;
        default: break;
        }
    for (int table = 0; table < 2; table++)
        if (!m->relocations[table])
            m->counts[table] = 0;
}

const char *modules_symbol(const struct module *m, const ElfW(Rela) * r)
{
    size_t number = ELF64_R_SYM(r->r_info);
    return number && m->symbols ? m->names + m->symbols[number].st_name : "";
}

static bool imports_hooks(const struct module *m)
{
    for (int table = 0; table < 2; table++)
        for (size_t k = 0; k < m->counts[table]; k++)
            if (strncmp(modules_symbol(m, &m->relocations[table][k]), "__tsan_", 7) == 0)
                return true;
    return false;
}

static void read_headers(struct module *m, const struct dl_phdr_info *info)
{
    for (int k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[k];
        uintptr_t from = info->dlpi_addr + h->p_vaddr, to = from + h->p_memsz;
        if (h->p_type == PT_LOAD) {
            m->from = from < m->from ? from : m->from;
            m->to = to > m->to ? to : m->to;
        } else if (h->p_type == PT_DYNAMIC)
            read_dynamic(m, (const void *)from);
    }
}

static int add_module(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    (void)data;
    const char *slash = strrchr(info->dlpi_name, '/');
    struct module m = {.base = info->dlpi_addr,
                       .from = UINTPTR_MAX,
                       .name = slash ? slash + 1 : info->dlpi_name,
                       .is_system = snapshot_is_system_library(info->dlpi_name)};
    read_headers(&m, info);
    m.is_instrumented = !m.is_system && (!*m.name || imports_hooks(&m));
    vec_push(&modules, m);
    return 0;
}

void modules_find(void)
{
    vec_clear(&modules);
    dl_iterate_phdr(add_module, NULL);
}

size_t modules_count(void)
{
    return modules.len;
}

const struct module *modules_at(size_t index)
{
    return &modules.data[index];
}

const struct module *modules_of(const void *address)
{
    for (size_t k = 0; k < modules.len; k++)
        if (modules.data[k].from <= (uintptr_t)address && (uintptr_t)address < modules.data[k].to)
            return &modules.data[k];
    return NULL;
}
