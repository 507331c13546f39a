/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated stack-overflow */
/* note: one frame larger than any stack, touched at its far end */
#include <pthread.h>

static volatile unsigned long size = 1ul << 33;

static void *work(void *arg)
{
    (void)arg;
    volatile char *block = __builtin_alloca(size);
    block[0] = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
