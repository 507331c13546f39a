/* SPDX-License-Identifier: Apache-2.0 */
/* usage: private_references LIBRARY
 * Makes the references of a shared library to versioned functions and variables of others its own: definitions without a version, as
 * programs have them, no longer take their place. For the dynamic linker such a version is hidden; linkers know no such
 * references and refuse the file, so the sections with versions get other names and types, by which nobody finds them. */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HIDDEN = 0x8000 };

static unsigned hide(char *needs)
{
    unsigned count = 0;
    for (Elf64_Verneed *file = (Elf64_Verneed *)needs;;
         file = (Elf64_Verneed *)((char *)file + file->vn_next)) {
        Elf64_Vernaux *version = (Elf64_Vernaux *)((char *)file + file->vn_aux);
        for (unsigned k = 0; k < file->vn_cnt; k++, count++) {
            version->vna_other |= HIDDEN;
            version = (Elf64_Vernaux *)((char *)version + version->vna_next);
        }
        if (!file->vn_next)
            return count;
    }
}

static unsigned hide_all(char *image)
{
    Elf64_Ehdr *header = (Elf64_Ehdr *)image;
    Elf64_Shdr *sections = (Elf64_Shdr *)(image + header->e_shoff);
    char *names = image + sections[header->e_shstrndx].sh_offset;
    unsigned count = 0;
    for (unsigned k = 0; k < header->e_shnum; k++) {
        if (sections[k].sh_type != SHT_GNU_verneed && sections[k].sh_type != SHT_GNU_versym)
            continue;
        if (sections[k].sh_type == SHT_GNU_verneed)
            count += hide(image + sections[k].sh_offset);
        sections[k].sh_type = SHT_PROGBITS;
        memcpy(names + sections[k].sh_name, ".own", strlen(".own")); /* was .gnu.version */
    }
    return count;
}

int main(int count, char **words)
{
    struct stat facts;
    int fd = count == 2 ? open(words[1], O_RDWR) : -1;
    if (fd < 0 || fstat(fd, &facts) != 0)
        return 1;
    char *image = mmap(NULL, (size_t)facts.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (image == MAP_FAILED || memcmp(image, ELFMAG, SELFMAG) != 0 || hide_all(image) == 0) {
        fprintf(stderr, "%s: has no references to versions\n", words[1]);
        return 1;
    }
    return 0;
}
