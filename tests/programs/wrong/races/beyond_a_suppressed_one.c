/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* flags-plumb: --suppress 'race:variable hint' */
/* note: the race is not reported, what it leads to is */
#include <assert.h>
#include <pthread.h>

static volatile int hint;
static int twice;

static void *look(void *arg)
{
    if (hint)
        twice = hint;
    return arg;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, look, NULL);
    hint = 1;
    hint = 2;
    pthread_join(a, NULL);
    assert(twice != 2);
    return 0;
}
