/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
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
    pthread_join(t, NULL);
    return 0;
}
