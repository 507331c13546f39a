/* SPDX-License-Identifier: Apache-2.0 */
#include "target/compiled.h"

#include "base/text.h"

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

/* ------------------------------------------------------------------ records */

static bool is_word(const char *word, size_t length, const char *wanted)
{
    return length == strlen(wanted) && memcmp(word, wanted, length) == 0;
}

/* -O, -O2, -Ofast, but not -ObjC */
static bool is_level(const char *word, size_t length)
{
    return length >= 2 && length < COMPILED_LEVEL_SIZE && memcmp(word, "-O", 2) == 0 &&
           (length == 2 || strchr("0123456789sgzf", word[2]));
}

static void add_level(struct compiled *c, const char *level)
{
    for (size_t k = 0; k < c->level_count; k++)
        if (strcmp(c->levels[k], level) == 0)
            return;
    if (c->level_count < COMPILED_LEVELS)
        strcpy(c->levels[c->level_count++], level);
}

void compiled_add_record(struct compiled *c, const char *record)
{
    char level[COMPILED_LEVEL_SIZE] = "-O0";
    bool instrumented = false, every_access = false, filled = false;
    for (const char *word = record; *word; word += strspn(word, " ")) {
        size_t length = strcspn(word, " ");
        if (is_level(word, length))
            memcpy(level, word, length), level[length] = 0;
        if (strncmp(word, "-fsanitize=thread", strlen("-fsanitize=thread")) == 0)
            instrumented = true;
        /* what tools/plumb-cc adds where the user asks for no optimisation: gcc, clang */
        if (is_word(word, length, "-fno-tree-dce") || is_word(word, length, "-disable-O0-optnone"))
            every_access = true;
        if (strncmp(word, "-ftrivial-auto-var-init=", strlen("-ftrivial-auto-var-init=")) == 0)
            filled = is_word(word, length, "-ftrivial-auto-var-init=pattern"); /* the last one counts */
        word += length;
    }
    c->by_gcc |= instrumented && strncmp(record, "GNU ", 4) == 0;
    c->by_clang |= instrumented && strncmp(record, "GNU ", 4) != 0;
    c->unfilled |= instrumented && !filled;
    if (instrumented && every_access)
        c->every_access = true;
    else if (instrumented)
        add_level(c, level);
}

char *compiled_describe(const struct compiled *c)
{
    struct text t = {0};
    if (!c->level_count && c->every_access)
        return NULL;
    if (!c->level_count)
        text_puts(&t, "as compiled, with options that are not recorded");
    for (size_t k = 0; k < c->level_count; k++)
        text_printf(&t, "%s%s", k ? " and " : "as compiled with ", c->levels[k]);
    if (c->level_count && c->every_access)
        text_puts(&t, " in some files");
    return text_take(&t);
}

const char *compiled_unannounced(const struct compiled *c)
{
    return c->by_gcc     ? "structures that calls take or return by value, memory operands of vector intrinsics (gcc)"
           : c->by_clang ? "structures that calls take by value in memory (clang)"
                         : NULL;
}

/* ------------------------------------------------------------------ files */

/* The strings of a section, which may end without their last zero byte. */
static void add_strings(struct compiled *c, const char *bytes, size_t size)
{
    while (size) {
        size_t length = strnlen(bytes, size);
        struct text record = {0};
        text_add(&record, bytes, length);
        if (record.len)
            compiled_add_record(c, record.data);
        text_free(&record);
        length += length < size;
        bytes += length;
        size -= length;
    }
}

static bool is_record(Elf *elf, size_t names, Elf_Scn *section)
{
    GElf_Shdr header;
    const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
    return name && strcmp(name, ".GCC.command.line") == 0;
}

static void add_sections(struct compiled *c, Elf *elf)
{
    size_t names;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        Elf_Data *data = is_record(elf, names, section) ? elf_rawdata(section, NULL) : NULL;
        if (data && data->d_buf)
            add_strings(c, data->d_buf, data->d_size);
    }
}

struct compiled compiled_read_file(const char *path)
{
    struct compiled c = {0};
    elf_version(EV_CURRENT);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
    if (elf)
        add_sections(&c, elf);
    elf_end(elf);
    if (fd >= 0)
        close(fd);
    return c;
}
