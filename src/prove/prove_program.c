/* SPDX-License-Identifier: Apache-2.0 */
/* The executable: its writable memory, its thread-local variables, and the functions of other files that it calls. Of these,
 * some become hooks, some are left as they are, and all others are refused by name when an operation calls them. */
#include "prove/prove.h"

#include "base/check.h"
#include "base/memory.h"
#include "base/vec.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void prove_hook_malloc(void), prove_hook_calloc(void), prove_hook_aligned(void), prove_hook_free(void);
void prove_hook_lock(void), prove_hook_trylock(void), prove_hook_unlock(void), prove_hook_lock_init(void);
void prove_hook_lock_destroy(void), prove_hook_yield(void), prove_hook_abort(void), prove_hook_assert(void);
void prove_hook_timed_wait(void), prove_hook_timed_lock(void), prove_hook_clock(void);
void prove_hook_wait(void), prove_hook_wait_cxx(void), prove_hook_signal(void), prove_hook_broadcast(void);
void prove_hook_wait_init(void), prove_hook_wait_new(void), prove_hook_wait_destroy(void);
void prove_hook_memcpy(void), prove_hook_memset(void);

static const struct {
    const char *name;
    void (*hook)(void);
} hooks[] = {
    {"malloc", prove_hook_malloc},
    {"calloc", prove_hook_calloc},
    {"aligned_alloc", prove_hook_aligned},
    {"free", prove_hook_free},
    {"_Znwm", prove_hook_malloc},
    {"_Znam", prove_hook_malloc},
    {"_ZdlPv", prove_hook_free},
    {"_ZdlPvm", prove_hook_free},
    {"_ZdaPv", prove_hook_free},
    {"_ZdaPvm", prove_hook_free},
    {"pthread_mutex_lock", prove_hook_lock},
    {"pthread_mutex_trylock", prove_hook_trylock},
    {"pthread_mutex_unlock", prove_hook_unlock},
    {"pthread_mutex_init", prove_hook_lock_init},
    {"pthread_mutex_destroy", prove_hook_lock_destroy},
    {"mtx_lock", prove_hook_lock},
    {"mtx_unlock", prove_hook_unlock},
    {"mtx_init", prove_hook_lock_init}, /* mtx_plain is 0, as no attributes are */
    {"mtx_destroy", prove_hook_lock_destroy},
    {"pthread_cond_wait", prove_hook_wait},
    {"pthread_cond_signal", prove_hook_signal},
    {"pthread_cond_broadcast", prove_hook_broadcast},
    {"pthread_cond_init", prove_hook_wait_init},
    {"pthread_cond_destroy", prove_hook_wait_destroy},
    {"pthread_cond_timedwait", prove_hook_timed_wait},
    {"pthread_cond_clockwait", prove_hook_timed_wait},
    {"pthread_mutex_timedlock", prove_hook_timed_lock},
    {"pthread_mutex_clocklock", prove_hook_timed_lock},
    {"clock_gettime", prove_hook_clock},
    {"cnd_wait", prove_hook_wait},
    {"cnd_signal", prove_hook_signal},
    {"cnd_broadcast", prove_hook_broadcast},
    {"cnd_init", prove_hook_wait_new},
    {"cnd_destroy", prove_hook_wait_destroy},
    {"_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE", prove_hook_wait_cxx},
    {"_ZNSt18condition_variable10notify_oneEv", prove_hook_signal},
    {"_ZNSt18condition_variable10notify_allEv", prove_hook_broadcast},
    {"_ZNSt18condition_variableC1Ev", prove_hook_wait_new},
    {"_ZNSt18condition_variableD1Ev", prove_hook_wait_destroy},
    {"sched_yield", prove_hook_yield},
    {"pthread_yield", prove_hook_yield},
    {"thrd_yield", prove_hook_yield},
    {"abort", prove_hook_abort},
    {"__assert_fail", prove_hook_assert},
    {"memcpy", prove_hook_memcpy},
    {"memmove", prove_hook_memcpy},
    {"memset", prove_hook_memset},
};

/* Functions of libraries that keep nothing and touch no memory of the program. */
static const char *const harmless[] = {"__cxa_atexit",
                                       "__cxa_finalize",
                                       "__libc_start_main",
                                       "__gmon_start__",
                                       "_ITM_deregisterTMCloneTable",
                                       "_ITM_registerTMCloneTable",
                                       "__stack_chk_fail",
                                       "__gxx_personality_v0",
                                       "__cxa_pure_virtual"};

struct foreign {
    const char *name;
    uint64_t address;
};

static VEC(struct foreign) foreigns;
static uint8_t *trampolines;
enum { TRAMPOLINE_BYTES = 64, TRAMPOLINES_MOST = 1024 };

const char *prove_foreign_name(uint64_t hook)
{
    uint64_t number = hook - PROVE_FIRST_FOREIGN;
    return hook >= PROVE_FIRST_FOREIGN && number < foreigns.len ? foreigns.data[number].name : "a function";
}

/* --- functions of other files ------------------------------------------------------------------------------------- */

static uint8_t *put(uint8_t *at, const void *bytes, size_t count)
{
    memcpy(at, bytes, count);
    return at + count;
}

static uint8_t *put_address(uint8_t *at, const char *opcode, uint64_t address)
{
    at = put(at, opcode, 2);
    return put(at, &address, sizeof address);
}

/* While the search runs program code the call is a hook; before that it goes where it went. */
static uint64_t make_trampoline(const struct foreign *f, size_t number)
{
    uint8_t *start = trampolines + number * TRAMPOLINE_BYTES, *at = start;
    uint32_t hook = (uint32_t)(PROVE_FIRST_FOREIGN + number);
    at = put_address(at, "\x49\xbb", (uint64_t)&prove_active); /* movabs $, %r11 */
    at = put(at, "\x41\x80\x3b\x00", 4);                       /* cmpb $0, (%r11) */
    at = put(at, "\x74\x12", 2);                               /* je: 18 bytes on */
    at = put(at, "\xb8", 1);                                   /* movl $, %eax */
    at = put(at, &hook, sizeof hook);
    at = put_address(at, "\x49\xbb", (uint64_t)prove_enter);
    at = put(at, "\x41\xff\xe3", 3); /* jmp *%r11 */
    at = put_address(at, "\x49\xbb", f->address);
    put(at, "\x41\xff\xe3", 3);
    return (uint64_t)start;
}

static bool is_harmless(const char *name)
{
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (!strcmp(name, harmless[i]))
            return true;
    return false;
}

/* Is it in this very library: a hook, or a part of plumb.h? */
static bool is_ours(uint64_t address)
{
    Dl_info here, there;
    return dladdr((void *)prove_enter, &here) && dladdr((void *)address, &there) &&
           here.dli_fbase == there.dli_fbase;
}

/* It is here, but not for operations: atomic accesses of any size, choices. */
static bool is_refused(const char *name)
{
    return !strncmp(name, "__atomic_", 9) || !strcmp(name, "plumb_choose") || !strcmp(name, "plumb_assume");
}

static uint64_t take_over(const char *name, uint64_t address)
{
    prove.program.knows_threads |= !strcmp(name, "plumb_thread");
    for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++)
        if (!strcmp(name, hooks[i].name)) {
            prove.program.frees |= hooks[i].hook == prove_hook_free;
            prove.program.locks |= hooks[i].hook == prove_hook_lock;
            return (uint64_t)hooks[i].hook;
        }
    if (!address || is_harmless(name) || (is_ours(address) && !is_refused(name)))
        return address;
    if (foreigns.len == TRAMPOLINES_MOST)
        prove_refuse("the program calls more functions of libraries than can be distinguished");
    vec_push(&foreigns, ((struct foreign){name, address}));
    return make_trampoline(&vec_last(&foreigns), foreigns.len - 1);
}

struct dynamic {
    const char *strings;
    const Elf64_Sym *symbols;
    struct {
        const Elf64_Rela *list;
        size_t bytes;
    } tables[2];
};

static void read_dynamic(struct dynamic *d, const Elf64_Dyn *at)
{
    for (; at->d_tag != DT_NULL; at++)
        switch (at->d_tag) {
        case DT_STRTAB: d->strings = (const char *)at->d_un.d_ptr; break;
        case DT_SYMTAB: d->symbols = (const Elf64_Sym *)at->d_un.d_ptr; break;
        case DT_RELA: d->tables[0].list = (const Elf64_Rela *)at->d_un.d_ptr; break;
        case DT_RELASZ: d->tables[0].bytes = at->d_un.d_val; break;
        case DT_JMPREL: d->tables[1].list = (const Elf64_Rela *)at->d_un.d_ptr; break;
        case DT_PLTRELSZ: d->tables[1].bytes = at->d_un.d_val; break;
        default: break;
        }
}

static void write_word(uint64_t *at, uint64_t value)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *start = (uint8_t *)((uint64_t)at & ~(page - 1));
    mprotect(start, page, PROT_READ | PROT_WRITE);
    *at = value;
}

static bool names_function(const struct dynamic *d, const Elf64_Rela *r)
{
    unsigned type = ELF64_R_TYPE(r->r_info);
    const Elf64_Sym *symbol = &d->symbols[ELF64_R_SYM(r->r_info)];
    if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT && type != R_X86_64_64)
        return false;
    unsigned kind = ELF64_ST_TYPE(symbol->st_info);
    return symbol->st_shndx == SHN_UNDEF &&
           (kind == STT_FUNC || kind == STT_GNU_IFUNC || kind == STT_NOTYPE) && ELF64_R_SYM(r->r_info);
}

/* Memory that the linker protects stays writable after this: no correct program writes there. */
static void take_over_calls(const struct dynamic *d)
{
    CHECK(d->strings && d->symbols);
    for (size_t t = 0; t < 2; t++)
        for (size_t i = 0; i < d->tables[t].bytes / sizeof(Elf64_Rela); i++) {
            CHECK(d->tables[t].list);
            const Elf64_Rela *r = &d->tables[t].list[i];
            if (!names_function(d, r))
                continue;
            uint64_t *at = (uint64_t *)(prove.program.base + r->r_offset);
            uint64_t taken = take_over(d->strings + d->symbols[ELF64_R_SYM(r->r_info)].st_name, *at);
            if (taken != *at)
                write_word(at, taken);
        }
}

/* --- its memory ------------------------------------------------------------------------------------------------------ */

static void find_globals(const struct dl_phdr_info *info)
{
    struct prove_program *p = &prove.program;
    uint64_t start = 0, end = 0, protected_end = 0, page = (uint64_t)sysconf(_SC_PAGESIZE);
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const Elf64_Phdr *h = &info->dlpi_phdr[i];
        if (h->p_type == PT_LOAD && h->p_flags & PF_W) {
            if (start)
                prove_refuse("the program's file has two parts that can be written");
            start = info->dlpi_addr + h->p_vaddr;
            end = start + h->p_memsz;
        }
        if (h->p_type == PT_GNU_RELRO)
            protected_end = (info->dlpi_addr + h->p_vaddr + h->p_memsz) & ~(page - 1);
        if (h->p_type == PT_TLS) {
            p->tls = info->dlpi_tls_data;
            p->tls_size = h->p_memsz;
            p->tls_start = (const uint8_t *)(info->dlpi_addr + h->p_vaddr);
            p->tls_start_size = h->p_filesz;
        }
    }
    start = protected_end > start ? protected_end : start;
    start &= ~(uint64_t)(PROVE_LINE - 1);
    end = (end + PROVE_LINE - 1) & ~(uint64_t)(PROVE_LINE - 1);
    p->base = info->dlpi_addr;
    p->globals = (uint8_t *)start;
    p->globals_size = end - start;
    if (p->globals_size > PROVE_GLOBALS_MAX || p->tls_size > PROVE_TLS_MAX)
        prove_refuse("the program's variables have more than %d bytes", PROVE_GLOBALS_MAX);
}

/* The first object is the executable. */
static int open_executable(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size, (void)context;
    struct dynamic d = {0};
    find_globals(info);
    for (unsigned i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            read_dynamic(&d, (const Elf64_Dyn *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr));
    take_over_calls(&d);
    return 1;
}

void prove_program_open(void)
{
    trampolines = mmap(NULL, TRAMPOLINES_MOST * TRAMPOLINE_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (trampolines == MAP_FAILED)
        base_out_of_memory();
    dl_iterate_phdr(open_executable, NULL);
    prove.program.new_uses = NEW_ZEROED(uint8_t, prove.program.globals_size / PROVE_WORD + 1);
}

void prove_program_keep(void)
{
    struct prove_program *p = &prove.program;
    p->globals_start = NEW_ARRAY(uint8_t, p->globals_size + 1);
    memcpy(p->globals_start, p->globals, p->globals_size);
}
