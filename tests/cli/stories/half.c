/* The halves of a word are read apart, the older one last: values of parts in the story. */
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>
#include <threads.h>

static union {
    _Atomic uint64_t word;
    struct {
        _Atomic uint32_t data, number;
    } part;
} entry;

static int write(void *unused)
{
    (void)unused;
    atomic_store_explicit(&entry.word, (uint64_t)5 << 32 | 7, memory_order_release);
    return 0;
}

int main(void)
{
    thrd_t t;
    thrd_create(&t, write, NULL);
    uint32_t number = atomic_load_explicit(&entry.part.number, memory_order_relaxed);
    uint32_t data = atomic_load_explicit(&entry.part.data, memory_order_relaxed);
    assert(number != 5 || data == 7);
    thrd_join(t, NULL);
}
