/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: a malloc of the program's own, which strdup uses as well */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static _Alignas(16) char room[1 << 16];
static atomic_size_t used;
static atomic_int live;

void *malloc(size_t size)
{
    size = (size + 15) & ~(size_t)15;
    size_t at = atomic_fetch_add(&used, size);
    if (at + size > sizeof room)
        return NULL;
    atomic_fetch_add(&live, 1);
    return room + at;
}

void free(void *p)
{
    if (p)
        atomic_fetch_sub(&live, 1);
}

void *calloc(size_t count, size_t size)
{
    void *p = malloc(count * size);
    return p ? memset(p, 0, count * size) : NULL;
}

static void *work(void *arg)
{
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    char *copy = strdup("text");
    assert(copy >= room && copy < room + sizeof room);
    free(copy);
    pthread_join(t, NULL);
    assert(live == 0);
    return 0;
}
