/* SPDX-License-Identifier: Apache-2.0 */
/* The little of an ELF file that the tool has to know, of the machine it runs on. */
#ifndef TARGET_ELF_FILE_H
#define TARGET_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_facts {
    bool is_elf;        /* has the magic number */
    bool is_executable; /* of this machine, with a program interpreter */
    bool needs_library; /* one whose name begins as asked for */
    uint64_t code;      /* fingerprint of everything that is loaded, without the build id */
};

/* Whatever the bytes: a file that makes no sense just is not executable. */
struct elf_facts elf_read_facts(const void *bytes, size_t size, const char *library);

/* False, with errno: the file cannot be read. */
bool elf_read_file(const char *path, const char *library, struct elf_facts *facts);

#endif
