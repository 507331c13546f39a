/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* note: flags as outputs, and conditions of all kinds on what was found */
#include "../../x86.h"

static uint32_t word = 5;
static int32_t left = 2;

static void *use(void *arg)
{
    bool equal, carry, negative;
    uint32_t old = 5;
    __asm__ __volatile__(LOCK "cmpxchgl %3, %1" : "=@ccz"(equal), "+m"(word), "+a"(old) : "r"(6) : "memory");
    assert(equal == (old == 5));
    __asm__ __volatile__(LOCK "btsl $8, %1" : "=@ccc"(carry), "+m"(word) : : "memory");
    assert(carry || load_32(&word) & 0x100);
    __asm__ __volatile__(LOCK "decl %1" : "=@ccs"(negative), "+m"(left) : : "memory");
    assert(!negative);
    return arg;
}

int main(void)
{
    run_threads(2, use);
    assert(word == 0x106 && left == 0);
    return 0;
}
