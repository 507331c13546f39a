/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: a function marked no_sanitize ends a loop whose rounds look the same otherwise: no deadlock */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int rounds;

__attribute__((no_sanitize("thread"), noinline)) static int is_enough(void)
{
    return ++rounds > 3;
}

static void *look(void *arg)
{
    while (!is_enough())
        atomic_load(&x);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, look, NULL);
    pthread_join(t, NULL);
    return 0;
}
