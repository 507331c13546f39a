/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* flags: -mcx16 */
/* note: a 16-byte struct is read and replaced as one */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct pair {
    uint64_t value, version;
};

static _Atomic struct pair shared;

static void *step(void *arg)
{
    (void)arg;
    struct pair old = atomic_load(&shared), new;
    do {
        assert(old.value == 3 * old.version);
        new = (struct pair){old.value + 3, old.version + 1};
    } while (!atomic_compare_exchange_strong(&shared, &old, new));
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    atomic_store(&shared, ((struct pair){0, 0}));
    pthread_create(&a, NULL, step, NULL);
    pthread_create(&b, NULL, step, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    struct pair end = atomic_exchange(&shared, ((struct pair){9, 3}));
    assert(end.value == 6 && end.version == 2);
    return 0;
}
