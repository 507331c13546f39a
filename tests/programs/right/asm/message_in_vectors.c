/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* note: vector instructions access memory plainly */
#include "../../x86.h"

static uint64_t data[2] __attribute__((aligned(16)));
static uint32_t ready;

static void *write_both(void *arg)
{
    static const uint64_t values[2] __attribute__((aligned(16))) = {1, 2};
#ifdef BREAK_ORDER
    store_32(&ready, 1);
#endif
    __asm__ __volatile__("movdqa %1, %%xmm3; movdqa %%xmm3, %0"
                         : "=m"(data)
                         : "m"(values)
                         : "memory", "xmm3");
    store_32(&ready, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, write_both, NULL);
    if (load_32(&ready))
        assert(data[0] == 1 && data[1] == 2);
    pthread_join(t, NULL);
    return 0;
}
