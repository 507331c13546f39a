/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for the code of specifications. It lies at one address in every process, beside the program's heap, so that neither
 * addresses nor leaks of the program depend on its annotations. All of the arena is one range, which is copied and put back. */
#include "rt/calls/calls.h"

#include "base/check.h"
#include "base/memory.h"
#include "engine/engine.h"
#include "engine/memory/snapshot.h"
#include "engine/real.h"

#include <stdint.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#define QUIET_BASE UINT64_C(0x5e0000000000)
enum { EXTENT_MOST = 512 }; /* what the specification finds by a pointer that it hands on */
enum { ARENA_SIZE = 256 << 20, STACK_SIZE = 1 << 20, GRAIN = 16 };
#define RECORDS_BASE (QUIET_BASE + ARENA_SIZE)
#define QUIET_SIZE (ARENA_SIZE + (size_t)CLOCKS_THREADS_MAX * STACK_SIZE)

static size_t used;
static bool is_mapped;

/* Before each block. */
struct block {
    size_t size;   /* as it was asked for */
    size_t before; /* `used` before the block */
};
_Static_assert(sizeof(struct block) == GRAIN, "blocks are aligned");

static void map(void)
{
    if (is_mapped)
        return;
    void *at = mmap((void *)QUIET_BASE, QUIET_SIZE, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (at == MAP_FAILED)
        base_out_of_memory(); /* the address space is limited */
    CHECK(at == (void *)QUIET_BASE);
    is_mapped = true;
}

bool quiet_is_caller(const void *pc)
{
    return calls_are_quiet() && snapshot_is_program(pc);
}

bool quiet_owns(const void *p)
{
    return (uint64_t)p - QUIET_BASE < QUIET_SIZE;
}

static struct block *block_of(void *p)
{
    return (struct block *)p - 1;
}

void *quiet_allocate(size_t size, size_t alignment)
{
    map();
    uint64_t at = QUIET_BASE + used + sizeof(struct block), step = alignment > GRAIN ? alignment : GRAIN;
    if (size > ARENA_SIZE || step > ARENA_SIZE)
        return NULL;
    at = (at + step - 1) / step * step;
    size_t end = (at - QUIET_BASE + size + GRAIN - 1) / GRAIN * GRAIN;
    if (end > ARENA_SIZE)
        return NULL;
    real.memset((void *)(QUIET_BASE + used), 0, end - used);
    *block_of((void *)at) = (struct block){size, used};
    used = end;
    return (void *)at;
}

static bool is_last(void *p)
{
    uint64_t end = ((uint64_t)p - QUIET_BASE + block_of(p)->size + GRAIN - 1) / GRAIN * GRAIN;
    return end == used && block_of(p)->before < used;
}

void quiet_free(void *p)
{
    if ((uint64_t)p < RECORDS_BASE && is_last(p))
        used = block_of(p)->before;
}

void *quiet_reallocate(void *p, size_t size)
{
    if (size == 0) {
        quiet_free(p);
        return NULL;
    }
    size_t kept = block_of(p)->size < size ? block_of(p)->size : size;
    void *moved = quiet_allocate(size, GRAIN);
    if (moved)
        real.memcpy(moved, p, kept);
    return moved;
}

size_t quiet_save(const void **bytes)
{
    map();
    *bytes = (const void *)QUIET_BASE;
    return used;
}

void quiet_restore(const void *bytes, size_t size)
{
    real.memcpy((void *)QUIET_BASE, bytes, size);
    used = size;
}

void quiet_reset(void)
{
    used = 0;
}

char *quiet_record(uint32_t thread, char *outer_end, size_t size)
{
    map();
    char *base = (char *)RECORDS_BASE + (size_t)thread * STACK_SIZE, *at = outer_end ? outer_end : base;
    at = (char *)(((uint64_t)at + 63) / 64 * 64);
    if (size > STACK_SIZE || at + size > base + STACK_SIZE)
        return NULL;
    real.memset(at, 0, size);
    return at;
}

/* ------------------------------------------------------------------ memory of the program */

static bool is_sound(uint64_t address, size_t size)
{
    return heap_contains((const void *)address)
               ? heap_is_usable(address, size)
               : (engine_is_stack(address) && engine_is_stack(address + size - 1)) ||
                     (snapshot_is_program_data(address) && snapshot_is_program_data(address + size - 1));
}

size_t quiet_extent(const void *program)
{
    size_t known = 0;
    for (size_t step = EXTENT_MOST; step > 0; step /= 2)
        if (known + step <= EXTENT_MOST && is_sound((uint64_t)program, known + step))
            known += step;
    return known;
}

static bool is_never_mapped(uint64_t address, size_t size)
{
    return address < NEVER_MAPPED || size == 0 || address + size < address;
}

static bool copy_from(void *to, const void *program, size_t size)
{
    struct iovec local = {to, size}, remote = {(void *)(uintptr_t)program, size};
    if (!is_sound((uint64_t)program, size))
        return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)size;
    real.memcpy(to, program, size);
    return true;
}

bool quiet_copy_from(void *to, const void *program, size_t size)
{
    uint64_t address = (uint64_t)program;
    return !is_never_mapped(address, size) && !(heap_contains(program) && !heap_is_usable(address, size)) &&
           copy_from(to, program, size);
}

/* Below the stack pointer of the one who asks, where functions that run now have their variables. */
static bool is_in_use(uint64_t address)
{
    uint64_t frame = (uint64_t)__builtin_frame_address(0);
    return engine_is_own_stack(frame) && engine_is_own_stack(address) && address < frame;
}

static bool copy_to(void *program, const void *from, size_t size)
{
    struct iovec local = {(void *)(uintptr_t)from, size}, remote = {program, size};
    if (!is_sound((uint64_t)program, size))
        return process_vm_writev(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)size;
    real.memcpy(program, from, size);
    return true;
}

/* What was readable once: a block that has been freed since is still there. */
bool quiet_exchange(void *program, const void *with, void *before, size_t size)
{
    if (is_never_mapped((uint64_t)program, size) || is_in_use((uint64_t)program))
        return false;
    return copy_from(before, program, size) && copy_to(program, with, size);
}

void quiet_put_back(void *program, const void *before, size_t size)
{
    copy_to(program, before, size);
}
