/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* mode: all */
/* flags-plumb: --races=allow */
/* note: no memory model says what a read of half of a write finds */
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
    return half == 3;
}
