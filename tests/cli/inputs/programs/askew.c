/* Two words that overlap by half: accesses that are not aligned are not atomic, and have no place in a graph. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static _Alignas(8) char bytes[8];

static void *set(void *unused)
{
    (void)unused;
    __atomic_store_n((uint32_t *)(void *)bytes, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n((uint32_t *)(void *)(bytes + 4), 1, __ATOMIC_SEQ_CST);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    uint32_t seen = __atomic_load_n((uint32_t *)(void *)(bytes + 2), __ATOMIC_SEQ_CST);
    assert(seen == 0 || seen == 1u << 16);
    pthread_join(t, 0);
}
