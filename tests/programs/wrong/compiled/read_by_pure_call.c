/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* known-gcc: holds */
/* named-gcc: folded expressions */
/* note: the function promises to do nothing but read, and nobody looks at what it returns */
#include <pthread.h>
#include <stddef.h>

static int shared;

__attribute__((pure, noinline)) static int read_it(void)
{
    return shared;
}

static void *writer(void *arg)
{
    shared = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    read_it();
    pthread_join(t, NULL);
    return 0;
}
