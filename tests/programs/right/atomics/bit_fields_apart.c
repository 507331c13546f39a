/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: a zero-width bit-field separates memory locations */
#include <assert.h>
#include <pthread.h>

static struct {
    unsigned a : 4;
    unsigned : 0;
    unsigned b : 4;
} flags;

static void *set_b(void *arg)
{
    (void)arg;
    flags.b = 5;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, set_b, 0);
    flags.a = 9;
    pthread_join(t, 0);
    assert(flags.a == 9 && flags.b == 5);
    return 0;
}
