/* SPDX-License-Identifier: Apache-2.0 */
/* What a program that is proved calls instead of the compiler's runtime and the C library. Nothing is done here: the registers
 * that a call preserves, and its arguments, become the state of the thread, its stack ends below the caller's frame, and the
 * search goes on. So a state has no frame of the runtime. */
#if defined(__x86_64__)
#define PROVE_ASSEMBLY
#include "prove/prove_hooks.h"

        .text

        .macro ENTRY name
        .globl \name
        .type \name, @function
\name:
        .endm

        .macro HOOK name id
        ENTRY \name
        movl $(\id), %eax
        jmp prove_enter
        .size \name, . - \name
        .endm

        .macro HIDDEN_HOOK name id
        .hidden \name
        HOOK \name, \id
        .endm

        .macro NOTHING name
        ENTRY \name
        ret
        .size \name, . - \name
        .endm

/* prove_active: program code runs on behalf of the search. Otherwise (constructors) the call is done at once. */
        .hidden prove_enter
        ENTRY prove_enter
        cmpb $0, prove_active(%rip)
        je 1f
        movq prove_self(%rip), %r10
        movq %rax, PROVE_HOOK(%r10)
        popq %r11
        movq %r11, PROVE_PC(%r10)
        movq %rsp, PROVE_SP(%r10)
        movq %rbx, PROVE_SAVED(%r10)
        movq %rbp, PROVE_SAVED + 8(%r10)
        movq %r12, PROVE_SAVED + 16(%r10)
        movq %r13, PROVE_SAVED + 24(%r10)
        movq %r14, PROVE_SAVED + 32(%r10)
        movq %r15, PROVE_SAVED + 40(%r10)
        movq %rdi, PROVE_ARGUMENTS(%r10)
        movq %rsi, PROVE_ARGUMENTS + 8(%r10)
        movq %rdx, PROVE_ARGUMENTS + 16(%r10)
        movq %rcx, PROVE_ARGUMENTS + 24(%r10)
        movq %r8, PROVE_ARGUMENTS + 32(%r10)
        movq %r9, PROVE_ARGUMENTS + 40(%r10)
        .hidden prove_leave
        .globl prove_leave
prove_leave:
        movq prove_scheduler(%rip), %rsp
        popq %r15
        popq %r14
        popq %r13
        popq %r12
        popq %rbp
        popq %rbx
        ret
1:      pushq %r9
        pushq %r8
        pushq %rcx
        pushq %rdx
        pushq %rsi
        pushq %rdi
        movl %eax, %edi
        movq %rsp, %rsi
        subq $24, %rsp
        movq %rsp, %rdx
        call prove_at_once
        movq (%rsp), %rdx
        addq $72, %rsp
        ret
        .size prove_enter, . - prove_enter

/* prove_resume(registers, rax, rdx) returns when the thread calls the next hook. What calls do not preserve is junk, and in twins other junk. */
        .hidden prove_resume
        ENTRY prove_resume
        pushq %rbx
        pushq %rbp
        pushq %r12
        pushq %r13
        pushq %r14
        pushq %r15
        movq %rsp, prove_scheduler(%rip)
        movq %rdi, %r10
        movq %rsi, %rax
        movq PROVE_SAVED(%r10), %rbx
        movq PROVE_SAVED + 8(%r10), %rbp
        movq PROVE_SAVED + 16(%r10), %r12
        movq PROVE_SAVED + 24(%r10), %r13
        movq PROVE_SAVED + 32(%r10), %r14
        movq PROVE_SAVED + 40(%r10), %r15
        movq PROVE_ARGUMENTS(%r10), %rdi
        movq prove_junk(%rip), %rsi
        movq %rsi, %rcx
        movq %rsi, %r8
        movq %rsi, %r9
        movq %rsi, %r11
        movq PROVE_SP(%r10), %rsp
        jmp *PROVE_PC(%r10)
        .size prove_resume, . - prove_resume

/* Where operations return to. For debuggers call stacks end here; they look one byte before. */
        .cfi_startproc
        .cfi_undefined rip
        nop
        .hidden prove_returned
        ENTRY prove_returned
        movq %rax, %rdi
        movl $PROVE_RETURNED, %eax
        pushq $0
        jmp prove_enter
        .size prove_returned, . - prove_returned
        .cfi_endproc

#define SIZES(macro) macro(1, 0) macro(2, 1) macro(4, 2) macro(8, 3) macro(16, 4)
#define PLAIN(n, log) \
        HOOK __tsan_read ## n, PROVE_ID(PROVE_READ, log); \
        HOOK __tsan_write ## n, PROVE_ID(PROVE_WRITE, log); \
        HOOK __tsan_unaligned_read ## n, PROVE_ID(PROVE_READ, log); \
        HOOK __tsan_unaligned_write ## n, PROVE_ID(PROVE_WRITE, log); \
        HOOK __tsan_volatile_read ## n, PROVE_ID(PROVE_READ, log); \
        HOOK __tsan_volatile_write ## n, PROVE_ID(PROVE_WRITE, log);
        SIZES(PLAIN)
#define BITS(macro) macro(8, 0) macro(16, 1) macro(32, 2) macro(64, 3) macro(128, 4)
#define ATOMIC(n, log) \
        HOOK __tsan_atomic ## n ## _load, PROVE_ID(PROVE_LOAD, log); \
        HOOK __tsan_atomic ## n ## _store, PROVE_ID(PROVE_STORE, log); \
        HOOK __tsan_atomic ## n ## _exchange, PROVE_ID(PROVE_EXCHANGE, log); \
        HOOK __tsan_atomic ## n ## _fetch_add, PROVE_ID(PROVE_ADD, log); \
        HOOK __tsan_atomic ## n ## _fetch_sub, PROVE_ID(PROVE_SUB, log); \
        HOOK __tsan_atomic ## n ## _fetch_and, PROVE_ID(PROVE_AND, log); \
        HOOK __tsan_atomic ## n ## _fetch_or, PROVE_ID(PROVE_OR, log); \
        HOOK __tsan_atomic ## n ## _fetch_xor, PROVE_ID(PROVE_XOR, log); \
        HOOK __tsan_atomic ## n ## _fetch_nand, PROVE_ID(PROVE_NAND, log); \
        HOOK __tsan_atomic ## n ## _compare_exchange_strong, PROVE_ID(PROVE_CAS, log); \
        HOOK __tsan_atomic ## n ## _compare_exchange_weak, PROVE_ID(PROVE_CAS, log); \
        HOOK __tsan_atomic ## n ## _compare_exchange_val, PROVE_ID(PROVE_CAS_VALUE, log);
        BITS(ATOMIC)
        HOOK __tsan_memcpy, PROVE_ID(PROVE_COPY, 0)
        HOOK __tsan_memmove, PROVE_ID(PROVE_COPY, 0)
        HOOK __tsan_memset, PROVE_ID(PROVE_FILL, 0)
        HOOK __tsan_read_range, PROVE_ID(PROVE_READ_RANGE, 0)
        HOOK __tsan_write_range, PROVE_ID(PROVE_WRITE_RANGE, 0)
        HOOK __tsan_atomic_thread_fence, PROVE_ID(PROVE_FENCE, 0)
        HOOK __tsan_vptr_read, PROVE_ID(PROVE_READ, 3)
        HOOK __tsan_vptr_update, PROVE_ID(PROVE_WRITE, 3)
        NOTHING __tsan_init
        NOTHING __tsan_func_entry
        NOTHING __tsan_func_exit
        NOTHING __tsan_atomic_signal_fence

        HIDDEN_HOOK prove_hook_malloc, PROVE_ID(PROVE_MALLOC, 0)
        HIDDEN_HOOK prove_hook_calloc, PROVE_ID(PROVE_CALLOC, 0)
        HIDDEN_HOOK prove_hook_aligned, PROVE_ID(PROVE_ALIGNED, 0)
        HIDDEN_HOOK prove_hook_free, PROVE_ID(PROVE_FREE, 0)
        HIDDEN_HOOK prove_hook_lock, PROVE_ID(PROVE_LOCK, 0)
        HIDDEN_HOOK prove_hook_trylock, PROVE_ID(PROVE_TRYLOCK, 0)
        HIDDEN_HOOK prove_hook_unlock, PROVE_ID(PROVE_UNLOCK, 0)
        HIDDEN_HOOK prove_hook_lock_init, PROVE_ID(PROVE_LOCK_INIT, 0)
        HIDDEN_HOOK prove_hook_lock_destroy, PROVE_ID(PROVE_LOCK_DESTROY, 0)
        HIDDEN_HOOK prove_hook_wait, PROVE_ID(PROVE_COND_WAIT, 0)
        HIDDEN_HOOK prove_hook_timed_wait, PROVE_ID(PROVE_COND_WAIT, 1)
        HIDDEN_HOOK prove_hook_timed_lock, PROVE_ID(PROVE_TRYLOCK, 1)
        HIDDEN_HOOK prove_hook_clock, PROVE_ID(PROVE_CLOCK, 0)
        HIDDEN_HOOK prove_hook_wait_cxx, PROVE_ID(PROVE_COND_WAIT_CXX, 0)
        HIDDEN_HOOK prove_hook_signal, PROVE_ID(PROVE_COND_SIGNAL, 0)
        HIDDEN_HOOK prove_hook_broadcast, PROVE_ID(PROVE_COND_BROADCAST, 0)
        HIDDEN_HOOK prove_hook_wait_init, PROVE_ID(PROVE_COND_INIT, 0)
        HIDDEN_HOOK prove_hook_wait_new, PROVE_ID(PROVE_COND_INIT, 1)
        HIDDEN_HOOK prove_hook_wait_destroy, PROVE_ID(PROVE_COND_DESTROY, 0)
        HIDDEN_HOOK prove_hook_yield, PROVE_ID(PROVE_YIELD, 0)
        HIDDEN_HOOK prove_hook_abort, PROVE_ID(PROVE_ABORT, 0)
        HIDDEN_HOOK prove_hook_assert, PROVE_ID(PROVE_ASSERT, 0)
        HIDDEN_HOOK prove_hook_memcpy, PROVE_ID(PROVE_COPY, 0)
        HIDDEN_HOOK prove_hook_memset, PROVE_ID(PROVE_FILL, 0)
#endif
        .section .note.GNU-stack, "", @progbits
