/* SPDX-License-Identifier: Apache-2.0 */
#include "target/code/foreign.h"

#include "base/text.h"
#include "target/code/program_code.h"
#include "target/symbols/symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What has been found, and where the search is. */
struct search {
    struct program_code code;
    const struct code_function *function;
    bool mark_begins;
    uint64_t marked_from, marked_to; /* inline assembly that the runtime runs */
    unsigned atomics;
    struct machine_instruction first;
    const struct code_function *first_in;
};

/* --- the program's variables --------------------------------------------------------------------- */

static bool is_in(const GElf_Phdr *segment, uint64_t address)
{
    return address >= segment->p_vaddr && address - segment->p_vaddr < segment->p_memsz;
}

/* Can what is there change, after the program was loaded? */
static bool is_variable(Elf *elf, uint64_t address)
{
    GElf_Phdr segment;
    size_t count;
    bool variable = false;
    if (elf_getphdrnum(elf, &count) != 0)
        return false;
    for (int k = 0; k < (int)count; k++) {
        if (!gelf_getphdr(elf, k, &segment) || !is_in(&segment, address))
            continue;
        if (segment.p_type == PT_GNU_RELRO)
            return false;
        variable |= segment.p_type == PT_LOAD && segment.p_flags & PF_W;
    }
    return variable;
}

/* --- functions ----------------------------------------------------------------------------------- */

/* Of a function without hooks that plumb-cc compiled nothing is left to announce: it accesses its own stack at most. */
static bool accesses_memory(Elf *elf, const struct machine_instruction *i)
{
    const struct machine_memory *m = &i->memory;
    bool own_stack = i->kind == KIND_LEAVE; /* what it reads is no operand */
    if (i->flow != FLOW_ON || i->access == ACCESS_NONE || m->own || own_stack || !*i->name)
        return false;
    if (i->access != ACCESS_OPERAND)
        return true;
    if (m->base == MACHINE_STACK || m->base == MACHINE_FRAME)
        return false;
    bool fixed = m->base == MACHINE_NO_REGISTER && m->index == MACHINE_NO_REGISTER;
    return !fixed || is_variable(elf, (uint64_t)m->distance);
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
        if (text_starts_with(name, names[k]))
            return true;
    return false;
}

/* --- atomic instructions ------------------------------------------------------------------------- */

/* The number in a nop of the form that plumb-as writes: one with a magic number, then one with the length of what follows. */
static bool is_mark(const struct machine_instruction *i, uint32_t *number)
{
    *number = (uint32_t)i->memory.distance;
    return i->kind == KIND_NOTHING && i->memory.base == 0 && i->memory.index == 0 && i->memory.scale == 1;
}

static bool note_mark(struct search *s, const struct machine_instruction *i)
{
    static const uint32_t MAGIC = 0x73416c50, LENGTH = 0x3fffffff;
    uint32_t number;
    bool mark = is_mark(i, &number);
    if (mark && s->mark_begins) {
        s->marked_from = i->next;
        s->marked_to = i->next + (number & LENGTH);
    }
    s->mark_begins = mark && number == MAGIC;
    return s->mark_begins;
}

static void note_atomic(struct search *s, const struct machine_instruction *i)
{
    if (s->atomics++)
        return;
    s->first = *i;
    s->first_in = s->function;
}

/* --- what only the processor knows --------------------------------------------------------------- */

static char *name_query(const struct search *s, const struct machine_instruction *i)
{
    struct text t = {0};
    text_printf(&t, "%s in %s", i->name, s->function->name);
    return text_take(&t);
}

/* --- both ---------------------------------------------------------------------------------------- */

static void search_function(struct search *s, struct foreign *f)
{
    struct machine_instruction i = {0};
    bool has_hook = false, has_access = false;
    bool is_own = !is_start_file(s->function->name) || text_starts_with(s->function->name, "plumb_op_") ||
                  text_starts_with(s->function->name, "plumb_run_"); /* into which operations are inlined */
    while (program_code_next(s->function, &i)) {
        if ((i.kind == KIND_QUERY || i.kind == KIND_SYSTEM) && is_own && !f->query)
            f->query = name_query(s, &i);
        has_hook |= note_mark(s, &i) || text_starts_with(program_code_callee(&s->code, &i), "__tsan_");
        if (i.locked && !(i.address >= s->marked_from && i.address < s->marked_to))
            note_atomic(s, &i);
        has_access = has_access || (!has_hook && accesses_memory(s->code.elf, &i));
    }
    if (has_access && !has_hook && !is_start_file(s->function->name))
        vec_push(&f->functions, strdup(s->function->name));
}

static char *describe(const struct search *s, const char *path)
{
    struct text t = {0}, place = {0};
    struct worker_module module = {0};
    struct diagnostic ignored = {0};
    snprintf(module.path, sizeof module.path, "%s", path);
    struct symbols *symbols = symbols_open(&module, 1, &ignored);
    symbols_add_place(symbols, s->first.address + 1, &place);
    symbols_close(symbols);
    text_printf(&t, "%s%s in %s", s->first.lock_prefix ? "lock " : "", s->first.name, s->first_in->name);
    if (place.len)
        text_printf(&t, " (%s)", place.data);
    if (s->atomics > 1)
        text_printf(&t, " and %u more", s->atomics - 1);
    text_free(&place);
    return text_take(&t);
}

struct foreign foreign_find(const char *path)
{
    struct foreign f = {0};
    struct search s = {0};
    struct text t = {0};
    if (program_code_open(&s.code, path)) {
        for (size_t k = 0; k < s.code.functions.len; k++) {
            s.function = &s.code.functions.data[k];
            search_function(&s, &f);
        }
        f.atomics = s.atomics ? describe(&s, path) : NULL;
    } else {
        text_printf(&t, "the code cannot be read%s%s", *machine_decoder ? " by " : "", machine_decoder);
        f.atomics = text_take(&t);
    }
    program_code_close(&s.code);
    return f;
}

void foreign_free(struct foreign *f)
{
    for (size_t k = 0; k < f->functions.len; k++)
        free(f->functions.data[k]);
    vec_free(&f->functions);
    free(f->query);
}
