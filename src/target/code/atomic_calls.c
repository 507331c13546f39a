/* SPDX-License-Identifier: Apache-2.0 */
#include "target/code/atomic_calls.h"

#include "graph/event.h"
#include "target/code/program_code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ what is called */

/* The numbers of the arguments that say the orders, from 0. */
struct callee {
    enum atomic_kind kind;
    unsigned order, failure;
};

static const struct {
    const char *name;
    enum atomic_kind kind;
} operations[] = {
    {"load", ATOMIC_LOAD},     {"store", ATOMIC_STORE},          {"exchange", ATOMIC_UPDATE},
    {"fetch_", ATOMIC_UPDATE}, {"compare_exchange", ATOMIC_CAS},
};

/* Behind the prefix: the operation, found by the beginning of its name. */
static bool find_operation(const char *name, enum atomic_kind *kind)
{
    for (size_t k = 0; k < sizeof operations / sizeof *operations; k++)
        if (strncmp(name, operations[k].name, strlen(operations[k].name)) == 0) {
            *kind = operations[k].kind;
            return true;
        }
    return false;
}

/* Values of 16 bytes are two arguments. */
static void count_arguments(struct callee *c, bool wide, bool by_value)
{
    static const unsigned orders[] = {
        [ATOMIC_LOAD] = 1, [ATOMIC_STORE] = 2, [ATOMIC_UPDATE] = 2, [ATOMIC_CAS] = 3};
    c->order = orders[c->kind] + (wide && c->kind != ATOMIC_LOAD) + (wide && by_value);
    c->failure = c->order + 1;
}

static bool find_tsan(const char *name, struct callee *c)
{
    unsigned bits;
    int length = 0;
    if (strcmp(name, "__tsan_atomic_thread_fence") == 0) {
        *c = (struct callee){ATOMIC_FENCE, 0, 0};
        return true;
    }
    if (sscanf(name, "__tsan_atomic%u_%n", &bits, &length) != 1 || !length ||
        !find_operation(name + length, &c->kind))
        return false;
    count_arguments(c, bits == 128, strstr(name, "_val") != NULL);
    return true;
}

/* Without a number behind their names they work on memory, and begin with its size. */
static bool find_libatomic(const char *name, struct callee *c)
{
    static const char prefix[] = "__atomic_";
    const char *last = strrchr(name, '_');
    if (strncmp(name, prefix, strlen(prefix)) != 0 || !find_operation(name + strlen(prefix), &c->kind))
        return false;
    if (last[1] >= '0' && last[1] <= '9') {
        count_arguments(c, atoi(last + 1) == 16, false);
        return true;
    }
    static const unsigned orders[] = {
        [ATOMIC_LOAD] = 3, [ATOMIC_STORE] = 3, [ATOMIC_UPDATE] = 4, [ATOMIC_CAS] = 4};
    c->order = orders[c->kind];
    c->failure = c->order + 1;
    return true;
}

/* ------------------------------------------------------------------ constants in registers */

enum { REGISTER_COUNT = 32 };

struct constants {
    bool known[REGISTER_COUNT];
    int64_t values[REGISTER_COUNT];
};

static unsigned argument_register(unsigned number)
{
#if defined(__aarch64__)
    return number < 8 ? number : MACHINE_NO_REGISTER;
#else
    static const uint8_t registers[] = {7, 6, 2, 1, 8, 9};
    return number < sizeof registers ? registers[number] : MACHINE_NO_REGISTER;
#endif
}

static uint8_t order_in(const struct constants *c, unsigned argument)
{
    enum { ORDER_BITS = 0x7fff };
    unsigned r = argument_register(argument);
    if (r >= REGISTER_COUNT || !c->known[r])
        return ORDER_PLAIN;
    uint64_t order = (uint64_t)c->values[r] & ORDER_BITS;
    return order <= ORDER_SEQ_CST ? (uint8_t)order : ORDER_SEQ_CST;
}

static void forget(struct constants *c, uint64_t registers)
{
    for (unsigned r = 0; r < REGISTER_COUNT; r++)
        c->known[r] = c->known[r] && !(registers >> r & 1);
}

static void follow(struct constants *c, const struct machine_instruction *i)
{
    const struct machine_operand *to = &i->operands[0], *from = &i->operands[1];
    bool to_register =
        i->operand_count >= 2 && to->kind == OPERAND_REGISTER && to->size >= 4 && to->number < REGISTER_COUNT;
    bool moved = to_register && i->kind == KIND_MOVE && from->kind == OPERAND_CONSTANT;
    bool cleared =
        to_register && i->kind == KIND_XOR && from->kind == OPERAND_REGISTER && from->number == to->number;
    bool copied = to_register && i->kind == KIND_MOVE && from->kind == OPERAND_REGISTER &&
                  from->number < REGISTER_COUNT && c->known[from->number];
    int64_t value = moved ? from->constant : copied ? c->values[from->number] : 0;
    forget(c, i->writes);
    if (moved || cleared || copied) {
        c->known[to->number] = true;
        c->values[to->number] = value;
    }
}

/* ------------------------------------------------------------------ functions */

typedef VEC(uint64_t) addresses;

static int compare_addresses(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Where code may come from elsewhere, nothing is known about registers. */
static addresses find_targets(const struct code_function *f)
{
    addresses targets = {0};
    struct machine_instruction i = {0};
    while (program_code_next(f, &i))
        if (i.target && i.flow != FLOW_CALL)
            vec_push(&targets, i.target);
    if (targets.len)
        qsort(targets.data, targets.len, sizeof *targets.data, compare_addresses);
    return targets;
}

static bool is_target(const addresses *targets, uint64_t address)
{
    return targets->len && bsearch(&address, targets->data, targets->len, sizeof address, compare_addresses);
}

static void add_call(const struct program_code *code, const struct machine_instruction *i,
                     const struct constants *c, atomic_calls *out)
{
    struct callee callee;
    const char *name = program_code_callee(code, i);
    if (!*name || (!find_tsan(name, &callee) && !find_libatomic(name, &callee)))
        return;
    struct atomic_call call = {i->next, callee.kind, order_in(c, callee.order), ORDER_PLAIN};
    if (callee.kind == ATOMIC_CAS)
        call.failure = order_in(c, callee.failure);
    vec_push(out, call);
}

static void search_function(const struct program_code *code, const struct code_function *f, atomic_calls *out)
{
    struct constants c = {0};
    struct machine_instruction i = {0};
    addresses targets = find_targets(f);
    while (program_code_next(f, &i)) {
        if (is_target(&targets, i.address))
            c = (struct constants){0};
        if (i.flow == FLOW_CALL) {
            add_call(code, &i, &c, out);
            c = (struct constants){0};
        } else
            follow(&c, &i);
    }
    vec_free(&targets);
}

void atomic_calls_find(const char *path, atomic_calls *out)
{
    struct program_code code;
    if (program_code_open(&code, path))
        for (size_t k = 0; k < code.functions.len; k++)
            search_function(&code, &code.functions.data[k], out);
    program_code_close(&code);
}
