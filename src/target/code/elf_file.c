/* SPDX-License-Identifier: Apache-2.0 */
#include "target/code/elf_file.h"

#include "base/hash.h"
#include "base/memory.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct image {
    const char *bytes;
    size_t size;
    ElfW(Ehdr) header;
};

static bool in_image(const struct image *image, uint64_t offset, uint64_t length)
{
    return offset <= image->size && length <= image->size - offset;
}

/* Segment number k; a copy, because nothing says that the file is aligned. */
static bool read_segment(const struct image *image, uint32_t k, ElfW(Phdr) * segment)
{
    if (k >= image->header.e_phnum || image->header.e_phentsize != sizeof *segment)
        return false;
    uint64_t table = image->header.e_phoff, offset = table + (uint64_t)k * sizeof *segment;
    if (offset < table || !in_image(image, offset, sizeof *segment))
        return false;
    memcpy(segment, image->bytes + offset, sizeof *segment);
    return in_image(image, segment->p_offset, segment->p_filesz);
}

static bool find_segment(const struct image *image, uint32_t type, ElfW(Phdr) * segment)
{
    for (uint32_t k = 0; read_segment(image, k, segment); k++) {
        if (segment->p_type == type)
            return true;
    }
    return false;
}

/* The string at a virtual address, or null when it is not a terminated string of the file. */
static const char *string_at(const struct image *image, uint64_t address)
{
    ElfW(Phdr) s;
    for (uint32_t k = 0; read_segment(image, k, &s); k++) {
        if (s.p_type != PT_LOAD || address < s.p_vaddr || address - s.p_vaddr >= s.p_filesz)
            continue;
        const char *text = image->bytes + s.p_offset + (address - s.p_vaddr);
        size_t most = s.p_filesz - (address - s.p_vaddr);
        return memchr(text, 0, most) ? text : NULL;
    }
    return NULL;
}

static bool read_dynamic(const struct image *image, const ElfW(Phdr) * dynamic, uint64_t k, ElfW(Dyn) * entry)
{
    if (k >= dynamic->p_filesz / sizeof *entry)
        return false;
    memcpy(entry, image->bytes + dynamic->p_offset + k * sizeof *entry, sizeof *entry);
    return entry->d_tag != DT_NULL;
}

static bool needs(const struct image *image, const char *library)
{
    ElfW(Phdr) dynamic;
    ElfW(Dyn) entry;
    if (!find_segment(image, PT_DYNAMIC, &dynamic))
        return false;
    uint64_t strings = 0;
    for (uint64_t k = 0; read_dynamic(image, &dynamic, k, &entry); k++) {
        if (entry.d_tag == DT_STRTAB)
            strings = entry.d_un.d_ptr;
    }
    for (uint64_t k = 0; strings && read_dynamic(image, &dynamic, k, &entry); k++) {
        if (entry.d_tag != DT_NEEDED)
            continue;
        const char *name = string_at(image, strings + entry.d_un.d_val);
        const char *slash = name ? strrchr(name, '/') : NULL;
        if (name && strncmp(slash ? slash + 1 : name, library, strlen(library)) == 0)
            return true;
    }
    return false;
}

/* Zeroes what of a segment's copy is a note: the build id covers the debug information too, and with it the
 * folder in which the compiler ran. */
static void blank_notes(const struct image *image, const ElfW(Phdr) * segment, char *copy)
{
    ElfW(Phdr) note;
    uint64_t begin = segment->p_offset, end = begin + segment->p_filesz;
    for (uint32_t k = 0; read_segment(image, k, &note); k++) {
        uint64_t from = note.p_offset, to = from + note.p_filesz;
        if (note.p_type != PT_NOTE || from >= end || to <= begin)
            continue;
        from = from > begin ? from : begin;
        to = to < end ? to : end;
        memset(copy + (from - begin), 0, to - from);
    }
}

/* Without the file's header: it says where the section table is, and that is behind the debug information. */
static uint64_t fingerprint(const struct image *image)
{
    ElfW(Phdr) segment;
    uint64_t code = 0;
    for (uint32_t k = 0; read_segment(image, k, &segment); k++) {
        if (segment.p_type != PT_LOAD)
            continue;
        uint64_t skip = segment.p_offset == 0 ? sizeof image->header : 0;
        if (skip > segment.p_filesz)
            continue;
        char *copy = base_alloc(segment.p_filesz);
        memcpy(copy, image->bytes + segment.p_offset, segment.p_filesz);
        blank_notes(image, &segment, copy);
        code = hash_combine(code, hash_bytes(copy + skip, segment.p_filesz - skip));
        free(copy);
    }
    return code;
}

/* The machine of this very program. */
static bool is_of_this_machine(const ElfW(Ehdr) * header)
{
#if defined __x86_64__
    const unsigned machine = EM_X86_64;
#elif defined __aarch64__
    const unsigned machine = EM_AARCH64;
#else
#error "not ported to this machine"
#endif
    return header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == ELFDATA2LSB &&
           header->e_machine == machine && (header->e_type == ET_EXEC || header->e_type == ET_DYN);
}

struct elf_facts elf_read_facts(const void *bytes, size_t size, const char *library)
{
    struct elf_facts facts = {0};
    struct image image = {.bytes = bytes, .size = size};
    facts.is_elf = size >= SELFMAG && memcmp(bytes, ELFMAG, SELFMAG) == 0;
    if (!facts.is_elf || size < sizeof image.header)
        return facts;
    memcpy(&image.header, bytes, sizeof image.header);
    ElfW(Phdr) interpreter;
    facts.is_executable = is_of_this_machine(&image.header) && find_segment(&image, PT_INTERP, &interpreter);
    if (facts.is_executable) {
        facts.needs_library = needs(&image, library);
        facts.code = fingerprint(&image);
    }
    return facts;
}

bool elf_read_file(const char *path, const char *library, struct elf_facts *facts)
{
    *facts = (struct elf_facts){0};
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat about;
    if (file < 0)
        return false;
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size == 0) {
        close(file);
        return true; /* readable, and certainly no ELF file */
    }
    void *bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    int error = errno;
    close(file);
    errno = error;
    if (bytes == MAP_FAILED)
        return false;
    *facts = elf_read_facts(bytes, (size_t)about.st_size, library);
    munmap(bytes, (size_t)about.st_size);
    return true;
}
