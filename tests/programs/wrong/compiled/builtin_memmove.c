/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: dfs */
/* note: gcc would make instructions of it after the instrumentation */
#include <pthread.h>

static char from[16], to[16];

static void *copy(void *arg)
{
    __builtin_memmove(to, from, 9);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, copy, 0);
    from[8] = 1;
    pthread_join(t, 0);
    return 0;
}
