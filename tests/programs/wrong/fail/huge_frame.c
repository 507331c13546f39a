/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated stack-overflow */
/* note: one frame larger than any stack, touched at its far end */
#include <pthread.h>
#include <string.h>

static volatile unsigned long size = 1ul << 33;

static void *work(void *arg)
{
    (void)arg;
    char *block = __builtin_alloca(size);
    memset(block, 1, 64);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
