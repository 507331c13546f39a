/* SPDX-License-Identifier: Apache-2.0 */
/* Which registers hold nothing of the program's at an instruction, because on every path to it a call of a library came
 * after the last write. What hooks leave there must not count as part of a thread's state: it differs from one execution to
 * the next. */
#include "rt/inline/inline_code.h"

#if defined(__x86_64__)

/* A function's instructions, and what may be in registers before each of them. */
struct body {
    uint64_t from, to;
    VEC(struct machine_instruction) code;
    VEC(uint64_t) kept;
    VEC(uint64_t) callees; /* of calls of other libraries */
    bool strange;          /* not all paths are known */
};

static size_t index_of(const struct body *b, uint64_t address)
{
    size_t low = 0, high = b->code.len;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (b->code.data[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < b->code.len && b->code.data[low].address == address ? low : b->code.len;
}

static bool leads_elsewhere(const struct body *b, const struct machine_instruction *d)
{
    if (d->flow != FLOW_JUMP && d->flow != FLOW_BRANCH)
        return false;
    return !d->target || d->target < b->from || d->target >= b->to;
}

static void read_body(struct body *b)
{
    struct machine_instruction d;
    for (uint64_t at = b->from; at < b->to && !b->strange; at = d.next) {
        b->strange = !machine_decode(at, b->to - at, &d) || leads_elsewhere(b, &d);
        vec_push(&b->code, d);
        vec_push(&b->kept, 0);
        vec_push(&b->callees, !b->strange && d.flow == FLOW_CALL ? inline_find_callee(&d) : 0);
    }
}

static uint64_t kept_after(const struct body *b, size_t k)
{
    const struct machine_instruction *d = &b->code.data[k];
    const uint64_t results = 1 << 0 | 1 << 2 | UINT64_C(3) << MACHINE_VECTOR0; /* rax rdx xmm0 xmm1 */
    uint64_t callee = b->callees.data[k];
    if (!callee)
        return b->kept.data[k] | d->kills | d->writes;
    uint64_t kept = b->kept.data[k] & ~INLINE_SCRATCH;
    return inline_returns_nothing(callee) ? kept : kept | results;
}

static bool join(struct body *b, uint64_t address, uint64_t kept)
{
    size_t k = index_of(b, address);
    if (k == b->code.len || (kept & ~b->kept.data[k]) == 0)
        return false;
    b->kept.data[k] |= kept;
    return true;
}

static bool pass(struct body *b)
{
    bool changed = false;
    for (size_t k = 0; k < b->code.len; k++) {
        const struct machine_instruction *d = &b->code.data[k];
        uint64_t kept = kept_after(b, k);
        if (d->flow == FLOW_ON || d->flow == FLOW_BRANCH || d->flow == FLOW_CALL)
            changed |= join(b, d->next, kept);
        if (d->flow == FLOW_JUMP || d->flow == FLOW_BRANCH)
            changed |= join(b, d->target, kept);
    }
    return changed;
}

static void find_all_kept(struct body *b)
{
    b->code.len = b->kept.len = b->callees.len = 0;
    b->strange = false;
    read_body(b);
    if (b->strange || !b->code.len)
        return;
    b->kept.data[0] = UINT64_MAX;
    while (pass(b))
        continue;
}

uint64_t inline_find_kept(uint64_t address)
{
    static struct body b; /* of the last function: most have several pieces */
    if (address < b.from || address >= b.to) {
        uint64_t from, to;
        if (!inline_find_function(address, &from, &to))
            return INLINE_SCRATCH;
        b.from = from;
        b.to = to;
        find_all_kept(&b);
    }
    size_t k = b.strange ? b.code.len : index_of(&b, address);
    return k < b.code.len ? b.kept.data[k] & INLINE_SCRATCH : INLINE_SCRATCH;
}

#endif
