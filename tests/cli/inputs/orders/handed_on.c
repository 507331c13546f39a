/* One place in the source, several orders. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int saw_x, saw_y;

static inline void put(atomic_int *to, memory_order order)
{
    atomic_store_explicit(to, 1, order);
}

static inline int get(atomic_int *from, memory_order order)
{
    return atomic_load_explicit(from, order);
}

static void *one(void *unused)
{
    put(&x, memory_order_relaxed);
    saw_y = get(&y, memory_order_relaxed);
    return unused;
}

static void *two(void *unused)
{
    put(&y, memory_order_release);
    saw_x = get(&x, memory_order_acquire);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, two, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(saw_x || saw_y);
    return 0;
}
