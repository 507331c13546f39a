/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|uninitialised */
/* mode: all */
/* tso: holds */
/* sc: holds */
/* note: the new version is published without release */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct version {
    int a, b;
};
static struct version first;
static _Atomic(struct version *) current = &first;
int seen;

static void *updater(void *unused)
{
    (void)unused;
    struct version *v = malloc(sizeof *v);
    v->a = v->b = 1;
    atomic_store_explicit(&current, v, memory_order_relaxed);
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    struct version *v = atomic_load_explicit(&current, memory_order_acquire);
    seen = v->a + v->b;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, updater, NULL);
    pthread_create(&t[1], NULL, reader, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
