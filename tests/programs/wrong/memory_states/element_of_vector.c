/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated uninitialised */
/* mode: all */
/* known-gcc: holds */
/* flags-plumb: -v */
/* named-gcc: uninitialised memory */
/* note: one element of a vector on the stack was not initialised */
#include <pthread.h>
#include <stdio.h>

typedef int four __attribute__((vector_size(16)));

static void *work(void *unused)
{
    four numbers;
    numbers[0] = 1;
    numbers[1] = 2;
    numbers += 1;
    if (numbers[0] == 2 && numbers[3] == 5)
        puts("five");
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
