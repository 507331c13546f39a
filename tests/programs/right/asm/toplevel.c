/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* note: functions in assembly between those of C, and a piece that puts something into another section */
#include "../../x86.h"

#ifndef ADD
#define ADD "lock incl"
#endif

void bump(uint32_t *counter);
void bump_if_odd(uint32_t *counter, uint32_t number);

__asm__(".text\n"
        ".globl bump\n"
        "bump:\n\t" ADD " (%rdi); ret\n"
        ".globl bump_if_odd\n"
        "bump_if_odd: testl $1, %esi\n\t"
        "jnz bump\n\t"
        "ret\n");

static uint32_t counter, other;

static void *use(void *arg)
{
    bump(&counter);
    bump_if_odd(&counter, (uint32_t)(intptr_t)arg);
    __asm__ __volatile__(".pushsection .rodata; 9: .long 5; .popsection; lock incl %0"
                         : "+m"(other)
                         :
                         : "memory", "cc");
    return arg;
}

int main(void)
{
    run_threads(2, use);
    assert(counter == 3 && other == 2);
    return 0;
}
