/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated uninitialised */
/* mode: all */
/* known-gcc: holds */
/* flags-plumb: -v */
/* named-gcc: uninitialised memory */
/* note: the variable has a value only if the other thread was first */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *publish(void *arg)
{
    atomic_store(&ready, 1);
    return arg;
}

int main(void)
{
    int found;
    pthread_t t;
    pthread_create(&t, NULL, publish, NULL);
    if (atomic_load(&ready))
        found = 1;
    int answer = found == 1 ? 0 : 2;
    pthread_join(t, NULL);
    return answer == 7;
}
