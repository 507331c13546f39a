/* SPDX-License-Identifier: Apache-2.0 */
/* library_enter: what the stub of an import (engine/code/imports.c) leads to, with the struct import_call in %r11 (x17). The
 * registers that may hold arguments are saved and shown to library_before. Then the function is called, either as if
 * nothing had happened, or from here, so that library_after sees its result. */
    .text
    .globl library_enter
    .hidden library_enter
    .hidden library_before
    .hidden library_after
    .hidden engine_active
#if defined(__x86_64__)
    .type library_enter, @function

    .macro load_registers from
    movq 0(\from), %rdi
    movq 8(\from), %rsi
    movq 16(\from), %rdx
    movq 24(\from), %rcx
    movq 32(\from), %r8
    movq 40(\from), %r9
    movaps 48(\from), %xmm0
    movaps 64(\from), %xmm1
    movaps 80(\from), %xmm2
    movaps 96(\from), %xmm3
    movaps 112(\from), %xmm4
    movaps 128(\from), %xmm5
    movaps 144(\from), %xmm6
    movaps 160(\from), %xmm7
    movq 176(\from), %rax
    .endm

library_enter:
    .cfi_startproc
    cmpb $0, engine_active(%rip)
    jne 1f
    jmp *(%r11)
1:
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register rbp
    pushq %rbx
    .cfi_offset rbx, -24
    pushq %r12
    .cfi_offset r12, -32
    subq $208, %rsp
    movq %r11, %rbx
    movq %rsp, %r12
    movq %rdi, 0(%r12)
    movq %rsi, 8(%r12)
    movq %rdx, 16(%r12)
    movq %rcx, 24(%r12)
    movq %r8, 32(%r12)
    movq %r9, 40(%r12)
    movaps %xmm0, 48(%r12)
    movaps %xmm1, 64(%r12)
    movaps %xmm2, 80(%r12)
    movaps %xmm3, 96(%r12)
    movaps %xmm4, 112(%r12)
    movaps %xmm5, 128(%r12)
    movaps %xmm6, 144(%r12)
    movaps %xmm7, 160(%r12)
    movq %rax, 176(%r12)
    movq %rbx, %rdi
    movq %r12, %rsi
    leaq 16(%rbp), %rdx
    movq 8(%rbp), %rcx
    call library_before
    testq %rax, %rax
    js 3f
    leaq 15(,%rax,8), %rdx      /* the arguments on the stack once more */
    andq $-16, %rdx
    subq %rdx, %rsp
    movq %rax, %rcx
    leaq 16(%rbp), %rsi
    movq %rsp, %rdi
    rep movsq
    load_registers %r12
    call *(%rbx)
    movq %r12, %rsp
    movq %rax, 184(%r12)
    movq %rdx, 192(%r12)
    movaps %xmm0, 48(%r12)
    movaps %xmm1, 64(%r12)
    movq %rbx, %rdi
    movq %r12, %rsi
    leaq 16(%rbp), %rdx
    movq 8(%rbp), %rcx
    call library_after
    movq 184(%r12), %rax
    movq 192(%r12), %rdx
    movaps 48(%r12), %xmm0
    movaps 64(%r12), %xmm1
    leaq -16(%rbp), %rsp
    popq %r12
    popq %rbx
    popq %rbp
    .cfi_remember_state
    .cfi_def_cfa rsp, 8
    ret
    .cfi_restore_state
3:
    load_registers %r12
    movq %rbx, %r11
    leaq -16(%rbp), %rsp
    popq %r12
    popq %rbx
    popq %rbp
    .cfi_def_cfa rsp, 8
    jmp *(%r11)
    .cfi_endproc
#elif defined(__aarch64__)
    .type library_enter, %function

    .macro load_registers from
    ldp x0, x1, [\from, #0]
    ldp x2, x3, [\from, #16]
    ldp x4, x5, [\from, #32]
    ldp x6, x7, [\from, #48]
    ldp q0, q1, [\from, #64]
    ldp q2, q3, [\from, #96]
    ldp q4, q5, [\from, #128]
    ldp q6, q7, [\from, #160]
    ldr x8, [\from, #192]
    .endm

library_enter:
    .cfi_startproc
    adrp x16, engine_active
    ldrb w16, [x16, #:lo12:engine_active]
    cbnz w16, 1f
    ldr x16, [x17]
    br x16
1:
    stp x29, x30, [sp, #-32]!
    .cfi_def_cfa_offset 32
    .cfi_offset x29, -32
    .cfi_offset x30, -24
    mov x29, sp
    .cfi_def_cfa_register x29
    stp x19, x20, [sp, #16]
    .cfi_offset x19, -16
    .cfi_offset x20, -8
    sub sp, sp, #224
    mov x19, x17
    mov x20, sp
    stp x0, x1, [x20, #0]
    stp x2, x3, [x20, #16]
    stp x4, x5, [x20, #32]
    stp x6, x7, [x20, #48]
    stp q0, q1, [x20, #64]
    stp q2, q3, [x20, #96]
    stp q4, q5, [x20, #128]
    stp q6, q7, [x20, #160]
    str x8, [x20, #192]
    mov x0, x19
    mov x1, x20
    add x2, x29, #32
    ldr x3, [x29, #8]
    bl library_before
    tbnz x0, #63, 3f
    add x9, x0, #1              /* the arguments on the stack once more */
    and x9, x9, #-2
    sub sp, sp, x9, lsl #3
    add x10, x29, #32
    mov x11, sp
2:
    cbz x0, 4f
    ldr x12, [x10], #8
    str x12, [x11], #8
    sub x0, x0, #1
    b 2b
4:
    load_registers x20
    ldr x16, [x19]
    blr x16
    mov sp, x20
    str x0, [x20, #200]
    str x1, [x20, #208]
    stp q0, q1, [x20, #64]
    stp q2, q3, [x20, #96]
    mov x0, x19
    mov x1, x20
    add x2, x29, #32
    ldr x3, [x29, #8]
    bl library_after
    ldr x0, [x20, #200]
    ldr x1, [x20, #208]
    ldp q0, q1, [x20, #64]
    ldp q2, q3, [x20, #96]
    add sp, x20, #224
    ldp x19, x20, [sp, #16]
    ldp x29, x30, [sp], #32
    .cfi_remember_state
    .cfi_def_cfa sp, 0
    ret
    .cfi_restore_state
3:
    load_registers x20
    mov x17, x19
    add sp, x20, #224
    ldp x19, x20, [sp, #16]
    ldp x29, x30, [sp], #32
    .cfi_def_cfa sp, 0
    ldr x16, [x17]
    br x16
    .cfi_endproc
#endif
    .size library_enter, .-library_enter
    .section .note.GNU-stack, "", %progbits
