/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated crash */
/* note: a bad pointer reaches the C library, which may hold locks when it crashes */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static _Atomic(const char *) name = (const char *)8;
char buffer[32];

static void *set(void *arg)
{
    atomic_store(&name, arg);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, set, "somebody");
    snprintf(buffer, sizeof buffer, "hello %s", atomic_load(&name));
    pthread_join(t, NULL);
    return 0;
}
