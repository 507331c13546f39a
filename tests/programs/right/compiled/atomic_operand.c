/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: where an atomic structure is loaded to is written when the thread has ended */
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    long first, second;
};
static _Atomic struct pair source;
static struct pair target;

static void *load(void *unused)
{
    target = atomic_load(&source);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, load, NULL);
    pthread_join(t, NULL);
    target.second = 1;
    return target.first == 9;
}
