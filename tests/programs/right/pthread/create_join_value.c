/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int shared;

static void *twice(void *arg)
{
    shared++;
    return (void *)(2 * (intptr_t)arg);
}

int main(void)
{
    pthread_t t;
    void *result;
    shared = 1;
    assert(pthread_create(&t, NULL, twice, (void *)21) == 0);
    assert(pthread_join(t, &result) == 0);
    assert((intptr_t)result == 42 && shared == 2);
    return 0;
}
