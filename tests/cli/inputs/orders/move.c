/* Accesses of one place in the source: in a macro, and as arguments of a call. */
#include "message.h"

#include <assert.h>
#include <pthread.h>

#define MOVE(to, from, read, write) atomic_store_explicit(to, atomic_load_explicit(from, read), write)

static int flag, copy;

static void *sender(void *unused)
{
    message = 1;
    MOVE(&ready, &one, memory_order_seq_cst, memory_order_seq_cst);
    return unused;
}

static void *receiver(void *unused)
{
    if (is_ready())
        assert(message == 1);
    __atomic_store_n(&copy, __atomic_load_n(&flag, __ATOMIC_SEQ_CST), __ATOMIC_RELAXED);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, sender, NULL);
    pthread_create(&threads[1], NULL, receiver, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
