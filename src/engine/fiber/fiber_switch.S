/* SPDX-License-Identifier: Apache-2.0 */
/* fiber_jump(void **save_sp, void *load_sp, uintptr_t tls, enum fiber_way way): saves what a function call must preserve,
 * changes stack and thread register, and goes on where the other side had stopped. */
    .text
#if defined(__x86_64__)
    .globl fiber_jump
    .hidden fiber_jump
    .type fiber_jump, @function
    .p2align 4
fiber_jump:
    .cfi_startproc
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    cmpl $1, %ecx
    jb 1f
    ja 2f
    wrfsbase %rdx
2:
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    popq %rcx           /* an indirect jump, because the return predictor would be wrong anyway */
    jmp *%rcx
1:                      /* no wrfsbase on this machine: arch_prctl(ARCH_SET_FS, tls) */
    movl $158, %eax
    movl $0x1002, %edi
    movq %rdx, %rsi
    syscall
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    popq %rcx
    jmp *%rcx
    .cfi_endproc
    .size fiber_jump, .-fiber_jump

/* First code of a new fiber: entry in %r12, argument in %r13. The end of every call stack. */
    .globl fiber_begin
    .hidden fiber_begin
    .type fiber_begin, @function
fiber_begin:
    .cfi_startproc
    .cfi_undefined rip
    xorl %ebp, %ebp
    movq %r13, %rdi
    call *%r12
    ud2
    .cfi_endproc
    .size fiber_begin, .-fiber_begin
#elif defined(__aarch64__)
    .globl fiber_jump
    .hidden fiber_jump
    .type fiber_jump, %function
fiber_jump:
    .cfi_startproc
    stp x19, x20, [sp, #-160]!
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    cmp w3, #2
    b.eq 1f
    msr tpidr_el0, x2
1:
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    ldp x19, x20, [sp], #160
    ret
    .cfi_endproc
    .size fiber_jump, .-fiber_jump

    .globl fiber_begin
    .hidden fiber_begin
    .type fiber_begin, %function
fiber_begin:
    .cfi_startproc
    .cfi_undefined x30
    mov x29, #0
    mov x0, x20
    blr x19
    brk #1
    .cfi_endproc
    .size fiber_begin, .-fiber_begin
#else
#error "no fiber routines for this architecture"
#endif
    .section .note.GNU-stack, "", %progbits
