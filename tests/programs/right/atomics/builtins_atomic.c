/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: the __atomic builtins on plain objects */
#include <assert.h>
#include <pthread.h>

static int counter, data;
static unsigned bits = 0xf;
static char guard;

static void *work(void *arg)
{
    (void)arg;
    __atomic_add_fetch(&counter, 2, __ATOMIC_RELAXED);
    __atomic_sub_fetch(&counter, 1, __ATOMIC_ACQ_REL);
    __atomic_fetch_or(&bits, 0x10u, __ATOMIC_SEQ_CST);
    __atomic_and_fetch(&bits, ~1u, __ATOMIC_SEQ_CST);
    __atomic_xor_fetch(&bits, 0x100u, __ATOMIC_SEQ_CST);
    while (__atomic_test_and_set(&guard, __ATOMIC_ACQUIRE))
        ;
    data++;
    __atomic_clear(&guard, __ATOMIC_RELEASE);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    int expected = 2, desired = 9, seen;
    assert(__atomic_compare_exchange(&counter, &expected, &desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    __atomic_load(&counter, &seen, __ATOMIC_ACQUIRE);
    assert(seen == 9 && data == 2);
    assert(__atomic_exchange_n(&bits, 0, __ATOMIC_SEQ_CST) == 0x1e);
    return 0;
}
