/* SPDX-License-Identifier: Apache-2.0 */
/* Plain updates of a place in memory that make no other use of what they find there: `counter++`. Hooks announce the read and
 * the write; between them, and up to the store, the code goes straight on, and what was loaded gets nowhere but into the store,
 * which is to the same place. */
#include "target/code/liveness_state.h"

#include <stdio.h>
#include <string.h>

enum { UPDATE_MOST = 32 }; /* instructions */

struct update {
    const struct liveness *a;
    unsigned size;
    size_t load, write, store; /* `count`: not seen yet */
    uint16_t found;            /* registers that depend on what was loaded, or on what of it is defined */
    bool flags;                /* and so do the flags */
};

/* The size of what the hook announces; 0: it is none of these. Hooks may also get or return what of it is defined. */
static unsigned announced(const struct code_instruction *i, const char *prefix)
{
    unsigned size = 0;
    int behind = 0;
    size_t length = strlen(prefix);
    if (i->machine.flow != FLOW_CALL || strncmp(i->callee, prefix, length) != 0)
        return 0;
    if (sscanf(i->callee + length, "%u%n", &size, &behind) != 1)
        return 0;
    const char *more = i->callee + length + behind;
    return !*more || strcmp(more, "_shadow") == 0 ? size : 0;
}

static bool is_same_place(const struct machine_memory *m, const struct machine_memory *n)
{
    return m->base == n->base && m->index == n->index && m->scale == n->scale && m->own == n->own &&
           m->relative == n->relative && m->distance == n->distance && m->size == n->size;
}

static uint16_t registers_of(const struct machine_memory *m)
{
    return (uint16_t)((m->base < REGISTERS ? 1 << m->base : 0) | (m->index < REGISTERS ? 1 << m->index : 0));
}

static bool pass_hook(struct update *u, size_t k)
{
    if (u->write < u->a->count || announced(&u->a->code[k], "__tsan_write") != u->size || u->found >> RDI & 1)
        return false;
    u->write = k;
    u->found &= CALLEE_SAVED;
    u->flags = false;
    return u->load == u->a->count || !(registers_of(&u->a->code[u->load].machine.memory) & ~CALLEE_SAVED);
}

/* The instruction accesses memory elsewhere: it has to be the load, the store, or both at once. */
static bool pass_access(struct update *u, size_t k)
{
    const struct machine_instruction *i = &u->a->code[k].machine;
    const struct machine_memory *m = &i->memory;
    const struct machine_operand *to = &i->operands[0];
    if (i->access != ACCESS_OPERAND || i->locked || m->narrow || m->own || m->size != u->size ||
        !liveness_only_computes(i) || registers_of(m) & u->found || (i->reads | i->writes) & MACHINE_VECTORS)
        return false;
    if (m->writes) {
        bool whole = i->kind == KIND_MOVE && !m->reads && u->load < u->a->count;
        if (u->write == u->a->count || (!whole && (!m->reads || u->load < u->a->count)) ||
            (whole && !is_same_place(m, &u->a->code[u->load].machine.memory)))
            return false;
        u->flags |= !whole;
        u->store = k;
        return true;
    }
    if (u->load < u->a->count || to->kind != OPERAND_REGISTER || i->writes & MACHINE_FLAGS ||
        (i->kind != KIND_MOVE && i->kind != KIND_OTHER))
        return false;
    u->load = k;
    u->found |= (uint16_t)i->writes;
    return true;
}

/* Computes with what was found, or with something else. */
static bool pass_other(struct update *u, const struct machine_instruction *i)
{
    bool takes = i->reads & u->found || (i->reads & MACHINE_FLAGS && u->flags);
    if ((takes && i->access != ACCESS_NONE) || i->writes & MACHINE_VECTORS ||
        (!liveness_only_computes(i) && i->kind != KIND_NOTHING))
        return false;
    if (u->load < u->a->count && registers_of(&u->a->code[u->load].machine.memory) & i->writes)
        return false;
    if (takes) {
        u->found |= (uint16_t)i->writes;
        u->flags |= (i->writes & MACHINE_FLAGS) != 0;
    } else {
        u->found &= (uint16_t)~i->kills;
        u->flags &= !liveness_overwrites_flags(i);
    }
    return true;
}

static bool pass(struct update *u, size_t k)
{
    const struct machine_instruction *i = &u->a->code[k].machine;
    if (i->flow == FLOW_CALL)
        return pass_hook(u, k);
    if (i->flow != FLOW_ON || i->kind == KIND_PUSH || i->kind == KIND_POP || i->kind == KIND_LEAVE)
        return false;
    int32_t place = i->access == ACCESS_NONE ? 0 : liveness_place_of(&i->memory, &u->a->states[k]);
    bool elsewhere = i->access != ACCESS_NONE && i->kind != KIND_ADDRESS && !is_frame(place);
    return elsewhere ? pass_access(u, k) : pass_other(u, i);
}

/* Is nothing that depends on it needed behind the store, and not loaded once more, unannounced? */
static bool is_forgotten(const struct update *u)
{
    const struct liveness *a = u->a;
    struct needs after = liveness_needs_after(a, u->store);
    if (after.registers & u->found || (after.flags && u->flags))
        return false;
    size_t k = liveness_next_of(a, u->store);
    for (unsigned n = 0; n < UPDATE_MOST && k < a->count; n++, k = liveness_next_of(a, k)) {
        const struct machine_instruction *i = &a->code[k].machine;
        if (i->flow != FLOW_ON)
            return true;
        if (i->access != ACCESS_NONE && i->memory.reads &&
            is_same_place(&i->memory, &a->code[u->store].machine.memory))
            return false;
    }
    return true;
}

/* From the hook of a read on. */
static bool is_update(struct update *u, size_t read)
{
    const struct liveness *a = u->a;
    size_t k = liveness_next_of(a, read);
    for (unsigned n = 0; n < UPDATE_MOST && k < a->count && a->reached[k]; n++, k = liveness_next_of(a, k)) {
        if (liveness_is_entered(a, read, k) || !pass(u, k))
            return false;
        if (u->store < a->count)
            return is_forgotten(u);
    }
    return false;
}

static void add(struct fold_places *into, const struct liveness *a, size_t k, bool writes)
{
    if (into->update_count < FOLD_UPDATES)
        into->updates[into->update_count++] = (struct fold_update){a->code[k].machine.next, writes};
}

void liveness_find_updates(const struct liveness *a, struct fold_places *into)
{
    for (size_t k = 0; k < a->count; k++) {
        struct update u = {.a = a,
                           .size = announced(&a->code[k], "__tsan_read"),
                           .load = a->count,
                           .write = a->count,
                           .store = a->count,
                           .found = strstr(a->code[k].callee, "_shadow") ? BIT(RAX) : 0};
        if (!u.size || !a->reached[k] || !is_update(&u, k))
            continue;
        add(into, a, k, false);
        add(into, a, u.write, true);
    }
}
