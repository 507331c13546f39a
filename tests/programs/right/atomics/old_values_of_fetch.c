/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: fetch operations return the value before; two adds never see the same one */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int counter;

static void *take(void *arg)
{
    (void)arg;
    return (void *)(intptr_t)atomic_fetch_add(&counter, 1);
}

int main(void)
{
    pthread_t a, b;
    void *x, *y;
    pthread_create(&a, NULL, take, NULL);
    pthread_create(&b, NULL, take, NULL);
    pthread_join(a, &x);
    pthread_join(b, &y);
    assert((intptr_t)x + (intptr_t)y == 1);
    assert(atomic_load(&counter) == 2);
    return 0;
}
