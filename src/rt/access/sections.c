/* SPDX-License-Identifier: Apache-2.0 */
#include "rt/access/sections.h"
#include "base/text.h"

#include "base/vec.h"
#include "engine/memory/frames.h"
#include "rt/hook.h"
#include "rt/start.h"
#include "rt/system/system_parts.h"
#include "rt/threads/locks.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool sections_exist;

/* ------------------------------------------------------------------ sections */

/* All sections together are one lock, which its owner may take again. */
static struct mutex atomic_section = {.kind = PTHREAD_MUTEX_RECURSIVE};

static void begin(const void *pc)
{
    mutex_lock(&atomic_section, NULL, pc);
    engine_begin_whole();
    engine_enter_section((uint64_t)&atomic_section);
}

static void end(const void *pc)
{
    if (atomic_section.depth == 1)
        engine_leave_section();
    mutex_unlock(&atomic_section, pc);
    engine_end_whole();
}

EXPORT void __VERIFIER_atomic_begin(void)
{
    if (engine_active)
        begin(CALLER);
}

EXPORT void __VERIFIER_atomic_end(void)
{
    if (!engine_active)
        return;
    if (atomic_section.stamp != hook_stamp || atomic_section.owner != locks_me())
        engine_fail(WORKER_ERROR_MISUSE, 0, CALLER,
                    "__VERIFIER_atomic_end by T%u, which is in no atomic section", engine_current());
    end(CALLER);
}

/* ------------------------------------------------------------------ functions by name */

struct range {
    uintptr_t from, to;
    bool assumes; /* else it is a section */
};
static VEC(struct range) ranges;

static const struct range *find_range(const void *pc)
{
    for (size_t k = 0; k < ranges.len; k++)
        if (ranges.data[k].from <= (uintptr_t)pc && (uintptr_t)pc < ranges.data[k].to)
            return &ranges.data[k];
    return NULL;
}

void sections_enter(const void *pc)
{
    const struct range *r = find_range(pc);
    if (r && !r->assumes && engine_active)
        begin(pc);
}

void sections_leave(const void *pc)
{
    const struct range *r = find_range(pc);
    if (r && !r->assumes && engine_active && atomic_section.owner == locks_me())
        end(pc);
}

bool sections_assume(const void *pc)
{
    const struct range *r =
        find_range((const char *)pc - 1); /* the call of what does not return may be the last */
    return r && r->assumes;
}

static void note_function(const char *name, uintptr_t from, size_t size)
{
    if (size)
        memory_note_own(name, from);
    bool assumes = strcmp(name, "assume_abort_if_not") == 0;
    bool section = text_starts_with(name, "__VERIFIER_atomic_");
    if ((!assumes && !section) || size == 0)
        return;
    vec_push(&ranges, ((struct range){from, from + size, assumes}));
    sections_exist |= section;
    frames_watch_all_exits |= section;
}

/* The file is our own program's, as the linker made it. */
static void read_symbols(const char *file, size_t size, uintptr_t base)
{
    const ElfW(Ehdr) *head = (const void *)file;
    if (size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_shoff > size ||
        head->e_shnum > (size - head->e_shoff) / sizeof(ElfW(Shdr)))
        return;
    const ElfW(Shdr) *sections = (const void *)(file + head->e_shoff);
    for (unsigned k = 0; k < head->e_shnum; k++) {
        const ElfW(Shdr) *s = &sections[k];
        if (s->sh_type != SHT_SYMTAB || s->sh_link >= head->e_shnum || s->sh_offset > size ||
            s->sh_size > size - s->sh_offset)
            continue;
        const ElfW(Shdr) *names = &sections[s->sh_link];
        if (names->sh_offset > size || names->sh_size > size - names->sh_offset)
            continue;
        const ElfW(Sym) *symbols = (const void *)(file + s->sh_offset);
        for (size_t i = 0; i < s->sh_size / sizeof *symbols; i++)
            if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC && symbols[i].st_name < names->sh_size)
                note_function(file + names->sh_offset + symbols[i].st_name, base + symbols[i].st_value,
                              symbols[i].st_size);
    }
}

static int find_base(struct dl_phdr_info *info, size_t size, void *base)
{
    *(uintptr_t *)base = info->dlpi_addr;
    return 1; /* the program comes first */
}

void sections_prepare(void)
{
    struct stat status;
    uintptr_t base = 0;
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    void *file = MAP_FAILED;
    if (fd >= 0 && fstat(fd, &status) == 0)
        file = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (file == MAP_FAILED) /* which of its functions are sections is not known */
        start_refuse("a program whose file cannot be read", NULL);
    close(fd);
    dl_iterate_phdr(find_base, &base);
    read_symbols(file, (size_t)status.st_size, base);
    munmap(file, (size_t)status.st_size);
}
