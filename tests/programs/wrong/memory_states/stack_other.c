/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated uninitialised */
/* known-gcc-11: holds */
/* mode: dfs */
/* note: the other thread is given a variable on the stack that is not written before it begins */
#include <pthread.h>
#include <stdatomic.h>

static void *look(void *arg)
{
    atomic_fetch_add((atomic_int *)arg, 1);
    return NULL;
}

int main(void)
{
    atomic_int x;
    pthread_t t;
    pthread_create(&t, NULL, look, &x);
    pthread_join(t, NULL);
    return 0;
}
