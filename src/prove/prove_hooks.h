/* SPDX-License-Identifier: Apache-2.0 */
/* What threads can be about to do, as the hooks number it, and where they leave their registers. For C and assembly. */
#ifndef PROVE_HOOKS_H
#define PROVE_HOOKS_H

#define PROVE_ID(kind, log) ((kind)*8 + (log))
#define PROVE_READ 1
#define PROVE_WRITE 2
#define PROVE_READ_RANGE 3
#define PROVE_WRITE_RANGE 4
#define PROVE_LOAD 5
#define PROVE_STORE 6
#define PROVE_EXCHANGE 7
#define PROVE_ADD 8
#define PROVE_SUB 9
#define PROVE_AND 10
#define PROVE_OR 11
#define PROVE_XOR 12
#define PROVE_NAND 13
#define PROVE_CAS 14
#define PROVE_CAS_VALUE 15
#define PROVE_MALLOC 16
#define PROVE_CALLOC 17
#define PROVE_ALIGNED 18
#define PROVE_FREE 19
#define PROVE_LOCK 20
#define PROVE_TRYLOCK 21 /* log 1: with a limit of time */
#define PROVE_UNLOCK 22
#define PROVE_LOCK_INIT 23
#define PROVE_LOCK_DESTROY 24
#define PROVE_YIELD 25
#define PROVE_ABORT 26
#define PROVE_ASSERT 27
#define PROVE_COPY 28
#define PROVE_FILL 29
/* A compare and swap whose expected value is in memory that threads share: read, then the exchange, then written back. These are its
 * second and third step, with that value as the fourth argument. */
#define PROVE_CAS_LOADED 30
#define PROVE_CAS_FAILED 31
/* Not in a program: */
#define PROVE_RETURNED (PROVE_ID(32, 0)) /* the operation has returned its first argument */
#define PROVE_CRASHED (PROVE_ID(33, 0))
#define PROVE_FENCE 34
#define PROVE_DRAINED 35       /* in reports: a store of a buffer has reached memory */
#define PROVE_COND_WAIT 36     /* log 1: with a limit of time, as what becomes of it */
#define PROVE_COND_WAIT_CXX 37 /* with a std::unique_lock instead of the mutex */
#define PROVE_COND_SIGNAL 38
#define PROVE_COND_BROADCAST 39
#define PROVE_COND_INIT 40 /* log 1: it takes no attributes */
#define PROVE_COND_DESTROY 41
/* What becomes of a wait: it goes on, and, woken, for the mutex. */
#define PROVE_COND_WAITING 42
#define PROVE_COND_WOKEN 43 /* log 1: its time was over */
#define PROVE_CLOCK 44
#define PROVE_FIRST_FOREIGN 512 /* a function that is refused: plus its number */

/* Offsets in struct prove_registers */
#define PROVE_HOOK 0
#define PROVE_PC 8
#define PROVE_SP 16
#define PROVE_SAVED 24
#define PROVE_ARGUMENTS 72

#ifndef PROVE_ASSEMBLY
#include <stddef.h>
#include <stdint.h>

enum { PROVE_SAVED_COUNT = 6, PROVE_ARGUMENT_COUNT = 6 };

/* Of a thread that is about to do something: all that it has besides its stack from sp on, and thread-local variables. */
struct prove_registers {
    uint64_t hook, pc, sp;
    uint64_t saved[PROVE_SAVED_COUNT]; /* rbx rbp r12 r13 r14 r15 */
    uint64_t arguments[PROVE_ARGUMENT_COUNT];
};
_Static_assert(offsetof(struct prove_registers, saved) == PROVE_SAVED, "as the assembly has it");
_Static_assert(offsetof(struct prove_registers, arguments) == PROVE_ARGUMENTS, "as the assembly has it");

static inline unsigned prove_kind(uint64_t hook)
{
    return hook >= PROVE_FIRST_FOREIGN ? 0 : (unsigned)hook / 8;
}
static inline unsigned prove_size(uint64_t hook)
{
    return 1u << (hook & 7);
}
#endif

#endif
