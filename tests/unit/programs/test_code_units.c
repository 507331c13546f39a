/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of functions, their callers, landing pads and jumps by tables, of programs written by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "target/code/code_units.h"
#include "target/code/liveness.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/test_code_units.XXXXXX";
static char program[sizeof folder + 8];

static void assemble(const char *code)
{
    char command[256];
    snprintf(command, sizeof command, "cd %s && as -o t.o - && ld -shared -o t.so t.o", folder);
    FILE *to = popen(command, "w");
    assert_non_null(to);
    fputs(code, to);
    assert_int_equal(pclose(to), 0);
}

static const struct code_unit *unit_of(const struct code_units *u, const char *name)
{
    for (size_t k = 0; k < u->code.functions.len; k++)
        if (!strcmp(u->code.functions.data[k].name, name))
            return code_units_at(u, u->code.functions.data[k].address);
    fail_msg("no function %s", name);
    return NULL;
}

/* The call at the start of `work` may throw: then it goes on in work.cold. */
#define CODE(extra)                                                                          \
    "work:\n.cfi_startproc\n.cfi_lsda 0x1b,.Ltable\n"                                        \
    "call throws\n.Lcalled: je work.cold\n.Lback: ret\n.cfi_endproc\n.rept 80\nnop\n.endr\n" \
    "work.cold:\n.Lpad: call __tsan_atomic64_load@plt\njmp .Lback\n"                         \
    "caller:\ncall work\nret\nlast:\njmp caller\nthrows:\nret\n" extra
#define TABLE(encoding)                                                                            \
    ".section .gcc_except_table,\"a\"\n.Ltable: .byte 0xff, 0xff, " encoding                       \
    "\n.uleb128 .Lend - .Lsites\n.Lsites: .uleb128 0\n.uleb128 .Lcalled - work\n.uleb128 .Lpad - " \
    "work\n.uleb128 0\n.Lend:\n"

static void test_parts(void **state)
{
    (void)state;
    struct code_units u;
    assemble(CODE("") TABLE("1"));
    code_units_open(&u, program);
    const struct code_unit *work = unit_of(&u, "work"), *caller = unit_of(&u, "caller");
    assert_non_null(work->elsewhere);
    assert_string_equal(work->elsewhere->name, "work.cold");
    assert_null(unit_of(&u, "work.cold"));
    assert_true(work->has_atomics && !work->entered_elsewhere);
    assert_true(!caller->has_atomics && caller->leads_to_atomics);
    assert_true(unit_of(&u, "last")->leads_to_atomics);
    assert_false(unit_of(&u, "throws")->leads_to_atomics);
    code_units_close(&u);
}

static void test_entered_in_the_middle(void **state)
{
    (void)state;
    struct code_units u;
    assemble(CODE("jumps:\njmp .Lback\n") TABLE("1"));
    code_units_open(&u, program);
    assert_true(unit_of(&u, "work")->entered_elsewhere && unit_of(&u, "jumps")->entered_elsewhere);
    assert_false(unit_of(&u, "caller")->entered_elsewhere);
    code_units_close(&u);
}

static void test_pads(void **state)
{
    (void)state;
    struct code_units u;
    assemble(CODE("") TABLE("1"));
    code_units_open(&u, program);
    const struct code_unit *work = unit_of(&u, "work");
    assert_true(u.knows_pads);
    assert_int_equal(u.pads.sites.len, 1);
    assert_int_equal(landing_pads_of(&u.pads, work->function->address), work->elsewhere->address);
    assert_int_equal(landing_pads_of(&u.pads, u.pads.sites.data[0].to), 0);
    code_units_close(&u);
    assemble(CODE("") TABLE("0x2f")); /* in a way that nobody uses */
    code_units_open(&u, program);
    assert_false(u.knows_pads);
    code_units_close(&u);
}

/* Does rbx matter where the switch goes on as the table says? -1: that is not known. */
static int rbx_matters(const char *load, const char *table)
{
    static struct fold_places found;
    char text[1024];
    snprintf(text, sizeof text,
             "work:\npush %%rbp\nmov %%rsp,%%rbp\npush %%rbx\nsub $8,%%rsp\ncall __tsan_atomic64_load@plt\n"
             "lea .Ltable(%%rip),%%rdx\n%s\nadd %%rdx,%%rax\njmp *%%rax\n"
             ".Lreads: mov %%rbx,(%%rcx)\n.Lends: add $8,%%rsp\npop %%rbx\npop %%rbp\nret\n"
             ".section .rodata\n.Ltable: .long %s\n.long 0x7fffffff\n",
             load, table);
    assemble(text);
    liveness_find(program, &found, NULL);
    return found.count ? (int)(found.list[0].frame.registers & 1) : -1;
}

static void test_tables(void **state)
{
    (void)state;
    const char *load = "movslq (%rdx,%rax,4),%rax";
    assert_int_equal(rbx_matters(load, ".Lends - .Ltable"), 0);
    assert_int_equal(rbx_matters(load, ".Lends - .Ltable, .Lreads - .Ltable"), 1);
    assert_int_equal(rbx_matters("movslq 4(%rdx,%rax,4),%rax", ".Lends - .Ltable"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_entered_in_the_middle),
        cmocka_unit_test(test_pads),
        cmocka_unit_test(test_tables),
    };
#if !defined(__x86_64__)
    return 77;
#endif
    assert_non_null(mkdtemp(folder));
    snprintf(program, sizeof program, "%s/t.so", folder);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) || failed;
}
