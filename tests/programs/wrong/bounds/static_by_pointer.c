/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* mode: all */
/* known-gcc: holds */
/* flags-plumb: -v */
/* named-gcc: bounds and lifetimes of variables */
/* note: an access right behind a static array */
#include <pthread.h>

static int slots[4];

static void count(int *at)
{
    ++*at;
}

static void *run(void *arg)
{
    for (int *at = slots; at <= slots + 4; at++)
        count(at);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, NULL);
    return 0;
}
