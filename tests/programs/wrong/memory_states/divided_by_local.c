/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated uninitialised */
/* mode: all */
/* known-gcc: holds */
/* flags-plumb: -v */
/* named-gcc: uninitialised memory */
/* note: a divisor that is initialised on one way only */
#include <pthread.h>

static void *work(void *at)
{
    int number, *sum = at;
    if (*sum)
        number = 1;
    *sum = 6 / number;
    return at;
}

int main(void)
{
    pthread_t t;
    int sum = 0;
    pthread_create(&t, NULL, work, &sum);
    pthread_join(t, NULL);
    return 0;
}
