/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: the variables of a function that joins, an array of variable length and alloca included */
#include <alloca.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static void *work(void *arg)
{
    int *p = arg;
    p[0]++;
    p[1]++;
    return NULL;
}

static __attribute__((noinline)) void run(int n)
{
    pthread_t threads[2];
    int variable[n], *more = alloca((size_t)n * sizeof *more);
    variable[0] = variable[1] = more[0] = more[1] = 0;
    pthread_create(&threads[0], NULL, work, variable);
    pthread_create(&threads[1], NULL, work, more);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    variable[0] += more[1];
}

int main(void)
{
    run(2);
    run(3);
    return 0;
}
