/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* note: a handler at exit writes what a thread still writes: main returns without joining it */
#include <pthread.h>
#include <stdlib.h>

int state;

static void finish(void)
{
    state = 2;
}

static void *worker(void *unused)
{
    (void)unused;
    state = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    atexit(finish);
    pthread_create(&t, NULL, worker, NULL);
    return 0;
}
