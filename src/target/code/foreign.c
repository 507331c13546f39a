/* SPDX-License-Identifier: Apache-2.0 */
#include "target/code/foreign.h"

#include "target/code/machine_code.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ the program's variables */

static void note_segment(struct foreign *f, const Elf64_Phdr *h)
{
    struct foreign_range range = {h->p_vaddr, h->p_vaddr + h->p_memsz};
    if (h->p_type == PT_LOAD && h->p_flags & PF_W)
        vec_push(&f->variables, range);
    else if (h->p_type == PT_GNU_RELRO)
        f->constant = range;
}

void foreign_begin(struct foreign *f, const char *path)
{
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    *f = (struct foreign){0};
    FILE *file = fopen(path, "re");
    if (!file)
        return;
    if (fread(&header, sizeof header, 1, file) == 1 && fseek(file, (long)header.e_phoff, SEEK_SET) == 0)
        for (unsigned k = 0; k < header.e_phnum && fread(&segment, sizeof segment, 1, file) == 1; k++)
            note_segment(f, &segment);
    fclose(file);
}

static bool has(const struct foreign_range *r, uint64_t address)
{
    return r->from <= address && address < r->to;
}

static bool is_variable(const struct foreign *f, uint64_t address)
{
    for (size_t k = 0; k < f->variables.len; k++)
        if (has(&f->variables.data[k], address))
            return !has(&f->constant, address);
    return false;
}

/* ------------------------------------------------------------------ instructions */

/* Of a function without hooks that plumb-cc compiled nothing is left to announce: it accesses its own stack at most. */
static bool accesses_memory(const struct foreign *f, const char *code)
{
    static const char *const harmless[] = {"lea",     "nop",    "call",   "jmp",     "bnd",
                                           "notrack", "data16", "cs nop", "prefetch"};
    const char *operand = strchr(code, '(');
    if (!operand || strstr(code, "%fs:") || strstr(code, "%gs:"))
        return false;
    for (size_t k = 0; k < sizeof harmless / sizeof *harmless; k++)
        if (strncmp(code, harmless[k], strlen(harmless[k])) == 0)
            return false;
    if (strncmp(operand, "(%rsp", 5) == 0 || strncmp(operand, "(%rbp", 5) == 0)
        return false;
    if (strncmp(operand, "(%rip)", 6) != 0)
        return true;
    const char *address = strchr(operand, '#');
    return address && is_variable(f, strtoull(address + 1, NULL, 16));
}

/* What the C library's start files bring along, compilers add, and plumb.h makes. */
static bool is_start_file(const char *name)
{
    static const char *const names[] = {"plumb_",
                                        "_start",
                                        "_init",
                                        "_fini",
                                        "frame_dummy",
                                        "__do_global",
                                        "deregister_tm_clones",
                                        "register_tm",
                                        "_dl_reloc",
                                        "__libc_csu",
                                        "atexit",
                                        "at_quick",
                                        "__stack_chk_fail_local"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strncmp(name, names[k], strlen(names[k])) == 0)
            return true;
    return false;
}

static void end_function(struct foreign *f)
{
    if (*f->name && f->has_access && !f->has_hook && !is_start_file(f->name))
        vec_push(&f->functions, strdup(f->name));
    *f->name = 0;
    f->has_access = f->has_hook = false;
}

void foreign_read_line(struct foreign *f, const char *line)
{
    char name[FOREIGN_NAME];
    if (sscanf(line, "%*x <%127[^>]>:", name) == 1) {
        end_function(f);
        snprintf(f->name, sizeof f->name, "%s", name);
        return;
    }
    const char *code = strchr(line, '\t');
    if (!code || f->has_hook)
        return;
    f->has_hook = strstr(line, "<__tsan_") || strstr(line, MACHINE_TEXT(MACHINE_MARK) "(");
    f->has_access |= accesses_memory(f, code + 1);
}

void foreign_end(struct foreign *f)
{
    end_function(f);
}

void foreign_free(struct foreign *f)
{
    for (size_t k = 0; k < f->functions.len; k++)
        free(f->functions.data[k]);
    vec_free(&f->functions);
    vec_free(&f->variables);
}
