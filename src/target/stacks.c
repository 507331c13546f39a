/* SPDX-License-Identifier: Apache-2.0 */
#include "target/stacks.h"

#include "base/memory.h"

#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ unwinding */

static int add_frame(Dwfl_Frame *frame, void *context)
{
    struct target_stack *stack = context;
    Dwarf_Addr pc;
    bool interrupted;
    if (!dwfl_frame_pc(frame, &pc, &interrupted))
        return DWARF_CB_ABORT;
    if (interrupted)
        stack->count = 0; /* what is above is the handler of the signal */
    /* Else it is the address that a call returns to. */
    stack->pcs[stack->count++] = interrupted ? pc + 1 : pc;
    return stack->count < TARGET_FRAMES_MOST ? DWARF_CB_OK : DWARF_CB_ABORT;
}

static int add_thread(Dwfl_Thread *thread, void *context)
{
    struct target_stacks *stacks = context;
    struct target_stack stack = {.tid = dwfl_thread_tid(thread)};
    dwfl_thread_getframes(thread, add_frame, &stack); /* an error ends the stack; what is there counts */
    vec_push(&stacks->threads, stack);
    return DWARF_CB_OK;
}

static bool fail(struct diagnostic *why)
{
    return diagnostic_set(why, PL_CANNOT_RUN, 0, 0, "the stacks of the process cannot be read: %s",
                          dwfl_errmsg(-1));
}

static bool unwind(struct target_stacks *stacks, Dwfl *dwfl, pid_t pid, struct diagnostic *why)
{
    if (dwfl_linux_proc_report(dwfl, pid) != 0 || dwfl_report_end(dwfl, NULL, NULL) != 0 ||
        dwfl_linux_proc_attach(dwfl, pid, false) != 0)
        return fail(why);
    return dwfl_getthreads(dwfl, add_thread, stacks) == 0 || stacks->threads.len || fail(why);
}

/* ------------------------------------------------------------------ names */

typedef VEC(struct worker_module) module_list;

static int add_module(Dwfl_Module *module, void **unused, const char *name, Dwarf_Addr start, void *context)
{
    module_list *modules = context;
    const char *file = NULL;
    GElf_Addr bias;
    (void)unused, (void)start;
    if (!dwfl_module_getelf(module, &bias))
        return DWARF_CB_OK;
    dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, &file, NULL);
    struct worker_module m = {.base = bias};
    snprintf(m.path, sizeof m.path, "%s", file ? file : name);
    vec_push(modules, m);
    return DWARF_CB_OK;
}

static struct symbols *open_symbols(Dwfl *dwfl)
{
    OWNED module_list modules = {0};
    struct diagnostic ignored = {0};
    dwfl_getmodules(dwfl, add_module, &modules, 0);
    return symbols_open(modules.data, (uint32_t)modules.len, &ignored);
}

bool target_stacks_take(struct target_stacks *stacks, pid_t pid, struct diagnostic *why)
{
    static char *no_path; /* separate files with debug information are not looked for */
    static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_linux_proc_find_elf,
                                             .find_debuginfo = dwfl_standard_find_debuginfo,
                                             .debuginfo_path = &no_path};
    *stacks = (struct target_stacks){0};
    Dwfl *dwfl = dwfl_begin(&callbacks);
    if (!dwfl)
        return fail(why);
    bool taken = unwind(stacks, dwfl, pid, why);
    stacks->symbols = open_symbols(dwfl);
    dwfl_end(dwfl); /* threads go on */
    return taken;
}

void target_stacks_free(struct target_stacks *stacks)
{
    if (stacks->symbols)
        symbols_close(stacks->symbols);
    vec_free(&stacks->threads);
}

const struct target_stack *target_stacks_of(const struct target_stacks *stacks, pid_t tid)
{
    for (size_t i = 0; i < stacks->threads.len; i++)
        if (stacks->threads.data[i].tid == tid)
            return &stacks->threads.data[i];
    return NULL;
}

/* ------------------------------------------------------------------ text */

static void add_line(target_frames *out, const struct symbol_frame *f)
{
    struct text line = {0};
    text_puts(&line, f->function ? f->function : "?");
    if (f->file && f->line)
        text_printf(&line, " at %s:%u", f->file, f->line);
    vec_push(out, text_take(&line));
}

static void describe(const struct target_stacks *stacks, const struct target_stack *stack, bool all,
                     target_frames *out)
{
    for (uint32_t i = 0; i < stack->count; i++) {
        struct symbol_place place;
        bool known = symbols_line(stacks->symbols, stack->pcs[i], &place);
        if (!known && all)
            add_line(out, &place.at);
        for (uint32_t k = 0; known && k < place.frame_count; k++)
            if (all || !place.frames[k].file || !symbols_is_system_file(place.frames[k].file))
                add_line(out, &place.frames[k]);
    }
}

void target_stacks_describe(const struct target_stacks *stacks, const struct target_stack *stack,
                            target_frames *out)
{
    size_t before = out->len;
    describe(stacks, stack, false, out);
    if (out->len == before)
        describe(stacks, stack, true, out);
}
