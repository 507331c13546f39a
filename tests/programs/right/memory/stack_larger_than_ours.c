/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* note: the thread asked for more stack than fibers have, so it is not its fault that it is exhausted */
#include <pthread.h>

static void *fill(void *arg)
{
    volatile char bytes[20 << 20];
    for (size_t k = 0; k < sizeof bytes; k += 4096)
        bytes[k] = 1;
    return bytes[0] ? arg : NULL;
}

int main(void)
{
    pthread_attr_t attr;
    pthread_t t;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 32 << 20);
    pthread_create(&t, &attr, fill, NULL);
    pthread_join(t, NULL);
    return 0;
}
