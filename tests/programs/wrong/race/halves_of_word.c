/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|assert */
/* mode: all */
/* note: the half that others wait for is stored before the data are written */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static union position {
    uint64_t whole;
    struct {
        uint32_t head, tail;
    };
} position;

static int data;

static uint32_t move_head(void)
{
    union position old, new;
    old.whole = __atomic_load_n(&position.whole, __ATOMIC_ACQUIRE);
    do {
        while (old.head != old.tail)
            old.whole = __atomic_load_n(&position.whole, __ATOMIC_ACQUIRE);
        new = old;
        new.head++;
    } while (!__atomic_compare_exchange_n(&position.whole, &old.whole, new.whole, 0, __ATOMIC_ACQUIRE,
                                          __ATOMIC_ACQUIRE));
    return old.head;
}

static void *pass(void *arg)
{
    uint32_t head = move_head();
    __atomic_store_n(&position.tail, head + 1, __ATOMIC_RELEASE);
    data++;
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, pass, 0);
    pthread_create(&two, 0, pass, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(data == 2 && position.head == 2 && position.tail == 2);
    return 0;
}
