/* SPDX-License-Identifier: Apache-2.0 */
#include "target/symbols/symbols_arrays.h"

#include "target/symbols/symbols_locals.h"
#include "target/symbols/symbols_types.h"

#include <dwarf.h>
#include <string.h>

enum { DEPTH_MOST = 64, VISITS_MOST = 1 << 16 };
enum { DEEPEST = 16, FRAME_POINTER = 6 }; /* of the stack of an expression; rbp */

/* --- expressions -------------------------------------------------------------------------------- */

/* The frame that is looked into. */
struct frame {
    const struct worker_array *array;
    uint64_t code; /* of its function, in the file */
    uint64_t base; /* what locations in it count from */
};

struct machine {
    const struct frame *f;
    uint64_t stack[DEEPEST];
    unsigned depth;
    bool is_value; /* what is on top is the value itself, not where it lies */
    bool lost;     /* something that is not known, or not understood */
};

static void push(struct machine *m, uint64_t value)
{
    m->lost = m->lost || m->depth == DEEPEST;
    if (!m->lost)
        m->stack[m->depth++] = value;
}

static uint64_t pop(struct machine *m)
{
    m->lost = m->lost || !m->depth;
    return m->lost ? 0 : m->stack[--m->depth];
}

static uint64_t frame_pointer(const struct frame *f)
{
    return f->array->top - 2 * sizeof(uint64_t);
}

static uint64_t register_of(struct machine *m, unsigned number)
{
    static const unsigned saved[PROTOCOL_SAVED] = {3, 12, 13, 14, 15};
    if (number == FRAME_POINTER)
        return frame_pointer(m->f);
    for (unsigned k = 0; k < PROTOCOL_SAVED; k++)
        if (saved[k] == number)
            return m->f->array->saved[k];
    m->lost = true;
    return 0;
}

static uint64_t read_memory(struct machine *m, uint64_t address, uint64_t size)
{
    const struct worker_array *a = m->f->array;
    uint64_t from = address - (frame_pointer(m->f) - sizeof a->words), value = 0;
    m->lost = m->lost || !size || size > sizeof value || from > sizeof a->words - size;
    if (!m->lost)
        memcpy(&value, (const char *)a->words + from, size);
    return value;
}

static void calculate(struct machine *m, unsigned operation)
{
    uint64_t right = pop(m), left = pop(m);
    bool shifts = right < 64;
    switch (operation) {
    case DW_OP_plus: push(m, left + right); break;
    case DW_OP_minus: push(m, left - right); break;
    case DW_OP_mul: push(m, left * right); break;
    case DW_OP_and: push(m, left & right); break;
    case DW_OP_or: push(m, left | right); break;
    case DW_OP_shl: push(m, shifts ? left << right : 0); break;
    case DW_OP_shr: push(m, shifts ? left >> right : 0); break;
    case DW_OP_shra: push(m, (uint64_t)((int64_t)left >> (shifts ? right : 63))); break;
    default: m->lost = true;
    }
}

static void step(struct machine *m, const Dwarf_Op *op)
{
    unsigned atom = op->atom;
    if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31) {
        push(m, atom - DW_OP_lit0);
    } else if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31) {
        push(m, register_of(m, atom - DW_OP_breg0) + op->number);
    } else if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31) {
        push(m, register_of(m, atom - DW_OP_reg0));
        m->is_value = true;
    } else if (atom >= DW_OP_const1u && atom <= DW_OP_consts) {
        push(m, op->number);
    } else if (atom == DW_OP_fbreg) {
        push(m, m->f->base + op->number);
    } else if (atom == DW_OP_plus_uconst) {
        push(m, pop(m) + op->number);
    } else if (atom == DW_OP_deref || atom == DW_OP_deref_size) {
        push(m, read_memory(m, pop(m), atom == DW_OP_deref ? sizeof(uint64_t) : op->number));
    } else if (atom == DW_OP_stack_value) {
        m->is_value = true;
    } else {
        calculate(m, atom);
    }
}

/* Of an attribute that is an expression, or a list of them by code. */
static bool evaluate(const struct frame *f, Dwarf_Attribute *attribute, uint64_t *result, bool *is_value)
{
    Dwarf_Op *ops;
    size_t count;
    struct machine m = {.f = f};
    if (dwarf_getlocation_addr(attribute, f->code, &ops, &count, 1) != 1 || !count)
        return false;
    for (size_t k = 0; k < count && !m.lost; k++)
        step(&m, &ops[k]);
    *result = pop(&m);
    *is_value = m.is_value;
    return !m.lost;
}

/* --- arrays ------------------------------------------------------------------------------------- */

/* The variable of the compiler that holds a bound. */
static bool value_of(const struct frame *f, Dwarf_Die *variable, uint64_t *value)
{
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    Dwarf_Word word;
    bool is_value;
    if (dwarf_formudata(dwarf_attr_integrate(variable, DW_AT_const_value, &attribute), &word) == 0) {
        *value = word;
        return true;
    }
    if (!dwarf_attr_integrate(variable, DW_AT_location, &attribute) ||
        !evaluate(f, &attribute, value, &is_value))
        return false;
    struct machine m = {.f = f};
    if (!is_value)
        *value = symbols_die_reference(variable, DW_AT_type, &type)
                     ? read_memory(&m, *value, symbols_type_size(&type))
                     : 0;
    return !m.lost;
}

/* A constant, a variable or an expression. */
static bool bound_of(const struct frame *f, Dwarf_Die *range, unsigned name, uint64_t *bound)
{
    Dwarf_Attribute attribute;
    Dwarf_Die variable;
    Dwarf_Word word;
    bool is_value;
    if (!dwarf_attr_integrate(range, name, &attribute))
        return false;
    if (dwarf_formudata(&attribute, &word) == 0) {
        *bound = word;
        return true;
    }
    if (dwarf_formref_die(&attribute, &variable))
        return value_of(f, &variable, bound);
    return evaluate(f, &attribute, bound, &is_value);
}

static uint64_t count_elements(const struct frame *f, Dwarf_Die *range)
{
    uint64_t number;
    if (bound_of(f, range, DW_AT_count, &number))
        return number;
    return bound_of(f, range, DW_AT_upper_bound, &number) ? number + 1 : 0;
}

/* The first dimension is whatever the others leave. */
static bool read_dimensions(const struct frame *f, Dwarf_Die *array, struct symbols_block *out)
{
    uint64_t counts[SYMBOLS_DIMENSIONS], stride = 1;
    Dwarf_Die die;
    for (bool more = dwarf_child(array, &die) == 0; more; more = symbols_next_die(&die)) {
        if (dwarf_tag(&die) != DW_TAG_subrange_type)
            continue;
        if (out->dimensions == SYMBOLS_DIMENSIONS)
            return false;
        counts[out->dimensions] = out->dimensions ? count_elements(f, &die) : 1;
        out->dimensions++;
    }
    for (unsigned k = out->dimensions; k-- > 0;) {
        out->strides[k] = stride;
        if (__builtin_mul_overflow(stride, counts[k], &stride) || !stride)
            return false;
    }
    return out->dimensions > 0;
}

/* --- which variable ----------------------------------------------------------------------------- */

struct search {
    uint64_t code;
    struct symbol_frame place; /* of the declaration */
    unsigned visits, found;
    bool exact; /* the column is the same */
    Dwarf_Die variable, function, array;
};

static bool is_array(Dwarf_Die *variable, Dwarf_Die *array)
{
    Dwarf_Die type;
    return symbols_die_reference(variable, DW_AT_type, &type) && !symbols_type_size(&type) &&
           symbols_type_peel(&type, array) && dwarf_tag(array) == DW_TAG_array_type;
}

static void look_at(struct search *s, Dwarf_Die *variable, const Dwarf_Die *function)
{
    Dwarf_Die array;
    int line = 0, column = 0;
    if (!is_array(variable, &array) || dwarf_decl_line(variable, &line) != 0 ||
        (uint32_t)line != s->place.line)
        return;
    bool exact = dwarf_decl_column(variable, &column) == 0 && (uint32_t)column == s->place.column;
    if (exact < s->exact)
        return;
    s->found = exact > s->exact ? 1 : s->found + 1;
    s->exact = exact;
    s->variable = *variable;
    s->function = *function;
    s->array = array;
}

/* The blocks around the code, and what was inlined there. */
static void search_scope(struct search *s, Dwarf_Die *scope, const Dwarf_Die *function, unsigned depth)
{
    Dwarf_Die die;
    for (bool more = depth < DEPTH_MOST && dwarf_child(scope, &die) == 0; more && s->visits++ < VISITS_MOST;
         more = symbols_next_die(&die)) {
        int tag = dwarf_tag(&die);
        bool inlined = tag == DW_TAG_inlined_subroutine;
        if (tag == DW_TAG_variable)
            look_at(s, &die, function);
        else if ((inlined || tag == DW_TAG_lexical_block) && dwarf_haspc(&die, s->code) == 1)
            search_scope(s, &die, inlined ? &die : function, depth + 1);
    }
}

bool symbols_find_array(struct symbols_module *m, const struct worker_array *array, struct symbols_block *out)
{
    struct symbol_frame frames[SYMBOLS_CHAIN_MOST];
    struct frame f = {.array = array, .code = array->pc - 1 - m->bias};
    struct symbols_interval *function = symbols_index_find(&m->functions, f.code);
    int64_t base = 0;
    if (!function || !symbols_frame_base(&function->die, &base) || !symbols_find_frames(m, f.code, frames))
        return false;
    f.base = frame_pointer(&f) + (uint64_t)base;
    struct search s = {.code = f.code, .place = frames[0]};
    search_scope(&s, &function->die, &function->die, 0);
    *out = (struct symbols_block){.address = array->address, .size = array->size, .top = array->top};
    if (s.found != 1 || !dwarf_diename(&s.variable) ||
        !symbols_die_reference(&s.array, DW_AT_type, &out->type))
        return false;
    out->name = symbols_name_local(m, &s.function, dwarf_diename(&s.variable), array->address);
    out->element = symbols_type_size(&out->type);
    return out->element && read_dimensions(&f, &s.array, out);
}
