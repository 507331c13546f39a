/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* only: gcc */
/* flags: -mcx16 */
/* flags-plumb: --volatile=relaxed */
/* note: volatile 16 bytes are read twice in a row and exchanged as a whole; clang copies them as what is not volatile */
#include <pthread.h>
#include <stdint.h>

static volatile struct head {
    uint64_t top, count;
} __attribute__((aligned(16))) head;

static void *look(void *arg)
{
    struct head first = head, second = head;
    (void)first;
    (void)second;
    return arg;
}

static void *exchange(void *arg)
{
    struct head old = head, new;
    do {
        new.top = 1;
        new.count = old.count + 1;
    } while (!__atomic_compare_exchange((volatile __int128 *)&head, (__int128 *)&old, (__int128 *)&new, 0,
                                        __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, look, 0);
    pthread_create(&two, 0, exchange, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
