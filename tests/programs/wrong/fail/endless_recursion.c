/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated stack-overflow */
#include <pthread.h>

static volatile int limit = -1;

__attribute__((noinline)) static int sink(volatile char *frame, int n)
{
    volatile char inner[16384];
    frame[0] = (char)n;
    if (n == limit)
        return 0;
    return sink(inner, n + 1) + frame[0];
}

static void *work(void *arg)
{
    char frame[8];
    (void)arg;
    sink(frame, 0);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
