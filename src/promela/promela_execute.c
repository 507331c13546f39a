/* SPDX-License-Identifier: Apache-2.0 */
/* The machine that runs the code of conditions and effects. */
#include "promela/promela_code.h"
#include "promela/promela_parser.h"

#include <string.h>

static inline int32_t load16(const uint8_t *at)
{
    int16_t value;
    memcpy(&value, at, 2);
    return value;
}

static inline int32_t load32(const uint8_t *at)
{
    int32_t value;
    memcpy(&value, at, 4);
    return value;
}

static inline void store16(uint8_t *at, int32_t value)
{
    uint16_t low = (uint16_t)value;
    memcpy(at, &low, 2);
}

static inline void store32(uint8_t *at, int32_t value)
{
    memcpy(at, &value, 4);
}

static enum promela_fault set_point(struct promela_result *r, int32_t op, int32_t value)
{
    if (r->has_point)
        return FAULT_POINTS;
    r->has_point = true;
    r->point_op = (uint8_t)op;
    r->point = value;
    return FAULT_NONE;
}

/* The state is little endian because all machines that this is built for are. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the state vector is little endian");

#define FAIL(what)                                  \
    do {                                            \
        r->fault_at = (uint32_t)(i - s->code.data); \
        return what;                                \
    } while (0)

/* One case an instruction, the operators of expressions among them. Code takes from the stack only what it has put there
 * (promela_emit.c), which an analysis without a model does not see: NOLINTBEGIN(clang-analyzer-core.Undefined*) */
enum promela_fault promela_execute(const struct promela_system *s, uint32_t code, uint8_t *state,
                                   struct promela_result *r)
{
    int32_t stack[STACK_MAX], *top = stack; /* *top is the last value, stack[0] none */
    *top = 0;
    for (const struct promela_instruction *i = &s->code.data[code];; i++) {
        switch (i->kind) {
        case CODE_END: r->value = *top; return FAULT_NONE;
        case CODE_PUSH: *++top = i->a; break;
        case CODE_LOAD8: *++top = state[i->a]; break;
        case CODE_LOAD16: *++top = load16(state + i->a); break;
        case CODE_LOAD_U16: *++top = (uint16_t)load16(state + i->a); break;
        case CODE_LOAD32: *++top = load32(state + i->a); break;
        case CODE_INDEX:
            if ((uint32_t)*top >= i->b)
                FAIL(FAULT_INDEX);
            *top *= i->a;
            break;
        case CODE_LOAD8_INDEXED:
            if ((uint32_t)*top >= i->b)
                FAIL(FAULT_INDEX);
            *top = state[i->a + *top];
            break;
        case CODE_LOAD8_AT: *top = state[i->a + *top]; break;
        case CODE_LOAD16_AT: *top = load16(state + i->a + *top); break;
        case CODE_LOAD_U16_AT: *top = (uint16_t)load16(state + i->a + *top); break;
        case CODE_LOAD32_AT: *top = load32(state + i->a + *top); break;
        case CODE_MASK: *top &= i->a; break;
        case CODE_STORE8: state[i->a] = (uint8_t)*top--; break;
        case CODE_STORE16: store16(state + i->a, *top--); break;
        case CODE_STORE32: store32(state + i->a, *top--); break;
        case CODE_STORE8_AT:
            state[i->a + *top] = (uint8_t)top[-1];
            top -= 2;
            break;
        case CODE_STORE16_AT:
            store16(state + i->a + *top, top[-1]);
            top -= 2;
            break;
        case CODE_STORE32_AT:
            store32(state + i->a + *top, top[-1]);
            top -= 2;
            break;
        case CODE_SET8: state[i->a] = (uint8_t)i->b; break;
        case CODE_CLEAR: memset(state + i->a, 0, i->b); break;
        case CODE_EQUAL8: *++top = state[i->a] == i->b; break;
        case CODE_UNEQUAL8: *++top = state[i->a] != i->b; break;
        case CODE_JUMP: i += i->a - 1; break;
        case CODE_JUMP_FALSE:
            if (!*top--)
                i += i->a - 1;
            break;
        case CODE_JUMP_FALSE_KEEP:
            if (!*top)
                i += i->a - 1;
            else
                top--;
            break;
        case CODE_JUMP_TRUE_KEEP:
            if (*top) {
                *top = 1;
                i += i->a - 1;
            } else {
                top--;
            }
            break;
        case CODE_TRUTH: *top = *top != 0; break;
        case CODE_ASSERT:
            if (!*top--)
                FAIL(FAULT_ASSERTION);
            break;
        case CODE_POINT:
            if (set_point(r, i->a, *top--))
                FAIL(FAULT_POINTS);
            break;
        case CODE_ARGUMENT: r->args[i->b] = s->locations_at[i->a]; break;
        case CODE_ARGUMENT_AT: r->args[i->b] = s->locations_at[i->a + *top--]; break;
        case CODE_OPERATE + OPERATOR_NEGATE:
        case CODE_OPERATE + OPERATOR_NOT:
        case CODE_OPERATE + OPERATOR_COMPLEMENT: promela_apply(i->kind - CODE_OPERATE, *top, 0, top); break;
        case CODE_OPERATE + OPERATOR_EQUAL:
            top--;
            *top = top[0] == top[1];
            break;
        case CODE_OPERATE + OPERATOR_UNEQUAL:
            top--;
            *top = top[0] != top[1];
            break;
        case CODE_OPERATE + OPERATOR_LESS:
            top--;
            *top = top[0] < top[1];
            break;
        case CODE_OPERATE + OPERATOR_ADD:
            top--;
            *top = (int32_t)((uint32_t)top[0] + (uint32_t)top[1]);
            break;
        case CODE_OPERATE + OPERATOR_SUBTRACT:
            top--;
            *top = (int32_t)((uint32_t)top[0] - (uint32_t)top[1]);
            break;
        default:
            top--;
            if (!promela_apply(i->kind - CODE_OPERATE, top[0], top[1], top))
                FAIL(FAULT_DIVISION);
        }
    }
}
/* NOLINTEND(clang-analyzer-core.Undefined*) */
