/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb specs`. */
#include "base/vec.h"
#include "cli/common/output.h"
#include "spec/registry.h"

#include <stdio.h>

static const struct option_section specs_sections[] = {
    {"examples", "  plumb specs queue\n"
                 "  plumb specs 'queue(cap=4)' stack\n"},
};

const struct option_command cli_specs_text = {
    .name = "specs",
    .summary = "List the specifications and their operations.",
    .operands = "[NAME...]",
    .operands_most = SIZE_MAX,
    .sections = specs_sections,
    .section_count = 1,
};

static const char *argument_word(char letter)
{
    switch (letter) {
    case 'i': return "integer";
    case 'n': return "count";
    case 's': return "string";
    case 'p': return "v | [priority,v]";
    case 't': return "[[r,key,null],[w,key,v],...]";
    default: return "v";
    }
}

static const char *result_word(char letter)
{
    switch (letter) {
    case 'N': return "null";
    case 'b': return "bool";
    case 'i': return "integer";
    case 's': return "string";
    case 'a': return "array";
    default: return "v";
    }
}

/* "cas(v, v) = bool" */
static void add_operation(struct text *out, const struct plumb_operation *op)
{
    text_printf(out, "    %s(", op->name);
    for (const char *a = op->args; *a; a++)
        text_printf(out, "%s%s", a > op->args ? ", " : "", argument_word(*a));
    text_puts(out, ")");
    unsigned words = 0;
    for (const char *r = op->results; *r; r++)
        if (*r != 'k')
            text_printf(out, "%s%s", words++ ? " or " : " = ", result_word(*r));
    text_puts(out, "\n");
}

static void add_spec(struct text *out, const struct plumb_spec *spec)
{
    const struct plumb_spec *extended = spec_extended(spec), *full = extended ? extended : spec;
    text_printf(out, "%s: %s\n", spec->name, spec->summary);
    for (uint32_t op = 0; op < full->operation_count; op++)
        add_operation(out, &full->operations[op]);
}

static void add_all(struct text *out)
{
    for (unsigned i = 0; i < spec_count; i++)
        add_spec(out, spec_all[i]);
    text_puts(out, "with parameters:\n"
                   "    semaphore(3), register(null): the initial value\n"
                   "    queue(cap=4), stack(cap=4), deque(cap=4): additions answer bool; false: it was full\n"
                   "    lock(recursive), rwlock(recursive): a thread may acquire, or read, what it holds "
                   "already\n"
                   "    queue(weak), queue(cap=4, weak), lock(weak), register(weak), ...: what can fail may "
                   "always do so\n");
}

static bool add_named(struct text *out, const char *name)
{
    const struct plumb_spec *spec = spec_find(name);
    if (spec) {
        add_spec(out, spec);
        return true;
    }
    OWNED char *complaint = spec_find_complaint(name);
    output_error(PL_USAGE, "%.300s", complaint);
    return false;
}

enum cli_exit cli_specs(int count, char *const *words)
{
    struct operand_list operands = {0};
    enum cli_exit exit;
    if (!cli_parse(&cli_specs_text, count, words, NULL, &operands, &exit))
        return exit;
    struct text out = {0};
    bool fine = true;
    for (size_t k = 0; k < operands.len && fine; k++)
        fine = add_named(&out, operands.data[k]);
    if (!operands.len)
        add_all(&out);
    if (fine)
        output_text(stdout, &out);
    text_free(&out);
    vec_free(&operands);
    return fine ? EXIT_HOLDS : EXIT_USAGE;
}
