/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated uninitialised */
/* known-gcc-11: holds */
/* mode: dfs */
/* note: one member is initialised, the other one is forgotten */
#include <pthread.h>
#include <stdatomic.h>

struct both {
    atomic_int first;
    atomic_int second;
    void *other[20];
};

static void *look(void *arg)
{
    struct both *b = arg;
    atomic_load(&b->first);
    atomic_load(&b->second);
    return NULL;
}

int main(void)
{
    struct both b;
    pthread_t t;
    atomic_init(&b.first, 1);
    pthread_create(&t, NULL, look, &b);
    pthread_join(t, NULL);
    return 0;
}
