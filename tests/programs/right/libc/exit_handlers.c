/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: atexit handlers run after main, and exit(0) from main is a normal end */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int stage;

static void last(void)
{
    assert(stage == 2);
}

static void first(void)
{
    assert(stage == 1);
    stage = 2;
}

static void *work(void *arg)
{
    stage = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    assert(stage == 0);
    atexit(last);
    atexit(first);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    exit(EXIT_SUCCESS);
}
