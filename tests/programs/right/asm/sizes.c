/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* note: every size and every locked instruction, without and with another thread */
#include "../../x86.h"

static uint8_t byte = 250;
static uint16_t half = 3;
static uint64_t wide = 1, pair;
static uint32_t word = 0xf0;

static void *use(void *arg)
{
    uint32_t low = 0, high = 0;
    fetch_add_8(&byte, 5);
    inc_16(&half);
    fetch_add_64(&wide, UINT64_C(1) << 40);
    __asm__ __volatile__("1: lock cmpxchg8b %0; jnz 1b"
                         : "+m"(pair), "+a"(low), "+d"(high)
                         : "b"(7), "c"(9)
                         : "memory", "cc");
    __asm__ __volatile__(LOCK "orl $1, %0" : "+m"(word) : : "memory", "cc");
    __asm__ __volatile__(LOCK "xorl $2, %0" : "+m"(word) : : "memory", "cc");
    return arg;
}

int main(void)
{
    run_threads(2, use);
    assert(byte == 4 && half == 5 && wide == (UINT64_C(2) << 40) + 1 && pair == (UINT64_C(9) << 32 | 7));
    assert(word == 0xf1);
    __asm__ __volatile__(LOCK "negl %0" : "+m"(word) : : "memory", "cc");
    assert(word == 0xffffff0f);
    __asm__ __volatile__(LOCK "notl %0" : "+m"(word) : : "memory", "cc");
    __asm__ __volatile__("stc; " LOCK "adcl $0xf, %0" : "+m"(word) : : "memory", "cc");
    assert(word == 0x100);
    __asm__ __volatile__(LOCK "subl $0xff, %0; " LOCK "andl $3, %0" : "+m"(word) : : "memory", "cc");
    assert(word == 1);
    return 0;
}
