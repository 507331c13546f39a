/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --races=allow */
/* note: a write of the whole races with a read of a half, which finds all of that half or nothing */
#include <assert.h>
#include <pthread.h>

static union {
    long whole;
    int halves[2];
} shared;

static void *write_whole(void *arg)
{
    shared.whole = -1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, write_whole, NULL);
    int half = shared.halves[1];
    pthread_join(t, NULL);
    assert(half == 0 || half == -1);
    return 0;
}
