/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free|race */
/* note: the stack that a thread was given is freed before it has ended */
#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg)
{
    return arg;
}

int main(void)
{
    size_t size = 1 << 17;
    void *stack = aligned_alloc(4096, size);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack, size);
    pthread_t t;
    pthread_create(&t, &attributes, work, NULL);
    free(stack);
    pthread_join(t, NULL);
    return 0;
}
