/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* note: who stops the toggle sees it on although the observer needs two rounds; lost for some orders of threads only */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, stop;
static int seen[3], late;

static void *stop_and_look(void *arg)
{
    atomic_store(&stop, 1);
    late = atomic_load(&x);
    return arg;
}

static void *look(void *arg)
{
    for (int i = 0; i < 3; i++)
        seen[i] = atomic_load(&x);
    return arg;
}

static void *toggle(void *arg)
{
    do {
        atomic_store(&x, 1);
        atomic_store(&x, 0);
    } while (!atomic_load(&stop));
    return arg;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, stop_and_look, NULL);
    pthread_create(&t[1], NULL, look, NULL);
    pthread_create(&t[2], NULL, toggle, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    pthread_join(t[2], NULL);
    assert(!(seen[0] && !seen[1] && seen[2] && late));
    return 0;
}
