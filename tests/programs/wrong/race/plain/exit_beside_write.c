/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: dfs */
/* note: one of the two threads ends the process after its write */
#include <pthread.h>
#include <stdlib.h>

static int x;

static void *leave(void *arg)
{
    x = 1;
    quick_exit(0);
    return arg;
}

static void *set_x(void *arg)
{
    x = 2;
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, leave, NULL);
    pthread_create(&t[1], NULL, set_x, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
}
