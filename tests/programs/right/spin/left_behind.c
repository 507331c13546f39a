/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: the process ends while a thread waits for something that never comes */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int request;

static void *serve(void *arg)
{
    for (;;)
        (void)atomic_load(&request);
    return arg;
}

int main(void)
{
    pthread_t server;
    pthread_create(&server, NULL, serve, NULL);
    return 0;
}
