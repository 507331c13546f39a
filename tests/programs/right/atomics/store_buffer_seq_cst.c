/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int x, y;

static void *left(void *arg)
{
    (void)arg;
    atomic_store(&x, 1);
    return (void *)(intptr_t)atomic_load(&y);
}

static void *right(void *arg)
{
    (void)arg;
    atomic_store(&y, 1);
    return (void *)(intptr_t)atomic_load(&x);
}

int main(void)
{
    pthread_t a, b;
    void *saw_y, *saw_x;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, &saw_y);
    pthread_join(b, &saw_x);
    assert(saw_x || saw_y);
    return 0;
}
