/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: two threads at a time are given one stack */
#include <pthread.h>
#include <stddef.h>

static char stack[1 << 17] __attribute__((aligned(4096)));

static void *work(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack, sizeof stack);
    pthread_t t[2];
    pthread_create(&t[0], &attributes, work, NULL);
    pthread_create(&t[1], &attributes, work, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
