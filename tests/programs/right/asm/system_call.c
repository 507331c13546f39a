/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* machine: x86-64 */
/* note: assembly that makes a system call is not followed */
#include "../../x86.h"

static uint32_t x;

int main(void)
{
    long r;
    __asm__ __volatile__("syscall" : "=a"(r) : "a"(39) : "rcx", "r11", "memory");
    x = (uint32_t)r;
    return 0;
}
