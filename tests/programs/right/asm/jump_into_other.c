/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* machine: x86-64 */
/* note: assembly that jumps into other assembly is not followed */
#include "../../x86.h"

static uint32_t x;

int main(void)
{
    __asm__ __volatile__("jmp 7f; nop" : : : "memory");
    x = 1;
    __asm__ __volatile__("incl %0; 7: incl %0; nop" : "+m"(x) : : "memory", "cc");
    return 0;
}
