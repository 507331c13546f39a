/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* note: where an atomic structure is loaded to is an ordinary object */
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
    target.second = 1;
    pthread_join(t, NULL);
    return target.first == 9;
}
