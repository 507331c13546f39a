/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated uninitialised */
/* mode: all */
/* known-gcc: holds */
/* flags-plumb: -v */
/* named-gcc: uninitialised memory */
/* note: a number of 80 bits that is initialised on one way only */
#include <pthread.h>
#include <stdio.h>

static void *work(void *at)
{
    long double number;
    if (at)
        number = 1;
    if (number > 2)
        puts("more");
    return at;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
