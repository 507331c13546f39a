/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>

static int shared;

static __attribute__((noinline)) int constant(int ignored)
{
    (void)ignored;
    return 7;
}

static void *writer(void *unused)
{
    (void)unused;
    shared = 1;
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    constant(0);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, reader, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
