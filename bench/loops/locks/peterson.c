/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: race|assert */
/* wrong-sc: holds */
/* note: Peterson's lock, seq_cst; wrong: release and acquire are not enough */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WRONG
#define STORE(x, v) atomic_store_explicit(x, v, memory_order_release)
#define LOAD(x) atomic_load_explicit(x, memory_order_acquire)
#else
#define STORE(x, v) atomic_store(x, v)
#define LOAD(x) atomic_load(x)
#endif

static atomic_int wants[2], turn;
static int counter;

static void *run(void *arg)
{
    int self = (int)(long)arg, other = 1 - self;
    STORE(&wants[self], 1);
    STORE(&turn, other);
    while (LOAD(&wants[other]) && LOAD(&turn) == other)
        ;
    counter++;
    STORE(&wants[self], 0);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, run, (void *)0);
    pthread_create(&two, NULL, run, (void *)1);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(counter == 2);
    return 0;
}
