/* SPDX-License-Identifier: Apache-2.0 */
/* From names of variables, as reports have them, to words of the program: "enq_at", "cells[].turn". */
#include "proving/proving.h"
#include "target/code/program_code.h"
#include "target/symbols/symbols.h"
#include "target/symbols/symbols_variables.h"

#include <stdio.h>
#include <string.h>

/* "cells[1].turn" is "cells[].turn". */
static void drop_indices(struct text *name)
{
    size_t kept = 0;
    bool is_inside = false;
    for (size_t i = 0; i < name->len; i++) {
        is_inside &= name->data[i] != ']';
        if (!is_inside)
            name->data[kept++] = name->data[i];
        is_inside |= name->data[i] == '[';
    }
    name->len = kept;
    name->data[kept] = 0;
}

static bool is_wanted(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',')
        if (strcspn(at, ",") == length && !memcmp(at, name, length))
            return true;
    return false;
}

static void name_byte(struct symbols *names, uint64_t address, struct text *out)
{
    text_clear(out);
    symbols_location(names, address, 1, out);
}

/* How many bytes belong to what begins there: the names of the others end with their distances. */
static uint32_t size_of(struct symbols *names, uint64_t address, const struct text *name)
{
    struct text next = {0}, expected = {0};
    uint32_t size = 1;
    for (bool same = true; same && size < sizeof(uint64_t);) {
        text_clear(&expected);
        text_printf(&expected, "%s+%u", name->data, (unsigned)size);
        name_byte(names, address + size, &next);
        same = next.len == expected.len && !memcmp(next.data, expected.data, next.len);
        size += same;
    }
    text_free(&next);
    text_free(&expected);
    return size;
}

static bool add_word(const char *wanted, struct symbols *names, uint64_t address, struct prove_word *list,
                     uint32_t *count)
{
    struct text name = {0}, plain = {0};
    name_byte(names, address, &name);
    text_puts(&plain, name.data);
    drop_indices(&plain);
    bool is_one = is_wanted(wanted, plain.data) || is_wanted(wanted, name.data);
    bool fits = !is_one || *count < PROVE_COUNTERS_MAX;
    if (is_one && fits)
        list[(*count)++] = (struct prove_word){address, size_of(names, address, &name)};
    text_free(&name);
    text_free(&plain);
    return fits;
}

bool proving_find_words(struct proving *p, const char *path, const char *wanted, struct prove_word *list,
                        uint32_t *count)
{
    struct diagnostic d = {0};
    struct worker_module program = {0};
    bool fits = true;
    if (!wanted)
        return true;
    snprintf(program.path, sizeof program.path, "%s", path);
    struct symbols *names = symbols_open(&program, 1, &d);
    struct variable_list all = variables_of_program(path);
    for (uint32_t i = 0; i < all.static_count; i++)
        for (uint64_t at = 0; at < all.all.data[i].size && fits; at++)
            fits = add_word(wanted, names, (uint64_t)all.all.data[i].at + at, list, count);
    variables_free(&all);
    symbols_close(names);
    if (!fits)
        return diagnostic_set(&p->error, PL_USAGE, 0, 0, "'%s' are more than %d words", wanted,
                              PROVE_COUNTERS_MAX);
    return *count ||
           diagnostic_set(
               &p->error, PL_USAGE, 0, 0,
               "the program has no variable '%s': names are those of reports, with [] for any index", wanted);
}

/* --- numbers of the code ------------------------------------------------------------------------------------------------ */

/* Small ones every walk comes by. */
enum { SMALL = 8 };

static void add_number(struct prove_question *q, uint64_t number)
{
    bool is_known = number < SMALL || q->constant_count == PROVE_CONSTANTS_MAX;
    for (uint32_t i = 0; i < q->constant_count; i++)
        is_known |= q->constants[i] == number;
    if (!is_known)
        q->constants[q->constant_count++] = number;
}

/* A negative one may be subtracted, or be one of fewer bits. */
static void add_constant(struct prove_question *q, int64_t constant)
{
    add_number(q, (uint64_t)(constant < 0 ? -constant : constant));
    if (constant < 0 && constant >= INT8_MIN)
        add_number(q, (uint8_t)constant);
    if (constant < 0 && constant >= INT16_MIN)
        add_number(q, (uint16_t)constant);
}

/* Compilers divide by multiplying: with 2^k / n, rounded up, or, to see whether nothing is left, with the inverse of n. n is odd, and shifts do the rest. */
static void add_divisors(struct prove_question *q, uint32_t factor)
{
    enum { LEAST = 1 << 24, MOST = 1 << 20, WORD = 32 };
    uint32_t inverse = factor;
    for (unsigned i = 0; i < 4; i++) /* each time twice as many bits are right */
        inverse *= 2 - factor * inverse;
    if (factor % 2 && inverse < MOST)
        add_number(q, inverse);
    bool is_found = factor < LEAST;
    for (unsigned k = WORD; k < 2 * WORD && !is_found; k++) {
        uint64_t power = UINT64_C(1) << k, divisor = power / factor + 1;
        is_found = divisor >= SMALL && divisor < MOST && divisor * factor - power < divisor;
        if (is_found)
            add_number(q, divisor);
    }
}

static bool is_of_kind(enum machine_kind kind)
{
    static const uint64_t kinds = UINT64_C(1) << KIND_COMPARE | UINT64_C(1) << KIND_TEST |
                                  UINT64_C(1) << KIND_SUBTRACT | UINT64_C(1) << KIND_ADD |
                                  UINT64_C(1) << KIND_AND | UINT64_C(1) << KIND_XOR |
                                  UINT64_C(1) << KIND_MOVE | UINT64_C(1) << KIND_OTHER;
    return kinds >> kind & 1;
}

/* What is compared with a number, or moved to be; a subtraction may be by `lea`, a multiplication is one of the others. */
static void add_constants(struct prove_question *q, const struct machine_instruction *i)
{
    bool is_frame = i->memory.base == MACHINE_STACK || i->memory.base == MACHINE_FRAME;
    if (i->kind == KIND_ADDRESS && !i->memory.relative && !is_frame)
        add_constant(q, i->memory.distance);
    for (unsigned k = 0; k < i->operand_count && i->flow == FLOW_ON && is_of_kind(i->kind); k++) {
        if (i->operands[k].kind != OPERAND_CONSTANT)
            continue;
        add_constant(q, i->operands[k].constant);
        if (i->kind == KIND_OTHER || i->kind == KIND_MOVE)
            add_divisors(q, (uint32_t)i->operands[k].constant);
    }
}

void proving_find_constants(const char *path, struct prove_question *q)
{
    struct program_code code = {0};
    if (program_code_open(&code, path))
        for (size_t k = 0; k < code.functions.len; k++)
            for (struct machine_instruction i = {0}; program_code_next(&code.functions.data[k], &i);)
                add_constants(q, &i);
    program_code_close(&code);
}
