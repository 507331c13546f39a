/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* flags-plumb: --races=allow */
/* note: what was just written need not be there any more */
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
    data = 2;
    assert(data == 2);
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
