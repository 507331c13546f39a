/* SPDX-License-Identifier: Apache-2.0 */
#include "target/code/compiled.h"

#include "base/text.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
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
        snprintf(c->levels[c->level_count++], COMPILED_LEVEL_SIZE, "%s", level);
}

static int compare_places(const struct compiled_place *a, const struct compiled_place *b)
{
    int kinds = strcmp(a->kind, b->kind), files = strcmp(a->file, b->file);
    return kinds ? kinds : files ? files : (a->line > b->line) - (a->line < b->line);
}

/* By kind, file and line; each once. Takes over the file's name. */
static void insert_place(struct compiled *c, struct compiled_place one)
{
    size_t place = 0;
    while (place < c->places.len && compare_places(&c->places.data[place], &one) < 0)
        place++;
    if (place < c->places.len && compare_places(&c->places.data[place], &one) == 0) {
        free(one.file);
        return;
    }
    vec_push(&c->places, one);
    memmove(&c->places.data[place + 1], &c->places.data[place],
            (c->places.len - 1 - place) * sizeof *c->places.data);
    c->places.data[place] = one;
}

/* "plumb-unannounced streamed x.c:12", which plumb-as and plumb-instrument add. */
static bool add_place(struct compiled *c, const char *record)
{
    static const struct {
        const char *word, *kind;
    } kinds[] = {{"plumb-unannounced operand ", "memory operands of intrinsics"},
                 {"plumb-unannounced access ", "accesses that the compiler does not announce"},
                 {"plumb-unannounced streamed ", "the order of non-temporal stores"},
                 {"plumb-unannounced assembly ", "inline assembly that could not be marked"}};
    const char *colon = strrchr(record, ':');
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        size_t length = strlen(kinds[k].word);
        if (strncmp(record, kinds[k].word, length) != 0)
            continue;
        struct text file = {0};
        text_add(&file, record + length, colon > record + length ? (size_t)(colon - record) - length : 0);
        insert_place(c, (struct compiled_place){kinds[k].kind, text_take(&file),
                                                colon ? strtoul(colon + 1, NULL, 10) : 0});
        return true;
    }
    return false;
}

void compiled_free(struct compiled *c)
{
    for (size_t k = 0; k < c->places.len; k++)
        free(c->places.data[k].file);
    vec_free(&c->places);
}

void compiled_add_record(struct compiled *c, const char *record)
{
    char level[COMPILED_LEVEL_SIZE] = "-O0";
    bool instrumented = false, every_access = false, without_lto = false, filled = false, steps = false;
    if (add_place(c, record))
        return;
    if (strncmp(record, "rustc version ", strlen("rustc version ")) == 0)
        c->by_rustc = true;
    for (const char *word = record; *word; word += strspn(word, " ")) {
        size_t length = strcspn(word, " ");
        if (is_level(word, length))
            memcpy(level, word, length), level[length] = 0;
        if (strncmp(word, "-fsanitize=thread", strlen("-fsanitize=thread")) == 0)
            instrumented = true;
        /* what plumb-instrument needs */
        if (is_word(word, length, "-fsanitize-address-use-after-scope"))
            instrumented = steps = true;
        /* what plumb-cc adds where the user asks for no optimisation: gcc, clang */
        if (is_word(word, length, "-fno-tree-dce") || is_word(word, length, "-disable-O0-optnone"))
            every_access = true;
        if (is_word(word, length, "-fno-lto")) /* what plumb-cc makes of -flto */
            without_lto = true;
        if (strncmp(word, "-ftrivial-auto-var-init=", strlen("-ftrivial-auto-var-init=")) == 0)
            filled = is_word(word, length, "-ftrivial-auto-var-init=pattern"); /* the last one counts */
        /* what it adds where annotations are ignored: gcc, clang */
        if (is_word(word, length, "-fno-profile-values") ||
            is_word(word, length, "PLUMB_ANNOTATIONS_IGNORED"))
            c->unheeded = true;
        word += length;
    }
    bool by_gcc = strncmp(record, "GNU ", 4) == 0;
    c->by_gcc |= instrumented && by_gcc;
    c->has_classes |= instrumented && strncmp(record, "GNU C++", 7) == 0;
    c->by_clang |= instrumented && !by_gcc && !steps;
    c->in_steps |= steps;
    c->unfilled |= instrumented && !filled;
    if (instrumented && every_access)
        c->every_access = true;
    else if (instrumented)
        add_level(c, level);
    c->without_lto |= instrumented && !every_access && without_lto;
}

char *compiled_describe(const struct compiled *c)
{
    struct text t = {0};
    if (!c->level_count && c->every_access && !c->by_rustc)
        return NULL;
    if (!c->level_count && c->by_rustc)
        text_printf(&t, "as compiled by rustc%s", c->every_access ? " in some files" : "");
    else if (!c->level_count)
        text_puts(&t, "as compiled, with options that are not recorded");
    for (size_t k = 0; k < c->level_count; k++)
        text_printf(&t, "%s%s", k ? " and " : "as compiled with ", c->levels[k]);
    if (c->without_lto)
        text_puts(&t, ", without -flto");
    if (c->level_count && c->every_access)
        text_puts(&t, " in some files");
    if (c->level_count && c->by_rustc)
        text_puts(&t, " or by rustc");
    return text_take(&t);
}

/* ------------------------------------------------------------------ what hooks of others do not show */

static void add_classes(struct text *t, const struct compiled *c, bool is_proved, bool folds, bool is_llvm)
{
    text_puts(t, folds && !is_proved ? "folded expressions, " : "");
    text_puts(t, is_proved ? "structures by value" : "structures by value or overlapping");
    text_puts(t, folds && c->has_classes ? ", pointers to members" : "");
    text_puts(t, is_llvm ? ", accesses of unusual sizes" : "");
    text_puts(t, folds ? ", intrinsics" : "");
    text_puts(t, is_proved ? ", bit-fields, built-in functions"
                           : ", uninitialised memory, bounds and lifetimes of variables");
}

char *compiled_unshown(const struct compiled *c, bool is_proved)
{
    const bool is_unknown = c->has_others && !c->by_gcc && !c->by_clang && !c->by_rustc;
    const struct {
        bool is_there, folds, is_llvm;
        const char *name;
    } doors[] = {{c->by_gcc, true, false, "gcc"},
                 {c->by_clang, false, true, "clang's ThreadSanitizer"},
                 {c->by_rustc, false, true, "rustc"},
                 {is_unknown, true, true, "an unknown compiler"}};
    struct text t = {0};
    for (size_t k = 0; k < sizeof doors / sizeof *doors; k++) {
        bool is_alone = !c->in_steps;
        for (size_t other = 0; other < sizeof doors / sizeof *doors; other++)
            is_alone &= other == k || !doors[other].is_there;
        if (!doors[k].is_there)
            continue;
        text_printf(&t, "%swith %s%s: ", t.len ? "; " : "", doors[k].name, is_alone ? "" : " in some files");
        add_classes(&t, c, is_proved, doors[k].folds, doors[k].is_llvm);
    }
    return t.len ? text_take(&t) : NULL;
}

const char *compiled_memory(const struct compiled *c)
{
    return c->in_steps ? "bounds of members, and of thread-local and inline variables, through pointers "
                         "from elsewhere; what depends on values that were not initialised and went through "
                         "static variables, structures passed by value in memory, or functions such as "
                         "qsort (clang)"
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

/* .comment names the compiler, which is all that rustc records. */
static bool is_record(Elf *elf, size_t names, Elf_Scn *section)
{
    GElf_Shdr header;
    const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
    return name && (strcmp(name, ".GCC.command.line") == 0 || strcmp(name, ".comment") == 0);
}

/* The constructor that ThreadSanitizer's passes add calls this, and nothing else does. */
static void find_others(struct compiled *c, Elf_Scn *section, const GElf_Shdr *header, Elf *elf)
{
    GElf_Sym symbol;
    Elf_Data *data = elf_getdata(section, NULL);
    for (int k = 0; data && gelf_getsym(data, k, &symbol); k++) {
        const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
        c->has_others |= name && strcmp(name, "__tsan_init") == 0;
    }
}

static bool add_sections(struct compiled *c, Elf *elf)
{
    size_t names;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return false;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_DYNSYM)
            find_others(c, section, &header, elf);
        if (!is_record(elf, names, section))
            continue;
        Elf_Data *data = elf_rawdata(section, NULL);
        if (!data || !data->d_buf)
            return false;
        add_strings(c, data->d_buf, data->d_size);
    }
    return true;
}

bool compiled_read_file(struct compiled *c, const char *path)
{
    elf_version(EV_CURRENT);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
    bool is_read = elf && add_sections(c, elf);
    elf_end(elf);
    if (fd >= 0)
        close(fd);
    return is_read;
}
