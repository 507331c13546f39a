/* SPDX-License-Identifier: Apache-2.0 */
/* See spin.h; offsets are those of `entry` and `calls` in struct spin. */
    .text
    .globl spin_enter
    .hidden spin_enter
#if defined(__x86_64__)
    .type spin_enter, @function
spin_enter:
    .cfi_startproc
    movq (%rsp), %rax
    movq %rax, 8(%r11)
    leaq 8(%rsp), %rax
    movq %rax, 16(%r11)
    movq %rbx, 24(%r11)
    movq %rbp, 32(%r11)
    movq %r12, 40(%r11)
    movq %r13, 48(%r11)
    movq %r14, 56(%r11)
    movq %r15, 64(%r11)
    movq $0, 72(%r11)
    stmxcsr 72(%r11)
    fnstcw 76(%r11)
    movq $0, 80(%r11)
    movq $0, 88(%r11)
    incq 96(%r11)
    jmp *%r10
    .cfi_endproc
#elif defined(__aarch64__)
    .type spin_enter, %function
spin_enter:
    .cfi_startproc
    str x30, [x17, #8]
    mov x9, sp
    str x9, [x17, #16]
    stp x19, x20, [x17, #24]
    stp x21, x22, [x17, #40]
    stp x23, x24, [x17, #56]
    stp x25, x26, [x17, #72]
    stp x27, x28, [x17, #88]
    str x29, [x17, #104]
    stp d8, d9, [x17, #112]
    stp d10, d11, [x17, #128]
    stp d12, d13, [x17, #144]
    stp d14, d15, [x17, #160]
    ldr x9, [x17, #176]
    add x9, x9, #1
    str x9, [x17, #176]
    br x16
    .cfi_endproc
#endif
    .size spin_enter, .-spin_enter
    .section .note.GNU-stack, "", %progbits
