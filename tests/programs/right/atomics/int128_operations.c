/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* flags: -mcx16 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic unsigned __int128 wide;

static void *add(void *arg)
{
    (void)arg;
    atomic_fetch_add(&wide, ((unsigned __int128)1 << 64) + 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    unsigned __int128 end = atomic_load(&wide);
    assert((unsigned long)end == 2 && (unsigned long)(end >> 64) == 2);
    return 0;
}
