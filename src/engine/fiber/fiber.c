/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/fiber/fiber.h"

#include "engine/real.h"

#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Large and reserved without memory behind it: frames must not jump over the guard. */
enum { STACK_SIZE = 8 << 20, GUARD_SIZE = 1 << 16 }; /* as large as the system's usual ones */
enum { PARKING_STACK = 1 << 16, ALT_STACK = PARKING_STACK / 2 };
enum { PLACE_SIZE = GUARD_SIZE + PARKING_STACK + GUARD_SIZE + STACK_SIZE };
/* Stacks begin at different offsets in their pages: the same cache lines of all of them would compete otherwise. */
enum { STAGGER = 320, STAGGERED = 12 };

void fiber_begin(void);

enum fiber_way fiber_way = FIBER_NOT;

static uintptr_t read_thread_register(void)
{
#if defined(__x86_64__)
    uintptr_t fs;
    __asm__("movq %%fs:0, %0" : "=r"(fs)); /* the thread block starts with its own address */
    return fs;
#else
    return (uintptr_t)__builtin_thread_pointer();
#endif
}

void fiber_switch_storage(void)
{
    if (fiber_way == FIBER_ON_THREAD)
        return;
#if defined(__x86_64__)
    enum { HWCAP2_FSGSBASE = 2 };
    fiber_way = getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE ? FIBER_DIRECT : FIBER_BY_KERNEL;
#else
    fiber_way = FIBER_DIRECT;
#endif
}

void fiber_adopt_caller(struct fiber *f)
{
    *f = (struct fiber){.tls = read_thread_register()};
    real.sem_init(&f->turn, 0, 0);
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

/* Frames that were left without returning must not count as in use (sanitized builds only). */
static void forget_frames(struct fiber *f)
{
#if defined(__SANITIZE_ADDRESS__)
    void __asan_unpoison_memory_region(void const volatile *at, size_t size);
    __asan_unpoison_memory_region(f->stack, f->stack_size);
#else
    (void)f;
#endif
}

void fiber_prepare(struct fiber *f, void (*entry)(void *), void *argument)
{
    forget_frames(f);
    uintptr_t top = ((uintptr_t)f->stack + f->stack_size) & ~(uintptr_t)15;
#if defined(__x86_64__)
    /* as fiber_jump leaves it; fiber_begin wants r13 and r12, and finds the stack aligned for the call in
     * it */
    struct start {
        uintptr_t r15, r14, argument, entry, rbx, rbp, begin, spare[2];
    } *sp = (struct start *)top - 1;
    *sp = (struct start){
        .argument = (uintptr_t)argument, .entry = (uintptr_t)entry, .begin = (uintptr_t)fiber_begin};
#else
    uintptr_t *sp = (uintptr_t *)top - 20;
    memset(sp, 0, 20 * sizeof *sp);
    sp[0] = (uintptr_t)entry;        /* x19 */
    sp[1] = (uintptr_t)argument;     /* x20 */
    sp[11] = (uintptr_t)fiber_begin; /* x30 */
#endif
    f->sp = sp;
}

/* ------------------------------------------------------------------ fibers on threads */

void fiber_use_threads(void)
{
    fiber_way = FIBER_ON_THREAD;
}

static void wait_for_turn(struct fiber *f)
{
    while (real.sem_wait(&f->turn) != 0)
        continue;
}

void fiber_hand_over(struct fiber *from, struct fiber *to)
{
    real.sem_post(&to->turn);
    wait_for_turn(from);
}

/* Names the thread as reports do: fibers are made in the order of their numbers. */
static void name_thread(void)
{
    static unsigned made;
    char name[16];
    snprintf(name, sizeof name, "T%u", made++);
    prctl(PR_SET_NAME, name);
}

/* The thread's own stack serves its signal handlers; the fiber's must be where it always is. */
static _Noreturn void carry(struct fiber *f)
{
    char handlers[ALT_STACK];
    stack_t stack = {.ss_sp = handlers, .ss_size = sizeof handlers};
    void *unused;
    sigaltstack(&stack, NULL);
    wait_for_turn(f);
    fiber_jump(&unused, f->sp, 0, FIBER_NOT);
    __builtin_unreachable();
}

/* ------------------------------------------------------------------ thread-local storage */

struct parking {
    sem_t parked;
    struct fiber *fiber;
};

/* Lends its thread register and sleeps for as long as the process lives. */
static void *park(void *argument)
{
    struct parking *p = argument;
    struct fiber *f = p->fiber;
    bool carries = fiber_way == FIBER_ON_THREAD;
    f->tls = read_thread_register();
    f->kernel_thread = gettid();
    if (carries)
        name_thread();
    real.sem_post(&p->parked);
    if (carries)
        carry(f);
    for (;;)
        real.pause();
    return NULL;
}

static bool borrow_storage(struct fiber *f, void *stack)
{
    struct parking p = {.fiber = f};
    pthread_t thread;
    pthread_attr_t attr;
    real.sem_init(&p.parked, 0, 0);
    real.sem_init(&f->turn, 0, 0);
    pthread_attr_init(&attr);
    pthread_attr_setstack(&attr, stack, PARKING_STACK);
    bool created = real.pthread_create(&thread, &attr, park, &p) == 0;
    pthread_attr_destroy(&attr);
    if (created)
        while (real.sem_wait(&p.parked) != 0)
            continue;
    return created;
}

/* Functions inside of functions are called by way of code on the stack: then the program says that it has to be executable. */
static int find_executable(struct dl_phdr_info *info, size_t size, void *protection)
{
    (void)size;
    for (int k = 0; k < info->dlpi_phnum; k++)
        if (info->dlpi_phdr[k].p_type == PT_GNU_STACK && info->dlpi_phdr[k].p_flags & PF_X)
            *(int *)protection |= PROT_EXEC;
    return 1; /* the program is the first one */
}

static int stack_protection(void)
{
    int protection = PROT_READ | PROT_WRITE;
    dl_iterate_phdr(find_executable, &protection);
    return protection;
}

/* The same place in every process, if it is free: work of one names addresses for others. */
static char *map_place(uint32_t number)
{
    enum { PLACE_FLAGS = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE };
    int protection = stack_protection();
    void *wanted = (void *)(FIBER_BASE + (uint64_t)number * PLACE_SIZE);
    void *memory = mmap(wanted, PLACE_SIZE, protection, PLACE_FLAGS | MAP_FIXED_NOREPLACE, -1, 0);
    return memory != MAP_FAILED ? memory : mmap(NULL, PLACE_SIZE, protection, PLACE_FLAGS, -1, 0);
}

/* From below: a guard, the stack of the parked thread with its storage, a guard, the stack. */
bool fiber_create(struct fiber *f, uint32_t number)
{
    char *memory = map_place(number), *parking = memory + GUARD_SIZE, *guard = parking + PARKING_STACK;
    if (memory == MAP_FAILED || mprotect(memory, GUARD_SIZE, PROT_NONE) != 0 ||
        mprotect(guard, GUARD_SIZE, PROT_NONE) != 0)
        return false;
    f->stack = guard + GUARD_SIZE;
    f->stack_size = STACK_SIZE - number % STAGGERED * STAGGER;
    return borrow_storage(f, parking);
}

bool fiber_is_guard(const struct fiber *f, uint64_t address)
{
    uint64_t bottom = (uint64_t)f->stack;
    return bottom - GUARD_SIZE <= address && address < bottom;
}

bool fiber_owns(const struct fiber *f, uint64_t address)
{
    uint64_t parking = (uint64_t)f->stack - GUARD_SIZE - PARKING_STACK;
    return fiber_has_on_stack(f, address) || address - parking < PARKING_STACK;
}

/* The initial image of the program's own thread-local variables: found once. */
struct image {
    const char *bytes;
    size_t file_size, size, offset; /* offset: distance below the thread register (x86-64) or above it */
    bool known;
};

static int find_image(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    struct image *image = data;
    for (int k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[k];
        if (h->p_type != PT_TLS)
            continue;
        image->bytes = (const char *)(info->dlpi_addr + h->p_vaddr);
        image->file_size = h->p_filesz;
        image->size = h->p_memsz;
#if defined(__x86_64__)
        image->offset = (h->p_memsz + h->p_align - 1) & ~(h->p_align - 1);
#else
        image->offset = (16 + h->p_align - 1) & ~(h->p_align - 1);
#endif
    }
    return 1; /* the first object is the program itself: look no further */
}

void fiber_reset_storage(struct fiber *f)
{
    static struct image image;
    if (!image.known) {
        dl_iterate_phdr(find_image, &image);
        image.known = true;
    }
    if (!image.size)
        return;
#if defined(__x86_64__)
    char *block = (char *)f->tls - image.offset;
#else
    char *block = (char *)f->tls + image.offset;
#endif
    memcpy(block, image.bytes, image.file_size);
    memset(block + image.file_size, 0, image.size - image.file_size);
}
