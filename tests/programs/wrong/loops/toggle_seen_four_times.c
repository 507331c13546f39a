/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* note: however many rounds are allowed, a longer observer needs one more */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, stop;
static int seen[7];

static void *toggle(void *arg)
{
    do {
        atomic_store(&x, 1);
        atomic_store(&x, 0);
    } while (!atomic_load(&stop));
    return arg;
}

static void *look(void *arg)
{
    for (int i = 0; i < 7; i++)
        seen[i] = atomic_load(&x);
    atomic_store(&stop, 1);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, toggle, NULL);
    pthread_create(&t[1], NULL, look, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(!(seen[0] && !seen[1] && seen[2] && !seen[3] && seen[4] && !seen[5] && seen[6]));
    return 0;
}
