/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses to shared memory: the functions of <stdatomic.h>, and plain ones. */
#include "litmus/litmus_parser.h"

#include <string.h>

enum call_shape { CALL_LOAD, CALL_STORE, CALL_UPDATE, CALL_CAS, CALL_FENCE };

static const struct call {
    const char *name; /* without _explicit */
    enum call_shape shape;
    enum operation operation;
    bool weak;
} calls[] = {
    {"atomic_load", CALL_LOAD, OPERATION_LOAD, false},
    {"atomic_store", CALL_STORE, OPERATION_STORE, false},
    {"atomic_exchange", CALL_UPDATE, OPERATION_EXCHANGE, false},
    {"atomic_fetch_add", CALL_UPDATE, OPERATION_ADD, false},
    {"atomic_fetch_sub", CALL_UPDATE, OPERATION_SUB, false},
    {"atomic_fetch_and", CALL_UPDATE, OPERATION_AND, false},
    {"atomic_fetch_or", CALL_UPDATE, OPERATION_OR, false},
    {"atomic_fetch_xor", CALL_UPDATE, OPERATION_XOR, false},
    {"atomic_compare_exchange_strong", CALL_CAS, OPERATION_CAS, false},
    {"atomic_compare_exchange_weak", CALL_CAS, OPERATION_CAS, true},
    {"atomic_thread_fence", CALL_FENCE, OPERATION_NONE, false},
};

static const struct call *find_call(const struct token *name, bool *has_order)
{
    static const char suffix[] = "_explicit";
    size_t length = name->length, tail = sizeof suffix - 1;
    *has_order = length > tail && memcmp(name->start + length - tail, suffix, tail) == 0;
    length -= *has_order ? tail : 0;
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
        if (strlen(calls[k].name) == length && memcmp(calls[k].name, name->start, length) == 0)
            return calls[k].shape == CALL_FENCE && *has_order ? NULL : &calls[k];
    return NULL;
}

static bool is_linux(const struct token *name)
{
    static const char *const starts[] = {
        "READ_ONCE",  "WRITE_ONCE", "smp_",         "rcu_",        "srcu_",          "xchg",
        "cmpxchg",    "spin_",      "synchronize_", "atomic_read", "atomic_set",     "atomic_inc",
        "atomic_dec", "atomic_add", "atomic_sub",   "atomic_xchg", "atomic_cmpxchg", "atomic_try_cmpxchg"};
    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++)
        if (name->length >= strlen(starts[k]) && memcmp(name->start, starts[k], strlen(starts[k])) == 0)
            return true;
    return false;
}

static uint32_t refuse_call(struct parser *p, const struct token *name)
{
    if (is_linux(name))
        return parser_unsupported(p, name, "Linux kernel litmus is not supported ('%.*s')",
                                  name->length < 40 ? (int)name->length : 40, name->start);
    return parser_unsupported(p, name, "the function '%.*s' is not supported",
                              name->length < 40 ? (int)name->length : 40, name->start);
}

/* ------------------------------------------------------------------ arguments */

static uint8_t parse_order(struct parser *p)
{
    static const char *const names[] = {"memory_order_relaxed", "memory_order_consume",
                                        "memory_order_acquire", "memory_order_release",
                                        "memory_order_acq_rel", "memory_order_seq_cst"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (parser_accept(p, names[k]))
            return (uint8_t)k;
    parser_error_at(p, &p->token, "expected a memory order, such as memory_order_acquire");
    return 0;
}

/* Orders that the standard does not allow for a pure load or a pure store. */
static void check_order(struct parser *p, const struct token *at, enum call_shape shape, uint8_t order)
{
    bool acquires = order == ORDER_ACQUIRE || order == ORDER_CONSUME;
    bool releases = order == ORDER_RELEASE;
    if (shape == CALL_LOAD && (releases || order == ORDER_ACQ_REL))
        parser_error_at(p, at, "a load cannot have this memory order");
    if (shape == CALL_STORE && (acquires || order == ORDER_ACQ_REL))
        parser_error_at(p, at, "a store cannot have this memory order");
}

static uint8_t parse_order_argument(struct parser *p, enum call_shape shape, bool has_order)
{
    if (!has_order)
        return ORDER_SEQ_CST;
    parser_expect(p, ",");
    struct token at = p->token;
    uint8_t order = parse_order(p);
    check_order(p, &at, shape, order);
    return order;
}

static uint32_t parse_location_argument(struct parser *p)
{
    struct token name = parser_expect_name(p, "a location");
    return parser_location_here(p, &name);
}

static uint32_t result_in(struct parser *p, uint32_t number)
{
    return program_register(&p->test->program, number);
}

/* ------------------------------------------------------------------ plain accesses */

/* An object of an atomic type is accessed by seq_cst operations, as the language says. */
static uint8_t plain_order(struct parser *p, uint32_t location)
{
    if (p->atomics >> location & 1)
        return ORDER_SEQ_CST;
    p->test->has_plain_accesses = true;
    return ORDER_PLAIN;
}

uint32_t parser_plain_load(struct parser *p, uint32_t location)
{
    uint32_t target = parser_new_register(p, p->thread, NULL);
    struct instruction *load = parser_emit(p, INSTRUCTION_ACCESS);
    load->operation = OPERATION_LOAD;
    load->order = load->failure_order = plain_order(p, location);
    load->location = location;
    load->target = (int32_t)target;
    return result_in(p, target);
}

void parser_plain_store(struct parser *p, uint32_t location, uint32_t value)
{
    struct instruction *store = parser_emit(p, INSTRUCTION_ACCESS);
    store->operation = OPERATION_STORE;
    store->order = store->failure_order = plain_order(p, location);
    store->location = location;
    store->expression = value;
}

/* ------------------------------------------------------------------ compare and exchange */

/* `&variable`, or a location in which the expected value is. */
struct expected {
    uint32_t number;   /* the register that holds it during the operation */
    uint32_t location; /* where it came from; PROGRAM_LOCATIONS_MAX: nowhere */
};

static struct expected parse_expected(struct parser *p)
{
    struct expected e = {.location = PROGRAM_LOCATIONS_MAX};
    bool of_variable = parser_accept(p, "&");
    struct token name = parser_expect_name(p, "where the expected value is");
    if (of_variable) {
        e.number = parser_register_here(p, &name);
        return e;
    }
    e.location = parser_location_here(p, &name);
    uint32_t value = parser_plain_load(p, e.location);
    e.number = p->failed ? 0 : (uint32_t)p->test->program.expressions.data[value].value;
    return e;
}

/* After a failure the location of the expected value gets what was found. */
static void store_found(struct parser *p, const struct expected *e, uint32_t success)
{
    struct program *program = &p->test->program;
    uint32_t failed = program_expression(program, EXPRESSION_NOT, success, success);
    struct instruction *jump = parser_emit(p, INSTRUCTION_JUMP_IF_ZERO);
    jump->expression = failed;
    jump->destination = parser_code_length(p) + 1;
    parser_plain_store(p, e->location, program_register(program, e->number));
}

static uint32_t parse_cas(struct parser *p, const struct call *c, bool has_order)
{
    struct instruction cas = {.kind = INSTRUCTION_CAS, .operation = OPERATION_CAS, .weak = c->weak};
    cas.location = parse_location_argument(p);
    parser_expect(p, ",");
    struct expected expected = parse_expected(p);
    parser_expect(p, ",");
    cas.expression = parser_expression(p);
    cas.order = parse_order_argument(p, CALL_CAS, has_order);
    cas.failure_order = parse_order_argument(p, CALL_LOAD, has_order);
    cas.expected_register = (int32_t)expected.number;
    cas.target = (int32_t)parser_new_register(p, p->thread, NULL);
    *parser_emit(p, INSTRUCTION_CAS) = cas;
    uint32_t success = result_in(p, (uint32_t)cas.target);
    if (expected.location < PROGRAM_LOCATIONS_MAX)
        store_found(p, &expected, success);
    return success;
}

/* ------------------------------------------------------------------ the rest */

static uint32_t parse_fence(struct parser *p)
{
    uint8_t order = parse_order(p);
    if (order != ORDER_RELAXED) /* which has no effect */
        parser_emit(p, INSTRUCTION_FENCE)->order = order;
    return program_constant(&p->test->program, 0);
}

static uint32_t parse_access(struct parser *p, const struct call *c, bool has_order)
{
    struct instruction access = {
        .kind = INSTRUCTION_ACCESS, .operation = c->operation, .expected_register = -1};
    access.location = parse_location_argument(p);
    if (c->shape != CALL_LOAD) {
        parser_expect(p, ",");
        access.expression = parser_expression(p);
    }
    access.order = parse_order_argument(p, c->shape, has_order);
    access.failure_order = access.order;
    access.target = c->shape == CALL_STORE ? -1 : (int32_t)parser_new_register(p, p->thread, NULL);
    *parser_emit(p, INSTRUCTION_ACCESS) = access;
    return c->shape == CALL_STORE ? program_constant(&p->test->program, 0)
                                  : result_in(p, (uint32_t)access.target);
}

uint32_t parser_call(struct parser *p, const struct token *name)
{
    bool has_order;
    const struct call *c = find_call(name, &has_order);
    if (!c)
        return refuse_call(p, name);
    parser_expect(p, "(");
    uint32_t result = c->shape == CALL_FENCE ? parse_fence(p)
                      : c->shape == CALL_CAS ? parse_cas(p, c, has_order)
                                             : parse_access(p, c, has_order);
    parser_expect(p, ")");
    return result;
}
