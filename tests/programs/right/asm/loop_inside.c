/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* note: a loop of compare and swap inside of one piece of assembly */
#include "../../x86.h"

static uint32_t value = 1;

static void *triple(void *arg)
{
    uint32_t old, new;
    __asm__ __volatile__("movl %2, %0\n"
                         "1:\tleal (%0, %0, 2), %1\n\t" LOCK "cmpxchgl %1, %2\n\t"
                         "jne 1b"
                         : "=&a"(old), "=&r"(new), "+m"(value)
                         :
                         : "memory", "cc");
    assert(new == 3 * old);
    return arg;
}

int main(void)
{
    run_threads(2, triple);
    assert(value == 9);
    return 0;
}
