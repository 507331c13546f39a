/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>
#include <stdatomic.h>

static int state;
static atomic_int turn;

static void *first(void *unused)
{
    (void)unused;
    state = 1;
    atomic_store(&turn, 1);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    if (!atomic_load(&turn))
        return NULL;
    state = 2;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
