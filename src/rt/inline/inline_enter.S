/* SPDX-License-Identifier: Apache-2.0 */
/* See inline_code.h: saves all registers, calls inline_step, restores them. To unwinders of the stack, the program
 * called this from behind the instruction. */
#if defined(__x86_64__)
    .text
    .globl inline_enter
    .hidden inline_enter
    .type inline_enter, @function
inline_enter:
    .cfi_startproc
    .cfi_def_cfa rsp, 152
    .cfi_offset rip, -136
    pushfq
    .cfi_def_cfa_offset 160
    cld
    pushq %r15
    pushq %r14
    pushq %r13
    pushq %r12
    pushq %r11
    pushq %r10
    pushq %r9
    pushq %r8
    pushq %rdi
    pushq %rsi
    pushq %rbp
    pushq %rsp
    pushq %rbx
    pushq %rdx
    pushq %rcx
    pushq %rax
    .cfi_def_cfa_offset 288
    .cfi_offset rbx, -264
    leaq 288(%rsp), %rax
    movq %rax, 32(%rsp)
    movq %rsp, %rdi
    movq %rsp, %rbx
    .cfi_def_cfa rbx, 288
    movq 144(%rsp), %rsi
    cmpq $0, (%rsi)
    jne 1f
    andq $-16, %rsp
    xorl %edx, %edx
    call inline_step
    jmp 2f
1:  /* vectors, masks and the x87: room for all of AVX-512, in the form with fixed places; what lies between is zero */
    subq $2816, %rsp
    andq $-64, %rsp
    xorl %eax, %eax
    movq %rsp, %rdi
    movl $352, %ecx
    rep stosq
    xorl %edx, %edx
    movl $0xe7, %eax
    xsave64 (%rsp)
    movq %rsp, %r12
    movq %rbx, %rdi
    movq %rsp, %rdx
    call inline_step
    xorl %edx, %edx
    movl $0xe7, %eax
    xrstor64 (%r12)
2:  movq %rbx, %rsp
    .cfi_def_cfa rsp, 288
    popq %rax
    popq %rcx
    popq %rdx
    popq %rbx
    leaq 8(%rsp), %rsp
    popq %rbp
    popq %rsi
    popq %rdi
    popq %r8
    popq %r9
    popq %r10
    popq %r11
    popq %r12
    popq %r13
    popq %r14
    popq %r15
    popfq
    .cfi_def_cfa_offset 152
    ret
    .cfi_endproc
    .size inline_enter, .-inline_enter
#endif
    .section .note.GNU-stack, "", %progbits
