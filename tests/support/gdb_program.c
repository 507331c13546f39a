/* SPDX-License-Identifier: Apache-2.0 */
/* For gdb.sh, which looks for the lines marked below: an addition gets lost between two threads. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

__thread int mine = 5; /* not static: clang tells a debugger nothing about those */
static atomic_int count;

/* For the debugger's user to call. */
int peek(void)
{
    return atomic_load(&count) + 1000;
}

static void add(int n)
{
    mine = n;
    int old = atomic_load(&count);    /* LOAD */
    atomic_store(&count, old + mine); /* STORE */
    mine = n + 1;
}

static void *add_once(void *n)
{
    add((int)(long)n);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add_once, (void *)10L);
    pthread_create(&b, NULL, add_once, (void *)20L);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&count) == 30); /* CHECK */
}
