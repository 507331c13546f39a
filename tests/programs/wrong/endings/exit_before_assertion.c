/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: dfs */
/* note: a thread ends the process; what another one does before is part of some executions */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int reached;

static void *leave(void *arg)
{
    exit(0);
    return arg;
}

static void *go_on(void *arg)
{
    atomic_store(&reached, 1);
    assert(!"reached");
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, leave, NULL);
    pthread_create(&t[1], NULL, go_on, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
}
