/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated uninitialised */
/* mode: all */
/* only: clang */
/* note: both threads write 0, one of them from memory that was never written: only where that one comes last is it undefined */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int lock, seen;
static int *cell, *junk;

static void *undefined(void *unused)
{
    if (atomic_exchange(&lock, 1))
        return unused;
    *cell = *junk ^ *junk;
    atomic_store(&lock, 0);
    return unused;
}

static void *defined(void *unused)
{
    if (atomic_exchange(&lock, 1))
        return unused;
    *cell = 0;
    atomic_store(&lock, 0);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    cell = malloc(sizeof *cell);
    junk = malloc(sizeof *junk);
    *cell = 0;
    pthread_create(&one, NULL, undefined, NULL);
    pthread_create(&two, NULL, defined, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    if (*cell)
        atomic_store(&seen, 1);
    return 0;
}
