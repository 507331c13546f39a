/* SPDX-License-Identifier: Apache-2.0 */
/* Objects and the runtime become a program. */
#include "compile/plumb_cc.h"

#include <elf.h>
#include <errno.h>
#include <stddef.h>
#include <fcntl.h>
#include <unistd.h>

static void write_file(const char *path, const void *bytes, size_t size)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool written = file >= 0 && write(file, bytes, size) == (ssize_t)size;
    if (file < 0 || close(file) != 0 || !written)
        process_die("%s cannot be written: %s", path, strerror(errno));
}

/* --- what every program has ---------------------------------------------------------------------- */

enum {
    SECTION_NONE,
    SECTION_DATA,
    SECTION_RELOCATIONS,
    SECTION_SYMBOLS,
    SECTION_NAMES,
    SECTION_STACK,
    SECTIONS
};

/* A relocatable object with one pointer, to gnu_get_libc_version. */
struct version_object {
    Elf64_Ehdr header;
    Elf64_Shdr sections[SECTIONS];
    Elf64_Sym symbols[2];
    Elf64_Rela relocation;
    uint64_t pointer;
    char names[128];
};

#define PLACE(member) offsetof(struct version_object, member), sizeof(((struct version_object *)0)->member)

/* A section: name, type, flags, place and size, link, info, alignment, entries. */
static void set_section(struct version_object *o, int number, const char *name, Elf64_Shdr section)
{
    size_t at = 1;
    while (o->names[at])
        at += strlen(o->names + at) + 1;
    memcpy(o->names + at, name, strlen(name) + 1);
    section.sh_name = (Elf64_Word)at;
    o->sections[number] = section;
}

/* A program that needs no version of anything is taken for one from before there were versions: what it defines would stand for what the
 * runtime needs of the C library (packaging/private_references.c). So it needs something. */
static const char *write_version_object(const struct compilation *c)
{
    bool x86 = c->compiler.x86;
    struct version_object o = {
        .header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                   .e_type = ET_REL,
                   .e_machine = x86 ? EM_X86_64 : EM_AARCH64,
                   .e_version = EV_CURRENT,
                   .e_shoff = offsetof(struct version_object, sections),
                   .e_ehsize = sizeof(Elf64_Ehdr),
                   .e_shentsize = sizeof(Elf64_Shdr),
                   .e_shnum = SECTIONS,
                   .e_shstrndx = SECTION_NAMES},
        .symbols[1] = {.st_name = 1, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE)},
        .relocation = {.r_info = ELF64_R_INFO(1, x86 ? R_X86_64_64 : R_AARCH64_ABS64)},
        .names = "\0gnu_get_libc_version"};
    const Elf64_Shdr data = {0, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0, PLACE(pointer), 0, 0, 8, 0};
    const Elf64_Shdr relocations = {
        0, SHT_RELA,          SHF_INFO_LINK, 0, PLACE(relocation), SECTION_SYMBOLS, SECTION_DATA,
        8, sizeof(Elf64_Rela)};
    const Elf64_Shdr symbols = {0, SHT_SYMTAB, 0, 0, PLACE(symbols), SECTION_NAMES, 1, 8, sizeof(Elf64_Sym)};
    const Elf64_Shdr names = {0, SHT_STRTAB, 0, 0, PLACE(names), 0, 0, 1, 0};
    const Elf64_Shdr stack = {0, SHT_PROGBITS, 0, 0, offsetof(struct version_object, names), 0, 0, 0, 1, 0};
    set_section(&o, SECTION_DATA, ".data.rel.ro", data);
    set_section(&o, SECTION_RELOCATIONS, ".rela.data.rel.ro", relocations);
    set_section(&o, SECTION_SYMBOLS, ".symtab", symbols);
    set_section(&o, SECTION_NAMES, ".strtab", names);
    set_section(&o, SECTION_STACK, ".note.GNU-stack", stack);
    const char *path = word_print("%s/version.o", process_folder());
    if (!c->line.shows)
        write_file(path, &o, sizeof o);
    return path;
}

/* What the libraries that the runtime needs call while it works stays theirs, too: nothing that loads libraries or unwinds stacks, and no
 * malloc of the program's, for which the runtime itself calls it. Who has a version script decides alone. */
static void hide_names(const struct compilation *c, struct words *command)
{
    static const char script[] =
        "{ local: malloc; calloc; realloc; free; strlen; memcpy; memset; pthread_once; _dl_*; };\n";
    if (c->line.shared || c->line.version_script)
        return;
    const char *path = word_print("%s/hidden.map", process_folder());
    if (!c->line.shows)
        write_file(path, script, strlen(script));
    words_add(command, word_print("-Wl,--version-script=%s", path));
}

/* --- commands ------------------------------------------------------------------------------------ */

/* The runtime comes first: its symbols have to be found before those of libstdc++ and libc. */
static void add_program(const struct compilation *c, struct words *command, bool is_common)
{
    bool whole = !c->line.relocatable;
    if (whole) {
        WORDS_ADD(command, "-Wl,--push-state,--no-as-needed", "-lplumb-rt", "-Wl,--pop-state",
                  write_version_object(c));
        hide_names(c, command);
    }
    for (size_t i = 0; i < c->line.link.len; i++) {
        const struct link_word *word = &c->line.link.data[i];
        if (!word->text || !word->is_neutral || !is_common)
            words_add(command, word->text ? word->text : compile_object(word->source));
    }
    if (c->compiler.clang && c->line.sources.len && !is_common)
        words_add(command, "-Wno-unused-command-line-argument");
    if (whole)
        WORDS_ADD(command, word_print("-L%s", c->library), "-Xlinker", "-rpath", "-Xlinker", c->library,
                  "-Wl,-z,now", "-pthread");
}

/* Where any driver would do the same, gcc's does it, which starts faster than clang's. Its linker is the usual one: gold keeps none of a
 * program's names to itself (hide_names). What they say is not heard if they fail: the compiler's own driver is asked again. */
static bool link_quickly(const struct compilation *c)
{
    struct words command = {0};
    const char *driver = c->line.cxx ? "g++" : "gcc";
    if (!c->line.common_link || !c->compiler.is_native || !c->compiler.x86)
        return false;
    driver = c->compiler.clang ? path_find(driver) : c->compiler.command.list.data[0];
    if (!driver)
        return false;
    words_add(&command, driver);
    if (c->line.cxx && c->compiler.clang)
        words_add(
            &command,
            "-Wl,--no-as-needed"); /* clang++ always links the C++ library, which the runtime looks into */
    add_program(c, &command, true);
    int said = process_memory();
    bool done = process_run(&command, (struct process_streams){-1, -1, said}) == 0;
    if (done)
        process_say(said);
    else
        close(said);
    return done;
}

int link_program(const struct compilation *c)
{
    struct words command = {0};
    if (link_quickly(c))
        return 0;
    words_add_all(&command, &c->compiler.command);
    add_program(c, &command, false);
    return process_run_plainly(&command) ? WRAPPER_ERROR : 0;
}
