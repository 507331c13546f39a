/* SPDX-License-Identifier: Apache-2.0 */
#include "rt/start.h"

#include "base/check.h"
#include "engine/shared/worker_result.h"
#include "rt/hook.h"
#include "rt/library/library.h"
#include "rt/access/sections.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <unistd.h>
#include <unwind.h>

bool start_is_worker;
struct worker_shared *start_shared;
bool start_has_begun;
uint32_t hook_stamp = 0x504c0001;

enum { LIBRARIES = 8 };

static struct {
    uintptr_t from, to;
} libraries[LIBRARIES];
static unsigned library_count;

void *hook_find_next(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    CHECK(function);
    return function;
}

bool hook_is_library_code(const void *pc)
{
    for (unsigned k = 0; k < library_count; k++)
        if (libraries[k].from <= (uintptr_t)pc && (uintptr_t)pc < libraries[k].to)
            return true;
    return false;
}

static int note_library(struct dl_phdr_info *info, size_t size, void *data)
{
    if (!strstr(info->dlpi_name, "/libstdc++") && !strstr(info->dlpi_name, "/libc++") &&
        !strstr(info->dlpi_name, "/libgcc_s"))
        return 0;
    for (int k = 0; k < info->dlpi_phnum && library_count < LIBRARIES; k++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[k];
        if (h->p_type != PT_LOAD || !(h->p_flags & PF_X))
            continue;
        libraries[library_count].from = info->dlpi_addr + h->p_vaddr;
        libraries[library_count++].to = info->dlpi_addr + h->p_vaddr + h->p_memsz;
    }
    return 0;
}

/* ------------------------------------------------------------------ before main */

static enum { NOTHING, SOMETHING, ASKED } noted;

static _Unwind_Reason_Code look_for_library(struct _Unwind_Context *frame, void *found)
{
    *(bool *)found |= hook_is_library_code((const void *)_Unwind_GetIP(frame));
    return *(bool *)found ? _URC_END_OF_STACK : _URC_NO_REASON;
}

/* Streams of C++ are made by functions of templates, which the program may have, too. */
void hook_note_before(const void *pc)
{
    bool by_library = false;
    if (noted != NOTHING || !snapshot_is_program(pc))
        return;
    _Unwind_Backtrace(look_for_library, &by_library);
    if (!by_library)
        noted = SOMETHING;
}

bool hook_ran_before(void)
{
    bool ran = noted == SOMETHING;
    noted = ASKED;
    return ran;
}

/* Before constructors of the program, which might change what is asked or take the key. */
static void map_shared(void)
{
    int fd = atoi(getenv(PROTOCOL_VARIABLE));
    void *memory = mmap(NULL, sizeof *start_shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    start_shared = memory;
    if (memory == MAP_FAILED || start_shared->config.magic != PROTOCOL_MAGIC)
        _exit(70);
    close(fd);
    sign_off_take(&start_shared->sign_off);
    worker_result_tally.is_kept = true; /* nothing has run yet */
}

__attribute__((constructor(101))) static void prepare(void)
{
    real_resolve();
    start_is_worker = getenv(PROTOCOL_VARIABLE) != NULL;
    snapshot_find_code();
    dl_iterate_phdr(note_library, NULL);
    ending_prepare();
    if (!start_is_worker)
        return;
    map_shared();
    sections_prepare();
}

void start_refuse(const char *what, const void *pc)
{
    struct worker_shared *s = start_shared;
    snprintf(s->unsupported, sizeof s->unsupported, "%s before main", what);
    s->unsupported_pc = (uint64_t)pc;
    s->limits |= LIMIT_UNSUPPORTED;
    snapshot_list_modules(s); /* where the place is */
    worker_result_end(s, WORKER_DONE);
}

typedef int main_function(int, char **, char **);

static main_function *program_main;

/* The C++ libraries make their first locale when it is needed, and keep it. The numbers of its facets may be copies
 * in the program's memory, which is put back: they have to be there before the snapshot. */
static void make_first_locale(void)
{
    static const char *const names[] = {"_ZNSt6locale7classicEv", "_ZNSt3__16locale7classicEv"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const void *(*classic)(void) = (const void *(*)(void))dlsym(RTLD_DEFAULT, names[k]);
        if (classic)
            classic();
    }
}

static int run_worker(int argc, char **argv, char **environment)
{
    start_has_begun = true;
    __libc_single_threaded = false; /* may be a copy in the program's memory, and so in every execution */
    make_first_locale();
    library_prepare();
    worker_main(program_main, argc, argv, environment);
}

/* The C library's entry calls this with the program's main; a worker gets another one. */
EXPORT int __libc_start_main(main_function *program, int argc, char **argv, void (*init)(void),
                             void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    __typeof__(__libc_start_main) *next =
        (__typeof__(__libc_start_main) *)dlsym(RTLD_NEXT, "__libc_start_main");
    program_main = program;
    return next(start_is_worker ? run_worker : program, argc, argv, init, fini, rtld_fini, stack_end);
}
