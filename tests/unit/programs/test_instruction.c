/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions, and what they are to the explorer. */
#include "rt/inline/inline_code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI };
#define BIT(r) (UINT64_C(1) << (r))

static unsigned char code[16];

struct decoded {
    struct machine_instruction i;
    struct inline_meaning m;
};

static struct decoded read_code(size_t size, const char *bytes)
{
    struct decoded d;
    memset(code, 0x90, sizeof code);
    memcpy(code, bytes, size);
    assert_true(machine_decode((uint64_t)code, sizeof code, &d.i));
    assert_int_equal(d.i.next - d.i.address, size);
    d.m = inline_means(&d.i);
    return d;
}
#define READ(bytes) read_code(sizeof bytes - 1, bytes)

static void test_loads_and_stores(void **state)
{
    (void)state;
    struct decoded d = READ("\x8b\x44\x8f\x08"); /* mov 8(%rdi,%rcx,4), %eax */
    assert_int_equal(d.m.action, INLINE_ACCESS);
    assert_int_equal(d.m.operation, OPERATION_LOAD);
    assert_int_equal(d.i.memory.base, RDI);
    assert_int_equal(d.i.memory.index, RCX);
    assert_int_equal(d.i.memory.scale, 4);
    assert_int_equal(d.i.memory.distance, 8);
    assert_int_equal(d.i.memory.size, 4);
    assert_true(d.i.reads == (BIT(RDI) | BIT(RCX)) && d.i.kills == BIT(RAX));
    d = READ("\x66\x89\x07"); /* mov %ax, (%rdi) */
    assert_int_equal(d.m.operation, OPERATION_STORE);
    assert_int_equal(d.m.source, SOURCE_REGISTER);
    assert_int_equal(d.i.memory.size, 2);
    assert_false(d.i.locked);
    d = READ("\x48\xc7\x05\x10\x00\x00\x00\xff\xff\xff\xff"); /* movq $-1, 16(%rip) */
    assert_true(d.i.memory.relative && d.i.memory.distance == (int64_t)d.i.next + 16);
    assert_true(d.m.source == SOURCE_CONSTANT && d.m.constant == UINT64_MAX);
    d = READ("\x66\x0f\x6f\x07"); /* movdqa (%rdi), %xmm0: plain */
    assert_true(d.m.action == INLINE_ACCESS && d.m.operation == OPERATION_NONE && d.i.memory.size == 16);
}

static void test_updates(void **state)
{
    (void)state;
    struct decoded d = READ("\xf0\x0f\xc1\x17"); /* lock xadd %edx, (%rdi) */
    assert_true(d.i.locked && d.m.operation == OPERATION_ADD && d.m.source_register == RDX);
    d = READ("\x87\x07"); /* xchg %eax, (%rdi) locks by itself */
    assert_true(d.i.locked && d.m.operation == OPERATION_EXCHANGE);
    d = READ("\x87\xc8"); /* xchg %ecx, %eax does not */
    assert_int_equal(d.m.action, INLINE_QUIET);
    d = READ("\x0f\xb1\x0f"); /* cmpxchg %ecx, (%rdi) */
    assert_true(!d.i.locked && d.m.operation == OPERATION_CAS && d.i.memory.writes);
    d = READ("\xf0\x48\x0f\xc7\x0f"); /* lock cmpxchg16b (%rdi) */
    assert_true(d.i.locked && d.m.source == SOURCE_PAIR && d.i.memory.size == 16);
    d = READ("\xf0\x0f\xb3\x0f"); /* lock btr %ecx, (%rdi) */
    assert_true(d.m.bits && d.m.operation == OPERATION_AND && d.m.source_register == RCX);
    d = READ("\xf0\xf7\x1f"); /* lock negl (%rdi) */
    assert_int_equal(d.m.operation, OPERATION_NEGATE);
    d = READ("\xf0\x00\x27"); /* lock add %ah, (%rdi) */
    assert_true(d.m.high_byte && d.m.source_register == RAX && d.i.memory.size == 1);
    d = READ("\x0f\x9e\x07"); /* setle (%rdi) */
    assert_true(d.m.operation == OPERATION_STORE && d.m.source == SOURCE_CONDITION && d.m.constant == 0xe);
}

static void test_others(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        enum inline_action action;
    } cases[] = {
        {"\x0f\xae\xf0", 3, INLINE_FENCE},               /* mfence */
        {"\x0f\xae\xf8", 3, INLINE_QUIET},               /* sfence */
        {"\xf3\x90", 2, INLINE_QUIET},                   /* pause */
        {"\x50", 1, INLINE_QUIET},                       /* push %rax */
        {"\x48\x8d\x44\x24\x08", 5, INLINE_QUIET},       /* lea 8(%rsp), %rax */
        {"\x0f\x18\x0f", 3, INLINE_QUIET},               /* prefetcht0 (%rdi) */
        {"\xf3\xa4", 2, INLINE_COPY},                    /* rep movsb */
        {"\xf3\xa6", 2, INLINE_UNKNOWN},                 /* rep cmpsb */
        {"\x0f\x31", 2, INLINE_QUERY},                   /* rdtsc */
        {"\x0f\x05", 2, INLINE_UNKNOWN},                 /* syscall */
        {"\xe8\x00\x00\x00\x00", 5, INLINE_UNKNOWN},     /* call */
        {"\xc7\xf8\x00\x00\x00\x00", 6, INLINE_UNKNOWN}, /* xbegin */
        {"\x67\x8b\x07", 3, INLINE_UNKNOWN},             /* mov (%edi), %eax */
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_int_equal(read_code(cases[k].size, cases[k].bytes).m.action, cases[k].action);
}

static void test_flow(void **state)
{
    (void)state;
    struct decoded d = READ("\x75\xfe"); /* jne to itself */
    assert_true(d.i.flow == FLOW_BRANCH && d.i.target == d.i.address && d.i.reads & MACHINE_FLAGS);
    d = READ("\xe2\x10"); /* loop */
    assert_true(d.i.flow == FLOW_BRANCH && d.i.short_only && d.i.reads & BIT(RCX));
    d = READ("\xeb\x05");
    assert_true(d.i.flow == FLOW_JUMP && d.i.target == d.i.next + 5);
    d = READ("\xff\x27"); /* jmp *(%rdi) */
    assert_true(d.i.flow == FLOW_JUMP && !d.i.target);
    d = READ("\xc3");
    assert_int_equal(d.i.flow, FLOW_RETURN);
    d = READ("\x31\xc0"); /* xor %eax, %eax */
    assert_true(d.i.reads == 0 && d.i.kills == (BIT(RAX) | MACHINE_FLAGS));
    d = READ("\xfe\xc0"); /* inc %al leaves the rest of rax, and the carry */
    assert_true(d.i.kills == 0);
}

/* As they are written down, the result first. */
static void test_operands(void **state)
{
    (void)state;
    struct decoded d = READ("\x41\x89\xc4"); /* mov %eax, %r12d */
    assert_true(d.i.kind == KIND_MOVE && d.i.operand_count == 2);
    assert_true(d.i.operands[0].kind == OPERAND_REGISTER && d.i.operands[0].number == 12);
    assert_true(d.i.operands[1].number == RAX && d.i.operands[1].size == 4);
    d = READ("\x80\x7d\xd3\x00"); /* cmpb $0, -45(%rbp) */
    assert_true(d.i.kind == KIND_COMPARE && d.i.operands[0].kind == OPERAND_MEMORY &&
                d.i.operands[0].size == 1);
    assert_true(d.i.operands[1].kind == OPERAND_CONSTANT && d.i.operands[1].constant == 0);
    assert_true(d.i.memory.base == MACHINE_FRAME && d.i.memory.distance == -45 && !d.i.memory.writes);
    d = READ("\x48\x83\xc4\x80"); /* add $-128, %rsp */
    assert_true(d.i.kind == KIND_ADD && d.i.operands[1].constant == -128 &&
                d.i.operands[0].number == MACHINE_STACK);
    d = READ("\x84\xe4"); /* test %ah, %ah */
    assert_true(d.i.kind == KIND_TEST && d.i.operands[0].high_byte && d.i.operands[0].number == RAX);
    d = READ("\x0f\x45\xd8"); /* cmovne %eax, %ebx */
    assert_true(d.i.kind == KIND_MOVE_IF && d.i.condition == CONDITION_NOT_EQUAL &&
                d.i.reads & MACHINE_FLAGS);
    d = READ("\x66\x48\x0f\x6e\xc0"); /* movq %rax, %xmm0 */
    assert_true(d.i.kind == KIND_OTHER && d.i.operands[0].kind == OPERAND_VECTOR);
    d = READ("\x66\x90"); /* a nop */
    assert_int_equal(d.i.kind, KIND_NOTHING);
    d = READ("\x48\x8d\x05\x10\x00\x00\x00"); /* lea 16(%rip), %rax */
    assert_true(d.i.kind == KIND_ADDRESS && d.i.memory.relative && d.i.access == ACCESS_NONE);
    assert_true(d.i.memory.distance == (int64_t)d.i.next + 16);
    d = READ("\x67\x8d\x00"); /* lea (%eax), %eax */
    assert_true(d.i.memory.narrow);
}

/* Each is at its own address, wherever its bytes are. */
static void test_addresses(void **state)
{
    (void)state;
    struct machine_instruction i;
    static const char jump[] = "\xe8\x00\x01\x00\x00";
    assert_true(machine_decode_at(jump, 5, 0x1000, &i));
    assert_true(i.flow == FLOW_CALL && i.address == 0x1000 && i.next == 0x1005 && i.target == 0x1105);
    assert_false(machine_decode_at(jump, 4, 0x1000, &i));
    assert_false(machine_decode_at("\x06", 1, 0x1000, &i)); /* push %es is not for 64 bits */
}

int main(void)
{
    if (!machine_prepare())
        return 0; /* another machine */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loads_and_stores), cmocka_unit_test(test_updates),
        cmocka_unit_test(test_others),           cmocka_unit_test(test_flow),
        cmocka_unit_test(test_operands),         cmocka_unit_test(test_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
