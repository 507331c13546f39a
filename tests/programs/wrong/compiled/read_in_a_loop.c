/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* flags-plumb: --races=allow */
/* note: each round reads anew */
#include <assert.h>
#include <pthread.h>

static int data;

static void *first(void *arg)
{
    data = 1;
    return arg;
}

static void *second(void *arg)
{
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += data;
    assert(sum == 0 || sum == 3);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
