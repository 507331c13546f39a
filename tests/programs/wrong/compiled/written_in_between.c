/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* flags-plumb: --races=allow */
/* note: every write can be seen, not only the last */
#include <assert.h>
#include <pthread.h>

static int data;

static void *first(void *arg)
{
    data = 1;
    data = 2;
    return arg;
}

static void *second(void *arg)
{
    assert(data != 1);
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
