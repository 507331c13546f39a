/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* runs: 20 */
/* note: some MiB of stack are nothing unusual, in main or with the size that a thread asked for */
#include <assert.h>
#include <pthread.h>

static int depth(int n)
{
    volatile char frame[400];
    frame[n % 400] = 1;
    return n ? depth(n - 1) + frame[n % 400] : 0;
}

static void *fill(void *arg)
{
    volatile char bytes[5 << 20];
    for (size_t k = 0; k < sizeof bytes; k += 4096)
        bytes[k] = 1;
    return bytes[0] ? arg : NULL;
}

int main(void)
{
    pthread_attr_t attr;
    pthread_t t;
    void *result;
    pthread_attr_init(&attr);
    assert(pthread_attr_setstacksize(&attr, 7 << 20) == 0);
    pthread_create(&t, &attr, fill, &attr);
    pthread_attr_destroy(&attr);
    assert(depth(10000) == 10000);
    pthread_join(t, &result);
    assert(result == &attr);
    return 0;
}
