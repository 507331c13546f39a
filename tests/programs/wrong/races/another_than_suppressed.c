/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* flags-plumb: --suppress 'race:variable hits' --suppress 'race:function other*' */
/* note: the same two lines race on another variable, too */
#include <pthread.h>

static int hits, count;

static void add(int *to)
{
    ++*to;
}

static void *work(void *arg)
{
    add(&hits);
    add(&count);
    return arg;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    work(NULL);
    pthread_join(a, NULL);
    return count > 2;
}
