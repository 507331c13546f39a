/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* note: bits set and reset by number, beyond the first word as well */
#include "../../x86.h"

static uint32_t map[2];

static bool set_bit(uint32_t *m, uint32_t bit)
{
    bool was;
    __asm__ __volatile__(LOCK "btsl %2, %0; setc %1" : "+m"(*m), "=q"(was) : "r"(bit) : "memory", "cc");
    return was;
}

static bool reset_bit(uint32_t *m, uint32_t bit)
{
    bool was;
    __asm__ __volatile__(LOCK "btrl %2, %0; setc %1" : "+m"(*m), "=q"(was) : "r"(bit) : "memory", "cc");
    return was;
}

static void *use(void *arg)
{
    uint32_t n = (uint32_t)(intptr_t)arg;
    bool was = set_bit(map, 35 + n);
    assert(!was);
    set_bit(map, n);
    was = reset_bit(map, n);
    assert(was);
    return arg;
}

int main(void)
{
    run_threads(2, use);
    assert(map[0] == 0 && map[1] == 0x18);
    return 0;
}
