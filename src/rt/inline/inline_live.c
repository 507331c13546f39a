/* SPDX-License-Identifier: Apache-2.0 */
/* Which registers matter at an instruction of inline assembly. Hooks leave anything in registers that no call preserves;
 * the compiler may keep values in them around inline assembly. So that a loop is recognised when a thread is where it was,
 * those count that some path from here reads before it overwrites them. */
#include "rt/inline/inline_code.h"

#if defined(__x86_64__)

#include "engine/memory/snapshot.h"
#include "machine/known_calls.h"
#include "rt/hook.h"

#include <dlfcn.h>
#include <string.h>

enum { VISITS_MOST = 6000, TABLE = 1 << 13 };

/* A place where paths meet, and the registers that were followed from there. */
struct visit {
    uint64_t address, followed;
};

struct search {
    VEC(struct visit) open;
    struct visit seen[TABLE];
    uint32_t visits;
    uint64_t live, unsure;
};

static uint64_t *followed_from(struct search *s, uint64_t address)
{
    uint64_t at = address * UINT64_C(0x9e3779b97f4a7c15) >> 51;
    while (s->seen[at].address && s->seen[at].address != address)
        at = (at + 1) % TABLE;
    s->seen[at].address = address;
    return &s->seen[at].followed;
}

static void follow(struct search *s, uint64_t address, uint64_t registers)
{
    vec_push(&s->open, ((struct visit){address, registers}));
}

/* ------------------------------------------------------------------ calls of other libraries */

static const uint64_t arguments[] = {1 << 7, 1 << 6, 1 << 2,
                                     1 << 1, 1 << 8, 1 << 9}; /* rdi rsi rdx rcx r8 r9 */

static unsigned count_arguments_of_hook(const char *name)
{
    if (strstr(name, "compare_exchange"))
        return 5;
    if (strstr(name, "_fence") || strstr(name, "func_"))
        return 1;
    if (strstr(name, "_load") || strstr(name, "_range") || strstr(name, "_pc") || strstr(name, "vptr_update"))
        return strstr(name, "range_pc") ? 3 : 2;
    if (strstr(name, "_shadow"))
        return strstr(name, "write") ? 2 : 1;
    return strstr(name, "atomic") ? 3 : 1;
}

/* Negative: nothing is known of it. */
static int count_arguments(const char *name)
{
    if (strncmp(name, "__ubsan_handle_", 15) == 0)
        return 3;
    if (strcmp(name, "__plumb_scope_object") == 0)
        return 4;
    if (strcmp(name, "__plumb_bounds_fail") == 0)
        return 6;
    if (strcmp(name, "__plumb_undefined_write") == 0 || strcmp(name, "__plumb_undefined_get") == 0 ||
        strcmp(name, "__plumb_undefined_put") == 0)
        return 3;
    if (strncmp(name, "__plumb_scope_", 14) == 0 || strcmp(name, "__plumb_undefined_declare") == 0 ||
        strcmp(name, "__plumb_undefined_define") == 0 || strcmp(name, "__plumb_undefined_read") == 0 ||
        strcmp(name, "__plumb_undefined_fail") == 0)
        return 2;
    if (strncmp(name, "__tsan_", 7) == 0)
        return (int)count_arguments_of_hook(name);
    const struct known_call *row = known_call_find(name);
    return row ? row->arguments : -1;
}

static const char *name_of(uint64_t function)
{
    Dl_info info;
    return dladdr((void *)function, &info) && info.dli_sname ? info.dli_sname : "";
}

bool inline_returns_nothing(uint64_t function)
{
    const char *name = name_of(function);
    return strncmp(name, "__tsan_", 7) == 0 && !(strstr(name, "read") && strstr(name, "_shadow")) &&
           (!strstr(name, "atomic") || strstr(name, "_store") || strstr(name, "_fence"));
}

/* `*known`: not the most that any function may have. */
static uint64_t arguments_of(uint64_t function, bool *known)
{
    int count = count_arguments(name_of(function));
    *known = count >= 0;
    uint64_t set = count < 0 ? 1 | MACHINE_VECTORS : 0; /* rax: how many vectors */
    for (int k = 0; k < (count < 0 ? 6 : count); k++)
        set |= arguments[k];
    return set;
}

/* The function that a jump or a call through the global offset table leads to; 0: it is another kind of jump. */
static uint64_t imported(const struct machine_instruction *d)
{
    return d->memory.relative && d->memory.size == sizeof(uint64_t) ? *(const uint64_t *)d->memory.distance
                                                                    : 0;
}

static bool is_program(uint64_t address)
{
    return snapshot_is_program((const void *)address) && !snapshot_is_system_code((const void *)address);
}

/* ------------------------------------------------------------------ paths */

/* The way leads out of the program. `back`: where it comes back to, or 0. */
static void leave(struct search *s, uint64_t function, uint64_t registers, uint64_t back)
{
    bool known;
    uint64_t read = registers & arguments_of(function, &known);
    s->live |= read;
    s->unsure |= known ? 0 : read;
    if (back && (registers & ~INLINE_SCRATCH))
        follow(s, back, registers & ~INLINE_SCRATCH);
}

/* To `to`, of the program or not. */
static void go(struct search *s, uint64_t to, uint64_t registers, uint64_t back)
{
    if (!is_program(to)) {
        leave(s, to, registers, back);
        return;
    }
    follow(s, to, registers);
    if (back) /* compilers know which registers a function of the same file leaves alone */
        follow(s, back, registers);
}

/* A procedure linkage table's entry: a jump through the global offset table, behind endbr64 at most. */
static uint64_t behind_table(uint64_t address)
{
    struct machine_instruction d;
    for (int k = 0; k < 2; k++) {
        if (!machine_decode(address, MACHINE_LONGEST, &d))
            return 0;
        if (d.flow == FLOW_JUMP && !d.target)
            return imported(&d);
        if (d.flow != FLOW_ON || d.kills || d.reads)
            return 0;
        address = d.next;
    }
    return 0;
}

static void step(struct search *s, const struct machine_instruction *d, uint64_t registers)
{
    uint64_t to = d->target ? d->target : imported(d);
    uint64_t outside = d->target && d->flow == FLOW_CALL ? behind_table(to) : 0;
    uint64_t back = d->flow == FLOW_CALL ? d->next : 0;
    switch (d->flow) {
    case FLOW_END: return;
    case FLOW_ON: follow(s, d->next, registers); return;
    case FLOW_BRANCH:
        follow(s, d->next, registers);
        follow(s, d->target, registers);
        return;
    case FLOW_JUMP:
    case FLOW_CALL:
        if (to) {
            go(s, outside ? outside : to, registers, back);
            return;
        }
        break;
    case FLOW_RETURN: break; /* the caller may know which registers were left alone */
    }
    s->live |= registers;
    s->unsure |= registers;
}

static void visit(struct search *s, struct visit v)
{
    uint64_t *before = followed_from(s, v.address);
    uint64_t registers = v.followed & ~*before & ~s->live;
    struct machine_instruction d;
    if (!registers)
        return;
    *before |= registers;
    if (!is_program(v.address) || !machine_decode(v.address, MACHINE_LONGEST, &d)) {
        s->live |= registers;
        s->unsure |= registers;
        return;
    }
    s->live |= registers & d.reads;
    registers &= ~(d.kills | d.reads);
    if (registers)
        step(s, &d, registers);
}

uint64_t inline_find_live(uint64_t address, uint64_t *unsure)
{
    static struct search s;
    memset(s.seen, 0, sizeof s.seen);
    s.live = s.unsure = s.visits = 0;
    s.open.len = 0;
    follow(&s, address, INLINE_SCRATCH);
    while (s.open.len && s.visits++ < VISITS_MOST)
        visit(&s, s.open.data[--s.open.len]);
    *unsure = s.open.len ? INLINE_SCRATCH : s.unsure;
    return s.open.len ? INLINE_SCRATCH : s.live;
}

uint64_t inline_find_callee(const struct machine_instruction *d)
{
    uint64_t to = d->target ? behind_table(d->target) : imported(d);
    return to && !is_program(to) ? to : 0;
}

/* ------------------------------------------------------------------ the compiler's own places */

struct dwarf_bases {
    void *text, *data, *function;
};
const void *_Unwind_Find_FDE(void *pc, struct dwarf_bases *bases);

/* The function around an instruction, by its unwind table: relative distances of four bytes, as compilers write it. */
bool inline_find_function(uint64_t address, uint64_t *from, uint64_t *to)
{
    struct dwarf_bases bases;
    const char *entry = _Unwind_Find_FDE((void *)address, &bases);
    if (!entry)
        return false;
    uint32_t length;
    memcpy(&length, entry + 12, sizeof length);
    *from = (uint64_t)bases.function;
    *to = *from + length;
    return address >= *from && address < *to;
}

/* They are in the order of their addresses. */
static bool is_in_blocks(uint64_t address, const struct inline_block *blocks, size_t count)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((uint64_t)blocks[middle].mark <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && address - (uint64_t)blocks[low - 1].mark < INLINE_MARK + blocks[low - 1].length;
}

static bool is_same_operand(const struct machine_memory *a, const struct machine_memory *b)
{
    return a->base == b->base && a->index == b->index && a->distance == b->distance;
}

enum { OBJECT_MOST = 4096 };

/* What the function does with the place of an operand in its frame. */
struct frame_use {
    bool address_taken, object_taken; /* of it, of what it may be part of */
    bool used;                        /* by an instruction of the compiler */
};

static bool is_frame_register(const struct machine_operand *o)
{
    return o->kind == OPERAND_REGISTER && o->size == 8 &&
           (o->number == MACHINE_STACK || o->number == MACHINE_FRAME);
}

/* Is an address in the frame made from that register, and which? A copy of the stack pointer is one, but for those that make
 * a frame. */
static bool makes_address(const struct machine_instruction *i, uint8_t base, int64_t *distance)
{
    *distance = i->memory.base == base ? i->memory.distance : 0;
    if (i->memory.base == base)
        return inline_means(i).action == INLINE_QUIET;
    return i->kind == KIND_MOVE && i->operands[1].number == base && is_frame_register(&i->operands[1]) &&
           !is_frame_register(&i->operands[0]);
}

static void note_use(struct frame_use *u, const struct machine_instruction *i, const struct machine_memory *m)
{
    int64_t distance;
    bool made = makes_address(i, m->base, &distance);
    int64_t below = m->distance - distance;
    if (made && below >= 0 && below < OBJECT_MOST) {
        u->object_taken = true;
        u->address_taken |= below == 0;
    }
    u->used |= inline_means(i).action == INLINE_ACCESS && is_same_operand(&i->memory, m);
}

/* Accesses of the source to variables whose address is known elsewhere are announced, by this address. So a place whose
 * address is never made is one that the compiler keeps a register's value in. */
bool inline_is_private(const struct machine_instruction *d, const struct inline_block *blocks, size_t count)
{
    const struct machine_memory *m = &d->memory;
    uint64_t at, end;
    struct frame_use use = {0};
    struct machine_instruction i;
    if (m->base != MACHINE_STACK && m->base != MACHINE_FRAME)
        return false;
    if (m->index != MACHINE_NO_REGISTER || m->own || !inline_find_function(d->address, &at, &end))
        return false;
    for (; at < end; at = i.next) {
        if (!machine_decode(at, end - at, &i))
            return false;
        if (!is_in_blocks(at, blocks, count))
            note_use(&use, &i, m);
    }
    return !use.object_taken || (use.used && !use.address_taken);
}

#endif
