/* A later store of the thread that released. -DAGAIN: what is published changes between the two. */
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int stage;

static void *writer(void *unused)
{
    data = 1;
    atomic_store_explicit(&stage, 1, memory_order_release);
#ifdef AGAIN
    data = 2;
#endif
    atomic_store_explicit(&stage, 2, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t t;
    int copy = 0;
    pthread_create(&t, NULL, writer, NULL);
    if (atomic_load_explicit(&stage, memory_order_acquire) == 2)
        copy = data;
    pthread_join(t, NULL);
    return copy < 0;
}
