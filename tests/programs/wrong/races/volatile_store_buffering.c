/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* flags-plumb: --volatile=relaxed --memory tso */
/* sc: holds */
#include <assert.h>
#include <pthread.h>

static volatile int x, y, found[2];

static void *first(void *arg)
{
    x = 1;
    found[0] = y;
    return arg;
}

static void *second(void *arg)
{
    y = 1;
    found[1] = x;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(found[0] || found[1]);
    return 0;
}
