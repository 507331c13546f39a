/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* only: gcc */
/* note: stepping an atomic pointer counts in elements; each thread gets its own slot (clang 14 miscompiles it) */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int slots[4];
static _Atomic(int *) next = slots;

static void *claim(void *arg)
{
    for (int i = 0; i < 2; i++) {
        int *mine = next++;
        *mine = *(int *)arg;
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int one = 1, two = 2;
    pthread_create(&a, NULL, claim, &one);
    pthread_create(&b, NULL, claim, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&next) == slots + 4);
    assert(slots[0] + slots[1] + slots[2] + slots[3] == 6);
    return 0;
}
