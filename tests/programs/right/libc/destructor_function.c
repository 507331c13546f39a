/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: the thread is joined before the functions with the attribute run, in the opposite order of constructors */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int state;

static void *work(void *arg)
{
    state = 1;
    return arg;
}

static void handler(void)
{
    assert(state == 1);
    state = 2;
}

__attribute__((destructor(102))) static void second(void)
{
    assert(state == 3);
}

__attribute__((destructor)) static void first(void)
{
    assert(state == 2);
    state = 3;
}

int main(void)
{
    pthread_t t;
    atexit(handler);
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
