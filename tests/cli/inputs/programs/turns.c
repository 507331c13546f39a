/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int money = 10, noise;

static void *spend(void *arg)
{
    atomic_fetch_add(&noise, 1);
    int have = atomic_load(&money);
    for (int i = 0; i < 4; i++)
        atomic_fetch_add(&noise, 1);
    if (have >= 10)
        atomic_fetch_sub(&money, 10);
    assert(atomic_load(&money) >= 0);
    return arg;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, spend, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
