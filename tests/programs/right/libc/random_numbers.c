/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: whatever they return, a schedule must always give the same */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/random.h>

static atomic_int turns;

static void *roll(void *arg)
{
    unsigned state = *(unsigned *)arg;
    unsigned char bytes[4];
    assert(getrandom(bytes, sizeof bytes, 0) == sizeof bytes);
    int draws = 1 + bytes[0] % 3 + rand_r(&state) % 2;
    for (int i = 0; i < draws; i++)
        atomic_fetch_add(&turns, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    unsigned one = 1, two = 2;
    pthread_create(&t, NULL, roll, &one);
    roll(&two);
    pthread_join(t, NULL);
    srand(7);
    int a = rand(), b = rand();
    srand(7);
    assert(rand() == a && rand() == b && a >= 0 && a <= RAND_MAX);
    srandom(3);
    assert(random() >= 0 && drand48() < 1.0);
    assert(turns >= 2 && turns <= 8);
    return 0;
}
