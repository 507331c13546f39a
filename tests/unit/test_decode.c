/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/instruction.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI };
#define BIT(r) (UINT64_C(1) << (r))

static unsigned char code[16];

static struct decoded read_code(size_t size, const char *bytes)
{
    struct decoded d;
    memset(code, 0x90, sizeof code);
    memcpy(code, bytes, size);
    assert_true(decode(code, sizeof code, &d));
    assert_int_equal(d.next - d.address, size);
    return d;
}
#define READ(bytes) read_code(sizeof bytes - 1, bytes)

static void test_loads_and_stores(void **state)
{
    (void)state;
    struct decoded d = READ("\x8b\x44\x8f\x08"); /* mov 8(%rdi,%rcx,4), %eax */
    assert_int_equal(d.action, DECODE_ACCESS);
    assert_int_equal(d.operation, OPERATION_LOAD);
    assert_int_equal(d.memory.base, RDI);
    assert_int_equal(d.memory.index, RCX);
    assert_int_equal(d.memory.scale, 4);
    assert_int_equal(d.memory.distance, 8);
    assert_int_equal(d.memory.size, 4);
    assert_true(d.reads == (BIT(RDI) | BIT(RCX)) && d.kills == BIT(RAX));
    d = READ("\x66\x89\x07"); /* mov %ax, (%rdi) */
    assert_int_equal(d.operation, OPERATION_STORE);
    assert_int_equal(d.source, SOURCE_REGISTER);
    assert_int_equal(d.memory.size, 2);
    assert_false(d.locked);
    d = READ("\x48\xc7\x05\x10\x00\x00\x00\xff\xff\xff\xff"); /* movq $-1, 16(%rip) */
    assert_true(d.memory.relative && d.memory.distance == (int64_t)d.next + 16);
    assert_true(d.source == SOURCE_CONSTANT && d.source_constant == UINT64_MAX);
    d = READ("\x66\x0f\x6f\x07"); /* movdqa (%rdi), %xmm0: plain */
    assert_true(d.action == DECODE_ACCESS && d.operation == OPERATION_NONE && d.memory.size == 16);
}

static void test_updates(void **state)
{
    (void)state;
    struct decoded d = READ("\xf0\x0f\xc1\x17"); /* lock xadd %edx, (%rdi) */
    assert_true(d.locked && d.operation == OPERATION_ADD && d.source_register == RDX);
    d = READ("\x87\x07"); /* xchg %eax, (%rdi) locks by itself */
    assert_true(d.locked && d.operation == OPERATION_EXCHANGE);
    d = READ("\x87\xc8"); /* xchg %ecx, %eax does not */
    assert_int_equal(d.action, DECODE_QUIET);
    d = READ("\x0f\xb1\x0f"); /* cmpxchg %ecx, (%rdi) */
    assert_true(!d.locked && d.operation == OPERATION_CAS && d.memory.writes);
    d = READ("\xf0\x48\x0f\xc7\x0f"); /* lock cmpxchg16b (%rdi) */
    assert_true(d.locked && d.source == SOURCE_PAIR && d.memory.size == 16);
    d = READ("\xf0\x0f\xb3\x0f"); /* lock btr %ecx, (%rdi) */
    assert_true(d.bits && d.operation == OPERATION_AND && d.source_register == RCX);
    d = READ("\xf0\xf7\x1f"); /* lock negl (%rdi) */
    assert_int_equal(d.operation, OPERATION_NEGATE);
    d = READ("\xf0\x00\x27"); /* lock add %ah, (%rdi) */
    assert_true(d.high_byte && d.source_register == RAX && d.memory.size == 1);
    d = READ("\x0f\x9e\x07"); /* setle (%rdi) */
    assert_true(d.operation == OPERATION_STORE && d.source == SOURCE_CONDITION && d.source_constant == 0xe);
}

static void test_others(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        enum decode_action action;
    } cases[] = {
        {"\x0f\xae\xf0", 3, DECODE_FENCE},               /* mfence */
        {"\x0f\xae\xf8", 3, DECODE_QUIET},               /* sfence */
        {"\xf3\x90", 2, DECODE_QUIET},                   /* pause */
        {"\x50", 1, DECODE_QUIET},                       /* push %rax */
        {"\x48\x8d\x44\x24\x08", 5, DECODE_QUIET},       /* lea 8(%rsp), %rax */
        {"\x0f\x18\x0f", 3, DECODE_QUIET},               /* prefetcht0 (%rdi) */
        {"\xf3\xa4", 2, DECODE_COPY},                    /* rep movsb */
        {"\xf3\xa6", 2, DECODE_UNKNOWN},                 /* rep cmpsb */
        {"\x0f\x31", 2, DECODE_ANSWERS},                 /* rdtsc */
        {"\x0f\x05", 2, DECODE_UNKNOWN},                 /* syscall */
        {"\xe8\x00\x00\x00\x00", 5, DECODE_UNKNOWN},     /* call */
        {"\xc7\xf8\x00\x00\x00\x00", 6, DECODE_UNKNOWN}, /* xbegin */
        {"\x67\x8b\x07", 3, DECODE_UNKNOWN},             /* mov (%edi), %eax */
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_int_equal(read_code(cases[k].size, cases[k].bytes).action, cases[k].action);
}

static void test_flow(void **state)
{
    (void)state;
    struct decoded d = READ("\x75\xfe"); /* jne to itself */
    assert_true(d.flow == FLOW_BRANCH && d.target == d.address && d.reads & DECODE_FLAGS);
    d = READ("\xe2\x10"); /* loop */
    assert_true(d.flow == FLOW_BRANCH && d.near_only && d.reads & BIT(RCX));
    d = READ("\xeb\x05");
    assert_true(d.flow == FLOW_JUMP && d.target == d.next + 5);
    d = READ("\xff\x27"); /* jmp *(%rdi) */
    assert_true(d.flow == FLOW_JUMP && !d.target);
    d = READ("\xc3");
    assert_int_equal(d.flow, FLOW_RETURN);
    d = READ("\x31\xc0"); /* xor %eax, %eax */
    assert_true(d.reads == 0 && d.kills == (BIT(RAX) | DECODE_FLAGS));
    d = READ("\xfe\xc0"); /* inc %al leaves the rest of rax, and the carry */
    assert_true(d.kills == 0);
}

int main(void)
{
    if (!decode_prepare())
        return 0; /* another machine */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loads_and_stores),
        cmocka_unit_test(test_updates),
        cmocka_unit_test(test_others),
        cmocka_unit_test(test_flow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
