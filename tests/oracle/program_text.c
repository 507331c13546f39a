/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/random_program.h"

#include <stdio.h>

static void print_expression(const struct program *p, uint32_t number)
{
    static const char *const signs[] = {"",   "",   "+", "-",  "*",  "&",  "|", "^",
                                        "==", "!=", "<", "<=", "&&", "||", "!"};
    const struct expression *x = &p->expressions.data[number];
    if (x->kind == EXPRESSION_CONSTANT)
        printf("%lld", (long long)x->value);
    else if (x->kind == EXPRESSION_REGISTER)
        printf("r%lld", (long long)x->value);
    else if (x->kind == EXPRESSION_NOT) {
        printf("!");
        print_expression(p, x->left);
    } else {
        printf("(");
        print_expression(p, x->left);
        printf(" %s ", signs[x->kind]);
        print_expression(p, x->right);
        printf(")");
    }
}

static const char *operation_name(enum operation o)
{
    static const char *const names[] = {
#define X(name, reads, writes) #name,
        OPERATIONS(X)
#undef X
    };
    return names[o];
}

static void print_access(const struct program *p, const struct instruction *i)
{
    if (i->target >= 0)
        printf("r%d = ", i->target);
    printf("%s%s %c", i->weak ? "WEAK " : "",
           i->kind == INSTRUCTION_AWAIT ? "AWAIT" : operation_name(i->operation),
           "xymnabcd"[i->location & 7]);
    if (i->size)
        printf("[%u..%u]", i->offset, i->offset + i->size - 1u);
    printf(".%s", event_order_text(i->order));
    if (i->kind == INSTRUCTION_CAS && i->expected_register >= 0)
        printf(".%s r%d ->", event_order_text(i->failure_order), i->expected_register);
    else if (i->kind == INSTRUCTION_CAS) {
        printf(".%s ", event_order_text(i->failure_order));
        print_expression(p, i->expected);
        printf(" ->");
    }
    if (i->operation != OPERATION_LOAD || i->kind == INSTRUCTION_AWAIT) {
        printf(" ");
        print_expression(p, i->expression);
    }
}

static void print_instruction(const struct program *p, const struct instruction *i)
{
    switch (i->kind) {
    case INSTRUCTION_FENCE: printf("FENCE %s", event_order_text(i->order)); break;
    case INSTRUCTION_JUMP: printf("goto %u", i->destination); break;
    case INSTRUCTION_CREATE: printf("CREATE %u", i->destination); break;
    case INSTRUCTION_JOIN: printf("JOIN %u", i->destination); break;
    case INSTRUCTION_JUMP_IF_ZERO:
        printf("unless ");
        print_expression(p, i->expression);
        printf(" goto %u", i->destination);
        break;
    case INSTRUCTION_SET:
        printf("r%d = ", i->target);
        print_expression(p, i->expression);
        break;
    case INSTRUCTION_ASSERT:
        printf("assert ");
        print_expression(p, i->expression);
        break;
    default: print_access(p, i); break;
    }
}

void program_print(const struct program *p)
{
    for (uint32_t t = 0; t < p->thread_count; t++) {
        printf("  thread %u%s:\n", t, p->threads[t].on_demand ? " (created)" : "");
        for (uint32_t k = 0; k < p->threads[t].code.len; k++) {
            printf("    %u: ", k);
            print_instruction(p, &p->threads[t].code.data[k]);
            printf("\n");
        }
    }
}
