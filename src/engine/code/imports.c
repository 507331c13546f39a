/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that the program calls in other libraries, through the global offset tables of its
 * modules. Some entries are made to lead through a few instructions of ours:
 * - atomic accesses and yields: from the place that spin.h has marked, the caller's registers are kept
 *   first;
 * - everything that may change or read what no hook announces: whatever the thread does, it is not in the
 *   same state as before;
 * - functions whose accesses the runtime knows, and functions of which nothing is known, lead to the
 *   runtime first (imports_enter). */
#include "engine/code/imports.h"

#include "base/check.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/vec.h"
#include "engine/engine.h"
#include "engine/fiber/fiber.h"
#include "engine/code/modules.h"
#include "engine/graph_mode/plain_steps.h"
#include "engine/memory/snapshot.h"
#include "engine/loop/live.h"
#include "engine/loop/spin.h"
#include "machine/known_calls.h"

#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { CALLS_OFFSET = 96 };
#else
enum { CALLS_OFFSET = 176 };
#endif
_Static_assert(offsetof(struct spin, since_effect) == 0 && offsetof(struct spin, entry) == 8 &&
                   offsetof(struct spin, calls) == CALLS_OFFSET,
               "as spin_enter.S has it");
_Static_assert(offsetof(struct spin_watch, current) == 0 && offsetof(struct spin_watch, pc) == 8 &&
                   offsetof(struct spin_watch, sp) == 16 && offsetof(struct spin_watch, frame) == 24 &&
                   offsetof(struct spin_watch, caller) == 32,
               "as the code has it");

enum { STUB_SIZE = 64, STUB_ROOM = 1 << 20 };

static struct {
    char *begin, *next, *end; /* room for stubs */
} stubs;

static VEC(struct import_call *) calls;
static struct hash_map call_numbers; /* by address and name of the function */

enum import_kind (*imports_classify)(struct import_call *call, bool is_runtime);
void (*imports_enter)(void);
struct import_call *imports_last;

/* ------------------------------------------------------------------ code */

/* clang-format off */
#if defined(__x86_64__)
enum {
    RELOCATION_SLOT = R_X86_64_JUMP_SLOT,
    RELOCATION_ADDRESS = R_X86_64_GLOB_DAT,
    RELOCATION_POINTER = R_X86_64_64,
};

/* Thread-local variables of another library. */
static bool is_storage_relocation(unsigned long type)
{
    return type == R_X86_64_TPOFF64 || type == R_X86_64_DTPMOD64 || type == R_X86_64_TLSDESC;
}

static const unsigned char watching_code[] = {
    0x48, 0x8b, 0x04, 0x24,                   /*  0 mov (%rsp), %rax */
    0x49, 0xbb, 0, 0, 0, 0, 0, 0, 0, 0,       /*  4 movabs $spin_watch, %r11 */
    0x49, 0x89, 0x63, 0x10,                   /* 14 mov %rsp, 16(%r11) */
    0x49, 0x89, 0x6b, 0x18,                   /* 18 mov %rbp, 24(%r11) */
    0x49, 0x89, 0x43, 0x20,                   /* 22 mov %rax, 32(%r11) */
    0x49, 0xba, 0, 0, 0, 0, 0, 0, 0, 0,       /* 26 movabs $function, %r10 */
    0x49, 0x39, 0x43, 0x08,                   /* 36 cmp %rax, 8(%r11) */
    0x74, 0x03,                               /* 40 je 45 */
    0x41, 0xff, 0xe2,                         /* 42 jmp *%r10 */
    0x4d, 0x8b, 0x1b,                         /* 45 mov (%r11), %r11 */
    0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0,       /* 48 movabs $spin_enter, %rax */
    0xff, 0xe0,                               /* 58 jmp *%rax */
};
enum { WATCHING_WATCH = 6, WATCHING_FUNCTION = 28, WATCHING_ANY = 0, WATCHING_ENTER = 50 };
/* Where no place is marked: registers are kept while the mark is 0. */
static const unsigned char any_place[] = {0x31, 0xc0, 0x66, 0x90}; /* xor %eax, %eax; nop */

static const unsigned char effect_code[] = {
    0x49, 0xbb, 0, 0, 0, 0, 0, 0, 0, 0,       /*  0 movabs $spin_watch, %r11 */
    0x49, 0x89, 0x63, 0x10,                   /* 10 mov %rsp, 16(%r11) */
    0x49, 0x89, 0x6b, 0x18,                   /* 14 mov %rbp, 24(%r11) */
    0x4c, 0x8b, 0x14, 0x24,                   /* 18 mov (%rsp), %r10 */
    0x4d, 0x89, 0x53, 0x20,                   /* 22 mov %r10, 32(%r11) */
    0x4d, 0x8b, 0x1b,                         /* 26 mov (%r11), %r11 */
    0x49, 0xc7, 0x03, 0, 0, 0, 0,             /* 29 movq $0, (%r11) */
    0x49, 0xbb, 0, 0, 0, 0, 0, 0, 0, 0,       /* 36 movabs $function, %r11 */
    0x41, 0xff, 0xe3,                         /* 46 jmp *%r11 */
};
enum { EFFECT_WATCH = 2, EFFECT_FUNCTION = 38 };

static const unsigned char call_code[] = {
    0x49, 0xba, 0, 0, 0, 0, 0, 0, 0, 0,       /*  0 movabs $spin_watch, %r10 */
    0x49, 0x89, 0x62, 0x10,                   /* 10 mov %rsp, 16(%r10) */
    0x49, 0x89, 0x6a, 0x18,                   /* 14 mov %rbp, 24(%r10) */
    0x4c, 0x8b, 0x1c, 0x24,                   /* 18 mov (%rsp), %r11 */
    0x4d, 0x89, 0x5a, 0x20,                   /* 22 mov %r11, 32(%r10) */
    0x49, 0xbb, 0, 0, 0, 0, 0, 0, 0, 0,       /* 26 movabs $call, %r11 */
    0x49, 0xba, 0, 0, 0, 0, 0, 0, 0, 0,       /* 36 movabs $imports_enter, %r10 */
    0x41, 0xff, 0xe2,                         /* 46 jmp *%r10 */
};
enum { CALL_WATCH = 2, CALL_CALL = 28, CALL_ENTER = 38 };
#else
enum {
    RELOCATION_SLOT = R_AARCH64_JUMP_SLOT,
    RELOCATION_ADDRESS = R_AARCH64_GLOB_DAT,
    RELOCATION_POINTER = R_AARCH64_ABS64,
};

static bool is_storage_relocation(unsigned long type)
{
    return type == R_AARCH64_TLS_TPREL || type == R_AARCH64_TLS_DTPMOD || type == R_AARCH64_TLSDESC;
}

static const uint32_t watching_code[] = {
    0x58000131,             /*  0 ldr x17, 36 */
    0x58000150,             /*  4 ldr x16, 44 */
    0xf9400629,             /*  8 ldr x9, [x17, #8] */
    0xeb1e013f,             /* 12 cmp x9, x30 */
    0x54000040,             /* 16 b.eq 24 */
    0xd61f0200,             /* 20 br x16 */
    0xf9400231,             /* 24 ldr x17, [x17] */
    0x580000c9,             /* 28 ldr x9, 52 */
    0xd61f0120,             /* 32 br x9 */
    0, 0, 0, 0, 0, 0,       /* 36 spin_watch, 44 function, 52 spin_enter */
};
enum { WATCHING_WATCH = 36, WATCHING_FUNCTION = 44, WATCHING_ANY = 12, WATCHING_ENTER = 52 };
static const uint32_t any_place[] = {0xf100013f}; /* cmp x9, #0 */

static const uint32_t effect_code[] = {
    0x580000b1,             /*  0 ldr x17, 20 */
    0xf9400231,             /*  4 ldr x17, [x17] */
    0xf900023f,             /*  8 str xzr, [x17] */
    0x58000090,             /* 12 ldr x16, 28 */
    0xd61f0200,             /* 16 br x16 */
    0, 0, 0, 0,             /* 20 spin_watch, 28 function */
};
enum { EFFECT_WATCH = 20, EFFECT_FUNCTION = 28 };

static const uint32_t call_code[] = {
    0x58000091,             /*  0 ldr x17, 16 */
    0x580000b0,             /*  4 ldr x16, 24 */
    0xd61f0200,             /*  8 br x16 */
    0xd503201f,             /* 12 nop */
    0, 0, 0, 0,             /* 16 call, 24 imports_enter */
};
enum { CALL_WATCH = 0, CALL_CALL = 16, CALL_ENTER = 24 }; /* the stack pointer is not kept */
#endif
/* clang-format on */

_Static_assert(sizeof watching_code <= STUB_SIZE && sizeof effect_code <= STUB_SIZE, "fit");

static void put_word(char *at, uint64_t word)
{
    memcpy(at, &word, sizeof word);
}

static char *make_stub(bool watches, uint64_t function)
{
    char *stub = stubs.next;
    CHECK(stub + STUB_SIZE <= stubs.end);
    stubs.next += STUB_SIZE;
    if (watches) {
        memcpy(stub, watching_code, sizeof watching_code);
        put_word(stub + WATCHING_WATCH, (uint64_t)&spin_watch);
        put_word(stub + WATCHING_FUNCTION, function);
        put_word(stub + WATCHING_ENTER, (uint64_t)spin_enter);
        if (engine_graph_mode)
            memcpy(stub + WATCHING_ANY, any_place, sizeof any_place);
    } else {
        memcpy(stub, effect_code, sizeof effect_code);
        put_word(stub + EFFECT_WATCH, (uint64_t)&spin_watch);
        put_word(stub + EFFECT_FUNCTION, function);
    }
    return stub;
}

static char *make_call_stub(struct import_call *call)
{
    char *stub = stubs.next;
    CHECK(stub + STUB_SIZE <= stubs.end);
    stubs.next += STUB_SIZE;
    memcpy(stub, call_code, sizeof call_code);
    if (CALL_WATCH)
        put_word(stub + CALL_WATCH, (uint64_t)&spin_watch);
    put_word(stub + CALL_CALL, (uint64_t)call);
    put_word(stub + CALL_ENTER, (uint64_t)imports_enter);
    return stub;
}

/* ------------------------------------------------------------------ which functions */

enum treatment { LEFT_ALONE, WATCHED, EFFECT };

/* By the compiler or plumb-instrument, and the runtime has it. */
static bool is_inserted(const char *name)
{
    static const char *const own[] = {"__plumb_scope_begin",
                                      "__plumb_scope_end",
                                      "__plumb_scope_object",
                                      "__plumb_note_objects",
                                      "__plumb_note_thread_object",
                                      "__plumb_undefined_declare",
                                      "__plumb_undefined_define",
                                      "__plumb_undefined_get",
                                      "__plumb_undefined_put",
                                      "__plumb_undefined_read",
                                      "__plumb_undefined_write",
                                      "__plumb_undefined_arguments",
                                      "__plumb_undefined_result",
                                      "__plumb_undefined_fail",
                                      "__plumb_bounds_fail",
                                      "__sanitizer_annotate_contiguous_container",
                                      NULL};
    return strncmp(name, "__tsan_", 7) == 0 || strncmp(name, "__ubsan_", 8) == 0 || text_is_one_of(name, own);
}

static enum treatment treatment_of(const char *name)
{
    static const char *const quiet[] = {"plumb_call_begin",
                                        "plumb_call_pointee",
                                        "plumb_call_run",
                                        "plumb_call_finish",
                                        "plumb_call_end",
                                        "plumb_call_leave",
                                        "plumb_quiet",
                                        "plumb_quiet_at",
                                        "plumb_object",
                                        "plumb_point",
                                        "gnu_get_libc_version", /* plumb-cc wants it to be there */
                                        NULL};
    if (plain_steps_on && strncmp(name, "__tsan_", 7) == 0 && strstr(name, "read"))
        return WATCHED; /* a loop may wait with plain reads */
    enum known_call_kind kind = known_call_kind_of(name);
    if (strcmp(name, "syscall") == 0)
        return WATCHED; /* says itself whether it has an effect */
    if (strncmp(name, "__tsan_atomic", 13) == 0 || kind == CALL_YIELDS || kind == CALL_SLEEPS ||
        kind == CALL_TRIES)
        return WATCHED;
    if (live_wanted && kind == CALL_STEPS)
        return WATCHED; /* live states are about steps */
    if (live_wanted && strcmp(name, "clock_gettime") == 0)
        return LEFT_ALONE; /* says itself whether it matters */
    /* Where blocks end and variables lie decides about errors only. */
    if (is_inserted(name) || kind == CALL_QUIET || text_is_one_of(name, quiet))
        return LEFT_ALONE;
    return EFFECT;
}

bool imports_are_few;
bool imports_has_annotations;

static bool is_one_of_few(const char *name)
{
    static const char *const few[] = {"pthread_create",
                                      "pthread_join",
                                      "pthread_detach",
                                      "pthread_exit",
                                      "pthread_self",
                                      "pthread_attr_init",
                                      "pthread_attr_setdetachstate",
                                      "pthread_attr_destroy",
                                      "thrd_create",
                                      "thrd_join",
                                      "thrd_detach",
                                      "thrd_exit",
                                      "thrd_current",
                                      "exit",
                                      "_exit",
                                      "_Exit",
                                      "quick_exit",
                                      "__libc_start_main",
                                      "__stack_chk_fail",
                                      "__cxa_finalize",
                                      "__assert_fail",
                                      "abort",
                                      "malloc",
                                      "calloc",
                                      "memcpy", /* which structures are copied by: the runtime's */
                                      "memmove",
                                      "memset",
                                      "_Unwind_Resume", /* of a thread that ends inside of a function */
                                      "__gcc_personality_v0",
                                      "_ITM_registerTMCloneTable",
                                      "__gmon_start__",
                                      "gnu_get_libc_version",
                                      "_ITM_deregisterTMCloneTable",
                                      NULL};
    return is_inserted(name) || text_is_one_of(name, few);
}

/* ------------------------------------------------------------------ tables */

/* The table may be read-only by now; it stays writable, for the runtime alone: nothing else writes there. */
static void redirect(uint64_t *slot, const char *stub)
{
    uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);
    void *page = (void *)((uintptr_t)slot & ~(size - 1));
    if (mprotect(page, size, PROT_READ | PROT_WRITE) == 0)
        *slot = (uint64_t)stub;
}

static void note_import(const struct module *m, size_t number)
{
    if (number == 0)
        return;
    const ElfW(Sym) *symbol = m->symbols ? &m->symbols[number] : NULL;
    if (symbol && strcmp(m->names + symbol->st_name, "plumb_call_begin") == 0)
        imports_has_annotations = true;
    if (!symbol || (symbol->st_shndx == SHN_UNDEF && !is_one_of_few(m->names + symbol->st_name)))
        imports_are_few = false;
}

/* One call for each function, for all callers: its address has to be the same for all of them. */
static struct import_call *find_call(uint64_t function, const char *name, const struct module *owner)
{
    /* two names of one function may have different lines */
    uint32_t *number = hash_map_at(&call_numbers, hash_combine(function, hash_bytes(name, strlen(name))));
    if (*number != HASH_NO_NUMBER)
        return calls.data[*number];
    struct import_call *call = NEW_ZEROED(struct import_call, 1);
    *call = (struct import_call){.function = function, .name = name, .library = owner ? owner->name : ""};
    *number = (uint32_t)calls.len;
    vec_push(&calls, call);
    return call;
}

static char *stub_of_call(struct import_call *call)
{
    if (!call->stub)
        call->stub = make_call_stub(call);
    return call->stub;
}

/* The stub that calls of the function are to go through; null: none. */
static char *choose_stub(const struct module *caller, uint64_t function, const char *name)
{
    const struct module *owner = modules_of((const void *)function);
    bool is_runtime = snapshot_is_runtime_code((const void *)function);
    bool is_system = snapshot_is_system_code((const void *)function);
    bool is_code = is_system || snapshot_is_program((const void *)function);
    if (!owner || !is_code || (!is_system && (owner->is_instrumented || !caller->is_instrumented)))
        return NULL;
    enum treatment treatment = is_system ? treatment_of(name) : EFFECT;
    if (treatment == LEFT_ALONE)
        return NULL;
    if (treatment == EFFECT && !is_runtime)
        fiber_switch_storage(); /* libraries keep things per thread */
    if (treatment == EFFECT && imports_classify && caller->is_instrumented) {
        struct import_call *call = find_call(function, name, owner);
        enum import_kind kind = imports_classify(call, is_runtime);
        if (kind != IMPORT_HARMLESS)
            return stub_of_call(call);
    }
    return make_stub(treatment == WATCHED, function);
}

static void visit_relocation(const struct module *m, const ElfW(Rela) * r)
{
    unsigned long type = ELF64_R_TYPE(r->r_info);
    note_import(m, ELF64_R_SYM(r->r_info));
    if (is_storage_relocation(type))
        fiber_switch_storage();
    bool is_pointer = type == RELOCATION_POINTER && r->r_addend == 0 && ELF64_R_SYM(r->r_info);
    if (type != RELOCATION_SLOT && type != RELOCATION_ADDRESS && !is_pointer)
        return;
    uint64_t *slot = (uint64_t *)(m->base + r->r_offset);
    char *stub = m->symbols ? choose_stub(m, *slot, modules_symbol(m, r)) : NULL;
    if (stub)
        redirect(slot, stub);
}

static void visit_module(const struct module *m)
{
    for (int table = 0; table < 2; table++)
        for (size_t r = 0; r < m->counts[table]; r++)
            visit_relocation(m, &m->relocations[table][r]);
}

static int visit_storage(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    (void)data;
    for (int k = 0; k < info->dlpi_phnum && !snapshot_is_system_library(info->dlpi_name); k++)
        if (info->dlpi_phdr[k].p_type == PT_TLS)
            fiber_switch_storage();
    return 0;
}

bool imports_is_watching(const void *pc)
{
    const char *at = pc;
    if (at < stubs.begin || at >= stubs.next)
        return false;
    const char *stub = at - (at - stubs.begin) % STUB_SIZE;
    return memcmp(stub, watching_code, sizeof(uint32_t)) == 0;
}

void imports_redirect(void)
{
    char *room = mmap(NULL, STUB_ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        base_out_of_memory();
    stubs.begin = stubs.next = room;
    stubs.end = room + STUB_ROOM;
    imports_are_few = true;
    dl_iterate_phdr(visit_storage, NULL);
    modules_find();
    for (size_t k = 0; k < modules_count(); k++)
        if (!modules_at(k)->is_system)
            visit_module(modules_at(k));
    __builtin___clear_cache(room, stubs.next);
    if (mprotect(room, STUB_ROOM, PROT_READ | PROT_EXEC) != 0)
        base_out_of_memory();
}
