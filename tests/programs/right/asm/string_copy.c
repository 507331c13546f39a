/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* note: copies by string instructions are plain accesses */
#include "../../x86.h"

static char from[8] = "message", to[8];
static uint32_t ready;

static void *copy(void *arg)
{
    void *d = to;
    const void *s = from;
    size_t n = sizeof to;
#ifdef BREAK_ORDER
    store_32(&ready, 1);
#endif
    __asm__ __volatile__("rep; movsb" : "+D"(d), "+S"(s), "+c"(n) : : "memory");
    store_32(&ready, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, copy, NULL);
    while (!load_32(&ready))
        stall();
    assert(to[0] == 'm' && to[6] == 'e');
    pthread_join(t, NULL);
    return 0;
}
