/* SPDX-License-Identifier: Apache-2.0 */
/* What matters at an atomic access, for functions written by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "target/code/liveness.h"
#include "target/code/program_code.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SAVED_RBX = 1, SAVED_R12 = 4, SAVED_R13 = 8 };

static struct fold_places found;
static struct fold_place *const places = found.list;
static char folder[] = "/tmp/test_liveness.XXXXXX";

static char *in_folder(const char *name)
{
    static char path[sizeof folder + 16];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* Instructions have the numbers 1000, 1001, ... in hexadecimal, by which jumps name them; a name with "@plt" is a function of
 * another file; a line that ends with ':' begins a function. */
static void write_line(FILE *to, const char *line, unsigned *number)
{
    char operation[16], name[64];
    unsigned target;
    if (line[strlen(line) - 1] == ':') {
        fprintf(to, "%s\n", line);
        return;
    }
    fprintf(to, ".L%x: ", (*number)++);
    if (sscanf(line, "%15[a-z] %x <%63[^>]>", operation, &target, name) != 3)
        fprintf(to, "%s\n", line);
    else if (strstr(name, "@plt"))
        fprintf(to, "%s %s\n", operation, name);
    else
        fprintf(to, "%s .L%x\n", operation, target);
}

static void write_program(const char *code)
{
    char line[256], command[512];
    unsigned number = 0x1000;
    FILE *to = fopen(in_folder("t.s"), "w");
    assert_non_null(to);
    for (; *code; code += strcspn(code, "\n") + 1) {
        snprintf(line, sizeof line, "%.*s", (int)strcspn(code, "\n"), code);
        write_line(to, line, &number);
    }
    fclose(to);
    snprintf(command, sizeof command, "cd %s && as -o t.o t.s && ld -shared -o t.so t.o", folder);
    assert_int_equal(system(command), 0);
}

/* Of the instruction at an address of the file. */
static uint64_t number_of(const struct program_code *code, uint64_t address)
{
    uint64_t number = 0x1000;
    for (size_t k = 0; address && k < code->functions.len; k++) {
        struct machine_instruction i = {0};
        for (; program_code_next(&code->functions.data[k], &i); number++)
            if (i.address == address)
                return number;
    }
    return 0;
}

static uint32_t find(const char *text)
{
    enum { BEHIND = 0x100 }; /* where addresses of data are taken, see below */
    struct program_code code;
    write_program(text);
    liveness_find(in_folder("t.so"), &found, NULL);
    uint32_t count = found.count;
    assert_true(program_code_open(&code, in_folder("t.so")));
    for (uint32_t k = 0; k < count; k++) {
        places[k].pc = number_of(&code, places[k].pc);
        for (unsigned e = 0; e < FOLD_EXITS; e++) {
            struct fold_exit *x = &places[k].exits[e];
            x->merge = number_of(&code, x->merge);
            for (unsigned r = 0; r < FOLD_REGISTERS; r++)
                x->fixed_values[r] = number_of(&code, x->fixed_values[r] - BEHIND) + BEHIND;
        }
    }
    program_code_close(&code);
    return count;
}

/* Do all 4 bytes at `offset` (below 0) from the frame's top matter? */
static bool matters(const struct fold_place *p, int offset)
{
    uint32_t part = (uint32_t)(-offset / FOLD_PART) - 1;
    return p->frame.parts[part / 64] >> part % 64 & 1;
}

#define BEGIN \
    "work:\npush   %rbp\nmov    %rsp,%rbp\npush   %rbx\npush   %r12\npush   %r13\nsub    $0x28,%rsp\n"
#define END "add    $0x28,%rsp\npop    %r13\npop    %r12\npop    %rbx\npop    %rbp\nret\n"
#define STORE "mov    %rbx,(%rax)\nmov    %r12,(%rax)\nmov    %r13,(%rax)\n"
#define LOAD "call   500 <__tsan_atomic64_load@plt>\n"
#define CAS "call   500 <__tsan_atomic64_compare_exchange_strong@plt>\n"
/* The frame's top is the return address: rbp is at -8, -0x30(%rbp) is -0x38 from the top. */

static void test_registers(void **state)
{
    (void)state;
    assert_int_equal(find(BEGIN LOAD "mov    %rax,%rbx\n"
                                     "add    %r12,%rbx\nmov    %rbx,(%rax)\n" END),
                     1);
    assert_int_equal(places[0].pc, 0x1007);
    assert_int_equal(places[0].frame.depth, 8 + 3 * 8 + 0x28);
    assert_int_equal(places[0].frame.registers & (SAVED_RBX | SAVED_R12 | SAVED_R13), SAVED_R12);
    /* What the caller's registers held matters if it matters to the caller: it is in the frame */
    assert_false(matters(&places[0], -8) || matters(&places[0], -16) || matters(&places[0], -0x20));
    const int32_t saved[FOLD_REGISTERS] = {FOLD_KEPT, -8, FOLD_KEPT, FOLD_KEPT, FOLD_KEPT, FOLD_KEPT};
    assert_memory_equal(places[0].frame.saved, saved, sizeof saved);
    assert_false(matters(&places[0], -0x28)); /* nobody reads it */
}

/* What is found and what is returned are in one register. */
static void test_unused(void **state)
{
    (void)state;
    assert_int_equal(find(BEGIN LOAD "mov    $0x1,%eax\n" END), 1);
    assert_true(places[0].unused);
    assert_int_equal(find(BEGIN LOAD END), 1);
    assert_false(places[0].unused);
    assert_int_equal(find(BEGIN LOAD "test   %al,%al\nje     100b <work+0xb>\nnop\nmov    $0x1,%eax\n" END),
                     1);
    assert_false(places[0].unused);
}

#define PRINT(format)                                                                             \
    "mov    %rax,%rdx\nlea    format(%rip),%rdi\nmov    %rbx,%rsi\nxor    %eax,%eax\ncall   500 " \
    "<printf@plt>\n"
#define FORMAT(text) ".section .rodata\nformat: .asciz \"" text "\"\n.text\n"

/* What is only printed as a number does not matter, unless its length does. */
static void test_printed(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        bool unused, rbx;
    } all[] = {
        {FORMAT("%u and %-5lx\\n") BEGIN LOAD PRINT(format) "xor    %eax,%eax\n" END, true, false},
        {FORMAT("%u and %-5lx\\n") BEGIN LOAD PRINT(format) END, false, true},
        {FORMAT("%u and %s\\n") BEGIN LOAD PRINT(format) "xor    %eax,%eax\n" END, false, false},
        {FORMAT("%s and %u\\n") BEGIN LOAD PRINT(format) "xor    %eax,%eax\n" END, true, true},
        {FORMAT("%*u\\n") BEGIN LOAD PRINT(format) "xor    %eax,%eax\n" END, false, true},
        {FORMAT("%d%n\\n") BEGIN LOAD PRINT(format) "xor    %eax,%eax\n" END, false, true},
        {FORMAT("none\\n") BEGIN LOAD PRINT(format) "xor    %eax,%eax\n" END, false, true},
        {".data\nformat: .asciz \"%u %u\"\n.text\n" BEGIN LOAD PRINT(format) "xor    %eax,%eax\n" END, false,
         true},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        assert_int_equal(find(all[k].code), 1);
        if (places[0].unused != all[k].unused || (places[0].frame.registers & SAVED_RBX) != all[k].rbx)
            fail_msg("not so: %s", all[k].code);
    }
}

#define ANNOUNCE(what) "mov    %r12,%rdi\ncall   500 <__tsan_" what "8@plt>\n"

/* Instructions between two hooks and behind the second: is that an update that makes no other use of what it finds? */
static bool only_updates(const char *between, const char *behind)
{
    char code[1024];
    snprintf(code, sizeof code, "%s%s%s%s%s", BEGIN LOAD ANNOUNCE("read"), between, ANNOUNCE("write"), behind,
             "xor    %eax,%eax\n" END);
    assert_int_equal(find(code), 1);
    assert_true(found.update_count == 0 || found.update_count == 2);
    return found.update_count == 2;
}

static void test_updates(void **state)
{
    (void)state;
    const char load[] = "mov    (%r12),%rax\nlea    0x1(%rax),%rbx\n", store[] = "mov    %rbx,(%r12)\n";
    assert_true(only_updates(load, store));
    assert_true(only_updates("mov    (%r12),%rbx\n", "add    $0x1,%rbx\nmov    %rbx,(%r12)\n"));
    assert_true(only_updates("", "addq   $0x1,(%r12)\n"));
    assert_true(only_updates("", "mov    (%r12),%rax\nadd    $0x1,%rax\nmov    %rax,(%r12)\n"));
    static const char *const others[][2] = {
        {"mov    (%r12),%rax\nlea    0x1(%rax),%rbx\n", "mov    %rbx,0x8(%r12)\n"}, /* to another place */
        {"mov    (%r12),%rax\nlea    0x1(%rax),%rbx\n", "mov    %ebx,(%r12)\n"},
        {"mov    (%r12),%rax\nlea    0x1(%rax),%rbx\nadd    $0x8,%r12\n", "mov    %rbx,(%r12)\n"},
        {"mov    (%r12),%rbx\n", "mov    %rbx,(%r12)\nmov    %rbx,(%r13)\n"}, /* used elsewhere */
        {"mov    (%r12),%rbx\nmov    %rbx,%r13\n", "mov    %rbx,(%r12)\nmov    %r13,(%rdi)\n"},
        {"mov    (%r12),%rbx\nmov    %rbx,-0x30(%rbp)\n", "mov    %rbx,(%r12)\n"},
        {"mov    (%r12),%rbx\ncmp    $0x3,%rbx\nje     1020 <work+0x20>\n", "mov    %rbx,(%r12)\n"},
        {"mov    (%r12),%rbx\nmov    (%rbx),%rax\n", "mov    %rbx,(%r12)\n"},
        {"mov    (%r12),%rbx\n", "mov    %rbx,(%r12)\nmov    (%r12),%rax\nmov    %rax,(%r13)\n"},
        {"", "addq   $0x1,(%r12)\nsete   %al\nmov    %al,(%r13)\n"},
        {"mov    (%r12),%rbx\ncall   500 <other@plt>\n", "mov    %rbx,(%r12)\n"},
    };
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (only_updates(others[k][0], others[k][1]))
            fail_msg("other use is made of it: %s...%s", others[k][0], others[k][1]);
}

#define CLOCK "lea    -0x30(%rbp),%rsi\nxor    %edi,%edi\ncall   500 <clock_gettime@plt>\n"

/* What is found on the clock matters if it is compared, and not as a deadline. Neither function keeps the address. */
static void test_clock(void **state)
{
    (void)state;
    const char wait[] = BEGIN CLOCK "mov    -0x30(%rbp),%rax\nadd    $0x1,%rax\nmov    %rax,-0x30(%rbp)\n"
                                    "lea    -0x30(%rbp),%rdx\ncall   500 <pthread_cond_timedwait@plt>\n" END;
    assert_int_equal(find(wait), 2);
    assert_true(places[0].unused);
    assert_false(places[1].unused || matters(&places[1], -0x38) || matters(&places[1], -0x2c));
    assert_int_equal(find(BEGIN CLOCK "mov    -0x28(%rbp),%rax\nmov    %rax,(%rbx)\n" LOAD END), 2);
    assert_false(places[0].unused);
    assert_int_equal(find(BEGIN CLOCK "lea    -0x30(%rbp),%rdi\ncall   500 <puts@plt>\n" LOAD END), 1);
    assert_false(places[0].unused); /* others may know it */
}

static void test_half_registers(void **state)
{
    (void)state;
    assert_int_equal(find(BEGIN LOAD "mov    %al,%bl\nmov    %eax,%r12d\nmov    %ax,%r13w\n" STORE END), 1);
    assert_int_equal(places[0].frame.registers & (SAVED_RBX | SAVED_R12 | SAVED_R13), SAVED_RBX | SAVED_R13);
    assert_int_equal(find(BEGIN LOAD "xor    %ebx,%ebx\nsub    %r12,%r13\nsete   %r12b\n" STORE END), 1);
    assert_int_equal(places[0].frame.registers & (SAVED_RBX | SAVED_R12 | SAVED_R13), SAVED_R12 | SAVED_R13);
}

/* One path that reads is enough. */
static void test_branches(void **state)
{
    (void)state;
    assert_int_equal(find(BEGIN LOAD "test   %rax,%rax\nje     100b <work+0xb>\nmov    $0x1,%ebx\n"
                                     "mov    $0x1,%r12d\nmov    %rbx,(%rdi)\n" END),
                     1);
    assert_int_equal(places[0].frame.registers & (SAVED_RBX | SAVED_R12 | SAVED_R13), SAVED_RBX);
}

/* The loop begins at 1006; `rest` has five instructions, from 100b on. */
static uint32_t needed_in_loop(const char *rest)
{
    char code[1024];
    snprintf(code, sizeof code, "%s%s%s",
             BEGIN "xor    %edi,%edi\nxor    %esi,%esi\n" LOAD "test   %rax,%rax\njne    1010 <work+0x10>\n",
             rest, END);
    assert_int_equal(find(code), 1);
    return places[0].frame.registers & (SAVED_RBX | SAVED_R12 | SAVED_R13);
}

#define YIELD "call   500 <sched_yield@plt>\n"

/* A counter that says only when to yield does not matter. */
static void test_idle(void **state)
{
    (void)state;
    assert_int_equal(needed_in_loop("add    $0x1,%ebx\ncmp    $0x64,%ebx\njle    1006 <work+0x6>\n" YIELD
                                    "jmp    1006 <work+0x6>\n"),
                     0);
    assert_int_equal(needed_in_loop("add    $0x1,%ebx\ntest   $0x3f,%bl\njne    1006 <work+0x6>\n"
                                    "pause\njmp    1006 <work+0x6>\n"),
                     0);
    assert_int_equal(needed_in_loop("addl   $0x1,-0x30(%rbp)\njne    1006 <work+0x6>\n" YIELD
                                    "movl   $0x0,-0x30(%rbp)\njmp    1006 <work+0x6>\n"),
                     0);
    assert_false(matters(&places[0], -0x38));
    assert_int_equal(needed_in_loop("shl    $0x1,%ebx\njne    1006 <work+0x6>\n" YIELD
                                    "mov    %r12d,%ebx\njmp    1006 <work+0x6>\n"),
                     0);
}

/* All that could be told later does: another call, an access, a division, another loop, what is written and needed. */
static void test_not_idle(void **state)
{
    (void)state;
    static const char *const same[] = {
        "sub    $0x1,%ebx\njne    1006 <work+0x6>\ncall   500 <other@plt>\njmp    1006 <work+0x6>\nnop\n",
        "sub    $0x1,%ebx\njne    1006 <work+0x6>\ncall   500 <usleep@plt>\njmp    1006 <work+0x6>\nnop\n",
        "sub    $0x1,%ebx\njne    1006 <work+0x6>\nmov    (%rax),%rcx\njmp    1006 <work+0x6>\nnop\n",
        "sub    $0x1,%ebx\njne    1006 <work+0x6>\nidiv   %ecx\njmp    1006 <work+0x6>\nnop\n",
        "sub    $0x1,%ebx\njne    1006 <work+0x6>\nmov    %rcx,(%rax)\njmp    1006 <work+0x6>\nnop\n",
        "sub    $0x1,%ebx\njne    1006 <work+0x6>\njmp    1010 <work+0x10>\nnop\nnop\n"};
    for (size_t k = 0; k < sizeof same / sizeof *same; k++)
        assert_int_equal(needed_in_loop(same[k]) & SAVED_RBX, SAVED_RBX);
    /* r12 is returned */
    assert_int_equal(find(BEGIN LOAD "test   %rax,%rax\njne    100e <work+0xe>\nsub    $0x1,%ebx\n"
                                     "jne    1006 <work+0x6>\nmov    $0x1,%r12d\njmp    1006 <work+0x6>\n"
                                     "nop\nnop\nmov    %r12,%rax\n" END),
                     1);
    assert_int_equal(places[0].frame.registers & (SAVED_RBX | SAVED_R12), SAVED_RBX | SAVED_R12);
}

/* A loop that ends however often it goes round does not matter; one that might not does. */
static void test_counted_loop(void **state)
{
    (void)state;
    assert_int_equal(
        needed_in_loop("pause\nsub    $0x1,%ebx\njne    100b <work+0xb>\njmp    1006 <work+0x6>\nnop\n"), 0);
    assert_int_equal(needed_in_loop("pause\nadd    $0x1,%ebx\ncmp    %r12d,%ebx\njne    100b <work+0xb>\n"
                                    "jmp    1006 <work+0x6>\n"),
                     0);
    assert_int_equal(
        needed_in_loop("inc    %r12d\ncmp    $0x64,%r12d\njne    100b <work+0xb>\nadd    %ebx,%ebx\n"
                       "jmp    1006 <work+0x6>\n"),
        0);
    static const char *const endless[] = {
        "pause\nsub    $0x2,%ebx\njne    100b <work+0xb>\njmp    1006 <work+0x6>\nnop\n",
        "pause\nsub    $0x1,%ebx\njg     100b <work+0xb>\njmp    1006 <work+0x6>\nnop\n",
        "add    $0x1,%ecx\nadd    $0x1,%ebx\ncmp    %ecx,%ebx\njne    100b <work+0xb>\njmp    1006 "
        "<work+0x6>\n",
        "add    $0x1,%ebx\ncmp    %rcx,%rbx\njne    100b <work+0xb>\njmp    1006 <work+0x6>\nnop\n",
        "add    $0x1,%ebx\nadd    $0x1,%ebx\ncmp    %ecx,%ebx\njne    100b <work+0xb>\njmp    1006 "
        "<work+0x6>\n",
        "add    $0x1,%ebx\ncmp    (%rcx),%ebx\njne    100b <work+0xb>\njmp    1006 <work+0x6>\nnop\n"};
    for (size_t k = 0; k < sizeof endless / sizeof *endless; k++)
        assert_int_equal(needed_in_loop(endless[k]) & SAVED_RBX, SAVED_RBX);
}

/* From 1007 on: a loop around a load. */
static bool is_patient(const char *rest)
{
    char text[2048];
    snprintf(text, sizeof text, "%s%s%s", BEGIN "call   500 <__tsan_func_entry@plt>\nmov    $0x5,%esi\n" LOAD,
             rest, END);
    assert_true(find(text) > 0);
    return places[0].is_patient;
}

#define LEAVES_AT(place) "test   %rax,%rax\njne    " place " <work+0x1>\n"
/* A CAS by value: what is compared with what it found. */
#define TRIES(copy, with)                                                 \
    "mov    %rax,%r12\ntest   %r12,%r12\nje     1010 <work+0x1>\n" copy   \
    "call   500 <__tsan_atomic64_compare_exchange_val@plt>\ncmp    " with \
    ",%rax\nje     1013 <work+0x1>\nsub    $0x1,%ebx\n" GO_ROUND "mov    $0x0,%eax\n"
/* The same, where what is expected and what is compared are copies of what was found. */
#define TRIES_COPIES(copy, with)                                                            \
    "test   %rax,%rax\nje     1010 <work+0x1>\n" copy                                       \
    "mov    %rax,%rsi\ncall   500 <__tsan_atomic64_compare_exchange_val@plt>\ncmp    " with \
    ",%rax\nje     1013 <work+0x1>\nsub    $0x1,%ebx\n" GO_ROUND "mov    $0x0,%eax\n"
#define GO_ROUND "jne    1007 <work+0x7>\n"

static void test_patience(void **state)
{
    (void)state;
    static const char *const patient[] = {
        LEAVES_AT("100e") "sub    $0x1,%ebx\n" GO_ROUND "mov    $0x0,%eax\n",
        LEAVES_AT("100e") "dec    %ebx\n" GO_ROUND "mov    $0x0,%eax\n",
        /* what was found last is looked at in the end */
        "mov    %rax,%r12\n" LEAVES_AT("100e") "sub    $0x1,%ebx\n" GO_ROUND "mov    %r12,%rax\n",
        /* begun again after another access */
        LEAVES_AT("1010") "sub    $0x1,%ebx\n" GO_ROUND LOAD "mov    $0x3,%ebx\njmp    1007 <work+0x7>\n",
        /* a CAS that fails, after some loads */
        "mov    %rax,-0x30(%rbp)\ntest   %rax,%rax\nje     1010 <work+0x1>\nlea    -0x30(%rbp),%rsi\n" CAS
        "test   %al,%al\njne    1013 <work+0x1>\nsub    $0x1,%ebx\n" GO_ROUND "mov    $0x0,%eax\n",
        TRIES("mov    %r12,%rsi\n", "%r12"),
        TRIES_COPIES("mov    %rax,%r12\n", "%r12"),
    };
    for (size_t k = 0; k < sizeof patient / sizeof *patient; k++)
        assert_true(is_patient(patient[k]));
    assert_int_equal(places[0].but_counters.registers & SAVED_RBX, 0);
    assert_int_equal(places[0].frame.registers & SAVED_RBX, SAVED_RBX);
}

/* What is found, or done on one way only, must not decide how many rounds there are; nor may it matter how many there were. */
static void test_not_patient(void **state)
{
    (void)state;
    static const char *const impatient[] = {
        "or     %eax,%ebx\ncmp    $0x3,%ebx\n" GO_ROUND "mov    $0x0,%eax\n",
        LEAVES_AT("100e") "sub    %eax,%ebx\n" GO_ROUND "mov    $0x0,%eax\n",
        LEAVES_AT("1011") "cmp    $0x1,%rax\nje     100e <work+0x1>\nsub    $0x1,%ebx\n"
                          "test   %ebx,%ebx\n" GO_ROUND "mov    $0x0,%eax\n",
        LEAVES_AT("100e") "dec    %ebx\nja     1007 <work+0x7>\nmov    $0x0,%eax\n",
        LEAVES_AT("100d") "sub    $0x1,%ebx\n" GO_ROUND "mov    %rbx,%rax\n",
        LEAVES_AT("1010") "sub    $0x1,%ebx\n" GO_ROUND
                          "call   500 <usleep@plt>\nmov    $0x3,%ebx\njmp    1007 <work+0x7>\n",
        LEAVES_AT("100f") LOAD "sub    $0x1,%ebx\n" GO_ROUND "mov    $0x0,%eax\n",
        LEAVES_AT("100f") "add    %eax,%r12d\nsub    $0x1,%ebx\n" GO_ROUND "mov    %r12,%rax\n",
        /* what was found last, where it may have been followed by a CAS */
        "mov    %rax,-0x30(%rbp)\ntest   %rax,%rax\nje     1010 <work+0x1>\nlea    -0x30(%rbp),%rsi\n" CAS
        "test   %al,%al\njne    1013 <work+0x1>\nsub    $0x1,%ebx\n" GO_ROUND "mov    -0x30(%rbp),%rax\n",
        /* a CAS after whose success it goes on */
        "mov    %rax,-0x30(%rbp)\nlea    -0x30(%rbp),%rsi\n" CAS "sub    $0x1,%ebx\n" GO_ROUND
        "mov    $0x0,%eax\n",
        TRIES("mov    %r12,%rsi\n", "%r13"), TRIES("mov    %r12d,%esi\n", "%r12"),
        TRIES_COPIES("mov    %rax,%r12\n", "%r13"), TRIES_COPIES("mov    %eax,%r12d\n", "%r12"),
        TRIES_COPIES("mov    %rax,%rdi\n", "%rdi"), /* the call may change it */
    };
    for (size_t k = 0; k < sizeof impatient / sizeof *impatient; k++)
        assert_false(is_patient(impatient[k]));
    assert_int_equal(find(BEGIN LOAD LEAVES_AT("100c") "sub    $0x1,%ebx\njne    1006 <work+0x6>\n"
                                                       "mov    $0x0,%eax\n" END),
                     1);
    assert_false(places[0].is_patient); /* that it is called again would not be seen */
}

/* What a CAS expects matters where it is about to happen, not in the round that writes it anew. */
static void test_expected(void **state)
{
    (void)state;
    const char *code =
        BEGIN "lea    -0x30(%rbp),%r12\n" LOAD "mov    %rax,-0x30(%rbp)\nmov    %r12,%rsi\n" CAS
              "test   %al,%al\nje     1007 <work+0x7>\n" END;
    assert_int_equal(find(code), 2);
    assert_false(matters(&places[0], -0x38) || matters(&places[0], -0x34));
    assert_true(matters(&places[1], -0x38) && matters(&places[1], -0x34));
    assert_true(places[0].frame.registers & SAVED_R12);
    assert_true(places[1].frame.registers & SAVED_R12); /* the next round uses it */
}

static void test_sizes(void **state)
{
    (void)state;
    assert_int_equal(find(BEGIN LOAD "movl   $0x1,-0x30(%rbp)\nmov    -0x30(%rbp),%rax\n" END), 1);
    assert_false(matters(&places[0], -0x38));
    assert_true(matters(&places[0], -0x34));
    assert_int_equal(find(BEGIN LOAD "movb   $0x1,-0x30(%rbp)\nmov    -0x30(%rbp),%eax\n" END), 1);
    assert_true(matters(&places[0], -0x38));
    assert_false(matters(&places[0], -0x34));
    assert_int_equal(find(BEGIN LOAD "movzbl -0x2d(%rbp),%eax\n" END), 1);
    assert_true(matters(&places[0], -0x38));
}

/* What is written only sometimes still matters. */
static void test_sometimes(void **state)
{
    (void)state;
    assert_int_equal(find(BEGIN LOAD "vmaskmovps %xmm0,%xmm1,-0x30(%rbp)\nmov    -0x30(%rbp),%rax\n" END), 1);
    assert_true(matters(&places[0], -0x38));
    assert_int_equal(find(BEGIN LOAD "addl   $0x1,-0x30(%rbp)\nmov    -0x30(%rbp),%eax\n" END), 1);
    assert_true(matters(&places[0], -0x38));
    assert_int_equal(
        find(BEGIN LOAD "cmove  %r13,%r12\nmov    %r12,(%rax)\npopcnt %rax,%rbx\nmov    %rbx,(%rax)\n" END),
        1);
    assert_int_equal(places[0].frame.registers & (SAVED_RBX | SAVED_R12 | SAVED_R13), SAVED_R12 | SAVED_R13);
    assert_int_equal(find(BEGIN LOAD "lea    -0x30(%rbp),%rcx\nmov    (%rcx),%rcx\nmov    %rcx,(%rbx)\n" END),
                     1);
    assert_true(matters(&places[0], -0x38));
}

/* An address that is not known may be any part of the frame. */
static void test_arrays(void **state)
{
    (void)state;
    assert_int_equal(find(BEGIN LOAD "mov    -0x38(%rbp,%rax,8),%rbx\n" END), 1);
    assert_true(matters(&places[0], -0x38) && matters(&places[0], -0x28) && matters(&places[0], -0x40));
    assert_int_equal(find(BEGIN LOAD "mov    %rbx,-0x38(%rbp,%rax,8)\nmov    -0x38(%rbp),%rax\n" END), 1);
    assert_true(matters(&places[0], -0x40));
}

static void test_calls(void **state)
{
    (void)state;
    assert_int_equal(find(BEGIN LOAD "call   510 <other@plt>\n" END), 1);
    assert_true(matters(&places[0], -0x38)); /* perhaps an argument */
    assert_false(places[0].frame.registers & SAVED_R13);
    assert_int_equal(find(BEGIN LOAD "call   *0x8(%r13)\n" END), 1);
    assert_true(places[0].frame.registers & SAVED_R13);
    assert_int_equal(find(BEGIN LOAD "je     1008 <work+0x8>\nmov    %rbx,%rdi\ncall   520 <exit@plt>\n" END),
                     1);
    assert_false(matters(&places[0], -0x28));
    assert_true(places[0].frame.registers & SAVED_RBX);
}

/* Functions of which not everything is understood. */
static void test_refusals(void **state)
{
    (void)state;
    static const char *const middles[] = {
        "cpuid\n",
        "rep stos %rax,%es:(%rdi)\n",
        "lock xadd %eax,(%rbx)\n",
        "jmp    *%rax\n",
        "notrack jmp *%rax\n",
        "and    $0xfffffffffffffff0,%rsp\n",
        "sub    %rax,%rsp\n",
        "call   510 <_setjmp@plt>\n",
        "bts    %rax,-0x30(%rbp)\n",
        "pushf\n",
        "push   %rbp\n",
        "jmp    1000 <work>\njmp    1007 <work+0x7>\ncall   510 <_Unwind_Resume@plt>\n",
    };
    for (size_t k = 0; k < sizeof middles / sizeof *middles; k++) {
        char code[1024];
        snprintf(code, sizeof code, "%s%s%s%s", BEGIN, LOAD, middles[k], END);
        if (find(code) != 0)
            fail_msg("not refused: %s", middles[k]);
    }
}

/* Others get to know the frame: nothing is known from there on, and before it all of the frame matters, for they may read it. */
/* So many of them, which come first, have a frame that is known. */
static uint32_t find_frames(const char *text)
{
    uint32_t count = find(text), known = 0;
    while (known < count && places[known].knows_frame)
        known++;
    return known;
}

static void test_leaks(void **state)
{
    (void)state;
    static const char *const leaks[] = {
        "lea    -0x30(%rbp),%rdi\ncall   510 <other@plt>\n",
        "lea    -0x30(%rbp),%rax\nmov    %rax,(%rbx)\n",
        "lea    -0x30(%rbp),%rax\nmov    %rax,-0x34(%rbp)\n",
        "lea    -0x30(%rbp),%rax\nmov    %rax,-0x38(%rbp)\nmov    -0x38(%rbp),%rcx\nmov    %rcx,(%rbx)\n",
        "lea    -0x30(%rbp),%rax\nmov    %rax,-0x38(%rbp)\nmovups -0x38(%rbp),%xmm0\n",
        "lea    -0x30(%rbp),%rdx\nmov    %r12,%rsi\n" CAS,
        "lea    -0x30(%rbp),%rdi\n" LOAD,
        "lea    -0x30(%rbp),%rax\nmovq   %rax,%xmm0\n",
        "lea    -0x30(%rbp),%rax\nxchg   %rax,%r12\nmov    %r12,(%rbx)\n",
        "lea    -0x30(%rbp),%rax\nbswap  %rax\nmov    %rax,(%rbx)\n",
        "lea    -0x30(%rbp),%rax\nmovzbl %al,%ecx\nmov    %ecx,(%rbx)\n",
        "lea    -0x30(%rbp),%rax\nmul    %rbx\nmov    %rdx,(%rbx)\n",
        "lea    -0x30(%rbp),%rax\nmov    %bl,%al\nmov    %rax,(%rbx)\n",
    };
    for (size_t k = 0; k < sizeof leaks / sizeof *leaks; k++) {
        char code[1024];
        snprintf(code, sizeof code, "%s%s%s%s%s", BEGIN, LOAD, leaks[k], LOAD, END);
        if (find_frames(code) != 1 || places[0].pc != 0x1007 || !matters(&places[0], -0x28))
            fail_msg("not noticed: %s", leaks[k]);
    }
    assert_int_equal(
        find_frames(BEGIN LOAD "lea    -0x30(%rbp),%rax\nmov    %rax,(%rbx)\njne    1006 <work+0x6>\n" END),
        0); /* the second time they know */
    assert_int_equal(
        find_frames(BEGIN LOAD "lea    -0x30(%rbp),%rax\nmov    %rax,(%rbx)\nmov    %r12,-0x28(%rbp)\n" END),
        1);
    assert_true(places[0].frame.registers & SAVED_R12); /* for them */
}

static void test_entries(void **state)
{
    (void)state;
    assert_int_equal(find(BEGIN LOAD END "other:\njmp    1008 <work+0x8>\n"), 0);
    assert_int_equal(find(BEGIN LOAD END "other:\njmp    1000 <work>\n"), 1);
    assert_int_equal(find(BEGIN LOAD END "work.cold:\nud2\n"), 1); /* nothing leads there */
    assert_int_equal(find("work:\nsub    $0x8,%rsp\n" LOAD "add    $0x8,%rsp\nret\n"), 0);
}

/* What is expected somewhere else is not compared: nothing is known about such a place. */
static void test_expected_elsewhere(void **state)
{
    (void)state;
    assert_int_equal(find(BEGIN LOAD "mov    %r12,%rsi\n" CAS END), 1);
    assert_int_equal(places[0].pc, 0x1007);
}

/* Do the first load and the last access lead to the same place, with what they found, `something` or zero, in the same
 * places? */
static bool merge_with(const char *code, bool something)
{
    uint32_t count = find(code);
    const struct fold_exit *p = &places[0].exits[something], *q = &places[count - 1].exits[something];
    return count > 1 && p->merge && p->merge == q->merge && p->found_registers == q->found_registers &&
           p->found_parts[0] == q->found_parts[0] && p->same_registers == q->same_registers &&
           p->same_parts[0] == q->same_parts[0];
}

static bool merges(const char *code)
{
    return merge_with(code, true);
}

#define ARGUMENTS "mov    %r12,%rdi\nmov    $0x1,%edx\nmov    $0x3,%ecx\nmov    $0x0,%r8d\n"
#define VALUE "call   500 <__tsan_atomic64_compare_exchange_val@plt>\n"
#define AGAIN(found, test)                                                                \
    BEGIN LOAD "mov    %rax," found "\nnop\nlea    -0x30(%rbp),%rsi\n" ARGUMENTS CAS test \
               "je     1009 <work+0x9>\n" END

/* As gcc has it: what is expected is in the frame. Instruction 1009 is where both go on. */
static void test_carried_in_frame(void **state)
{
    (void)state;
    assert_true(merges(AGAIN("-0x30(%rbp)", "test   %al,%al\n")));
    assert_int_equal(places[0].exits[1].merge, 0x1009);
    assert_false(merges(AGAIN("-0x28(%rbp)", "test   %al,%al\n"))); /* elsewhere */
    assert_false(merges(AGAIN("-0x30(%rbp)", "test   %bl,%bl\n"))); /* not the answer of the CAS */
    assert_true(merges(AGAIN("-0x30(%rbp)", "mov    $0x0,%eax\ntest   %al,%al\n")));
    assert_false(merges(AGAIN("-0x30(%rbp)", "mov    $0x1,%eax\ntest   %al,%al\n")));
    assert_false(merges(AGAIN("-0x30(%rbp)", "movl   $0x0,-0x30(%rbp)\ntest   %al,%al\n")));
}

/* A function that tries was inlined: by a load in vain (al is 0) or a CAS it comes to 1011, where it is asked whether it failed. */
static void test_carried_by_answer(void **state)
{
    (void)state;
    assert_true(merges(BEGIN LOAD
                       "mov    %rax,-0x30(%rbp)\nnop\nlea    -0x30(%rbp),%rsi\n" ARGUMENTS
                       "test   %r13,%r13\njne    1014 <work+0x14>\n" CAS
                       "test   %al,%al\nje     1009 <work+0x9>\njmp    1019 <work+0x19>\n"
                       "mov    $0x2,%esi\n" LOAD
                       "mov    %rax,-0x30(%rbp)\nmov    $0x0,%eax\njmp    1011 <work+0x11>\n" END));
    assert_int_equal(places[1].exits[1].merge, 0x1009);
}

/* An address in the program that is set before the loop: the worker looks whether the register has it. */
static void test_carried_with_address(void **state)
{
    (void)state;
    uint32_t count =
        find(BEGIN LOAD "mov    %rax,-0x30(%rbp)\nlea    0x100(%rip),%r14        # 1109 <x>\nnop\n"
                        "lea    -0x30(%rbp),%rsi\nmov    %r14,%rdi\nmov    $0x1,%edx\nmov    $0x3,%ecx\n"
                        "mov    $0x0,%r8d\n" CAS "test   %al,%al\nje     100a <work+0xa>\n" END);
    const struct fold_exit *p = &places[0].exits[1], *q = &places[count - 1].exits[1];
    assert_int_equal(count, 2);
    assert_int_equal(p->merge, 0x100a);
    assert_int_equal(q->merge, 0x100a);
    assert_int_equal(p->fixed_registers, 1 << 4); /* r14 */
    assert_int_equal(p->fixed_values[4], 0x1109);
    assert_int_equal(q->fixed_registers, 0);
    assert_true(q->same_registers >> 4 & 1);
}

/* As clang has it: 1008 is where both go on. */
#define VALUES(before, after) BEGIN LOAD "mov    %rax,%rbx\n" ARGUMENTS before VALUE after END

static void test_carried_in_register(void **state)
{
    (void)state;
#define COPY "mov    %rbx,%rsi\n"
#define BACK "jne    1008 <work+0x8>\n"
    assert_true(merges(VALUES(COPY, "cmp    %rbx,%rax\nmov    %rax,%rbx\n" BACK)));
    assert_int_equal(places[0].exits[1].merge, 0x1008);
    assert_true(merges(VALUES(COPY, "cmp    %rbx,%rax\ncmovne %rax,%rbx\n" BACK)));
    assert_false(merges(VALUES(COPY, "cmp    %rbx,%rax\ncmove  %rax,%rbx\n" BACK)));
    assert_false(merges(VALUES(COPY, "cmp    %r13,%rax\nmov    %rax,%rbx\n" BACK)));
    assert_false(merges(VALUES(COPY, "cmp    %ebx,%eax\nmov    %rax,%rbx\n" BACK)));
    assert_false(merges(VALUES(COPY, "cmp    %rbx,%rax\nmov    %eax,%ebx\n" BACK)));
    assert_false(merges(VALUES("mov    %r13,%rsi\n", "cmp    %rbx,%rax\nmov    %rax,%rbx\n" BACK)));
    assert_false(merges(VALUES(COPY "xor    %esi,%esi\n", "cmp    %rbx,%rax\nmov    %rax,%rbx\n" BACK)));
    assert_false(merges(VALUES(COPY "add    $0x1,%rbx\n", "cmp    %rbx,%rax\nmov    %rax,%rbx\n" BACK)));
    assert_false(merges(VALUES(COPY, "cmp    %rbx,%rax\nmov    %rax,%rbx\nadd    $0x1,%r12\n" BACK)));
    assert_false(merges(VALUES(COPY, "cmp    %rbx,%rax\nlea    0x1(%r12),%r12\nmov    %rax,%rbx\n" BACK)));
}

/* Nothing there: 1013 is where a load that finds zero goes on, and a CAS that fails. */
#define LOOK_BEGIN BEGIN LOAD "mov    %rax,%rbx\nmov    %rax,-0x30(%rbp)\n"
#define LOOK_END                                                                          \
    "lea    -0x30(%rbp),%rsi\n" ARGUMENTS CAS "test   %al,%al\nje     1013 <work+0x13>\n" \
    "mov    -0x30(%rbp),%rax\n" END
#define LOOK(test) LOOK_BEGIN test LOOK_END

static void test_carried_by_value(void **state)
{
    (void)state;
    const char *const unknown[] = {
        "test   %ebx,%ebx\nje     1013 <work+0x13>\n", /* half of it */
        "test   %rbx,%r12\nje     1013 <work+0x13>\n", /* something else */
        "test   %r12,%r12\nje     1013 <work+0x13>\n", /* something else */
        "cmp    $0x1,%rbx\nje     1013 <work+0x13>\n", /* not zero */
        "test   %rbx,%rbx\njne    1013 <work+0x13>\n", /* the other way */
        "test   %rbx,%rbx\njle    1013 <work+0x13>\n", /* not decided by that alone */
        "sub    $0x1,%rbx\ntest   %rbx,%rbx\nje     1014 <work+0x14>\n",
    };
    assert_true(merge_with(LOOK("test   %rbx,%rbx\nje     1013 <work+0x13>\n"), false));
    assert_int_equal(places[0].exits[0].merge, 0x1013);
    assert_int_equal(places[1].exits[0].merge, 0x1013);
    assert_false(merge_with(LOOK("test   %rbx,%rbx\nje     1013 <work+0x13>\n"), true));
    assert_true(merge_with(LOOK("cmp    $0x0,%rbx\nje     1013 <work+0x13>\n"), false));
    for (size_t k = 0; k < sizeof unknown / sizeof *unknown; k++) {
        char code[1024];
        snprintf(code, sizeof code, "%s%s%s", LOOK_BEGIN, unknown[k], LOOK_END);
        if (merge_with(code, false))
            fail_msg("followed: %s", unknown[k]);
    }
}

int main(void)
{
#if !defined(__x86_64__)
    return 0; /* another machine: no places are found */
#endif
    if (!machine_prepare() || !mkdtemp(folder))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registers),
        cmocka_unit_test(test_unused),
        cmocka_unit_test(test_printed),
        cmocka_unit_test(test_updates),
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_half_registers),
        cmocka_unit_test(test_branches),
        cmocka_unit_test(test_idle),
        cmocka_unit_test(test_not_idle),
        cmocka_unit_test(test_counted_loop),
        cmocka_unit_test(test_patience),
        cmocka_unit_test(test_not_patient),
        cmocka_unit_test(test_expected),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_sometimes),
        cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_leaks),
        cmocka_unit_test(test_entries),
        cmocka_unit_test(test_expected_elsewhere),
        cmocka_unit_test(test_carried_in_frame),
        cmocka_unit_test(test_carried_by_answer),
        cmocka_unit_test(test_carried_with_address),
        cmocka_unit_test(test_carried_in_register),
        cmocka_unit_test(test_carried_by_value),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (const char *const *name = (const char *const[]){"t.s", "t.o", "t.so", NULL}; *name; name++)
        unlink(in_folder(*name));
    rmdir(folder);
    return failed;
}
